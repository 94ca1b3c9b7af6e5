// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators on constants: integers of any size (as far as CPython
// folds them), doubles, bools and tuples.

#include "Folding.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <complex>

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Bits in which integers are computed: more than folding ever needs.
static constexpr unsigned kBits = 320;

/// Most bits that CPython computes the result of `*`, `**` and `<<` for.
static constexpr unsigned kMaxFoldedBits = 128;

namespace {
/// A number as Python has it.
struct Number {
  enum { Bool, Int, Float } kind;
  APInt integer{kBits, 0};
  double real = 0;

  double asDouble() const {
    if (kind == Float)
      return real;
    // Not APInt's own conversion, which is right for few widths only.
    APFloat value(APFloat::IEEEdouble());
    value.convertFromAPInt(integer, /*IsSigned=*/true,
                           APFloat::rmNearestTiesToEven);
    return value.convertToDouble();
  }
  bool isZero() const { return kind == Float ? real == 0 : integer.isZero(); }
};
} // namespace

static Number makeInt(APInt value) { return {Number::Int, std::move(value)}; }

static Number makeFloat(double value) {
  return {Number::Float, APInt(kBits, 0), value};
}

/// The number that `constant` is; nothing for other objects. A NumPy scalar
/// counts as the Python number of its value.
static std::optional<Number> getNumber(Attribute constant) {
  if (auto real = dyn_cast_if_present<FloatAttr>(constant)) {
    APFloat value = real.getValue();
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return makeFloat(value.convertToDouble());
  }
  IntegerAttr integer = dyn_cast_if_present<IntegerAttr>(constant);
  if (auto own = dyn_cast_if_present<IntAttr>(constant))
    integer = own.getValue();
  if (!integer)
    return std::nullopt;
  APInt value = integer.getValue();
  if (isBool(integer.getType()))
    return Number{Number::Bool, value.zext(kBits)};
  return makeInt(integer.getType().isUnsignedInteger() ? value.zext(kBits)
                                                       : value.sext(kBits));
}

/// The constant of a number.
static Attribute getAttribute(const Number &number, MLIRContext *context) {
  if (number.kind == Number::Float)
    return FloatAttr::get(Float64Type::get(context), number.real);
  if (number.kind == Number::Bool)
    return BoolAttr::get(context, !number.isZero());
  bool isSigned = number.integer.isSignedIntN(64);
  if (!isSigned && (number.integer.isNegative() || !number.integer.isIntN(64)))
    return ObjectAttr::get(context, "int of more than 64 bits");
  Type type = IntegerType::get(
      context, 64, isSigned ? IntegerType::Signed : IntegerType::Unsigned);
  return IntAttr::get(context,
                      IntegerAttr::get(type, number.integer.trunc(64)));
}

/// Quotient and remainder that round down, of integers.
static std::pair<APInt, APInt> divideFloor(const APInt &a, const APInt &b) {
  APInt quotient, remainder;
  APInt::sdivrem(a, b, quotient, remainder);
  if (!remainder.isZero() && remainder.isNegative() != b.isNegative()) {
    --quotient;
    remainder += b;
  }
  return {quotient, remainder};
}

static std::optional<Number> foldFloats(BinaryOperator kind, double a,
                                        double b) {
  switch (kind) {
  case BinaryOperator::Add:
    return makeFloat(a + b);
  case BinaryOperator::Sub:
    return makeFloat(a - b);
  case BinaryOperator::Mul:
    return makeFloat(a * b);
  case BinaryOperator::TrueDiv:
    return b == 0 ? std::nullopt : std::optional(makeFloat(a / b));
  case BinaryOperator::FloorDiv:
  case BinaryOperator::Mod: {
    if (b == 0)
      return std::nullopt;
    double remainder = std::fmod(a, b);
    if (remainder != 0 && (remainder < 0) != (b < 0))
      remainder += b;
    return makeFloat(kind == BinaryOperator::Mod
                         ? remainder
                         : std::round((a - remainder) / b));
  }
  case BinaryOperator::Pow:
    // What is complex or an error in Python stays.
    if ((a < 0 && std::floor(b) != b) || (a == 0 && b < 0))
      return std::nullopt;
    return makeFloat(std::pow(a, b));
  default:
    return std::nullopt;
  }
}

static std::optional<Number> foldIntegers(BinaryOperator kind, const Number &a,
                                          const Number &b) {
  const APInt &x = a.integer, &y = b.integer;
  auto bits = [](const APInt &value) { return value.abs().getActiveBits(); };
  bool areBools = a.kind == Number::Bool && b.kind == Number::Bool;
  auto bitwise = [&](APInt value) {
    return Number{areBools ? Number::Bool : Number::Int, std::move(value)};
  };
  switch (kind) {
  case BinaryOperator::Add:
    return makeInt(x + y);
  case BinaryOperator::Sub:
    return makeInt(x - y);
  case BinaryOperator::Mul:
    if (bits(x) + bits(y) > kMaxFoldedBits)
      return std::nullopt;
    return makeInt(x * y);
  case BinaryOperator::TrueDiv:
    return foldFloats(kind, a.asDouble(), b.asDouble());
  case BinaryOperator::FloorDiv:
  case BinaryOperator::Mod: {
    if (y.isZero())
      return std::nullopt;
    auto [quotient, remainder] = divideFloor(x, y);
    return makeInt(kind == BinaryOperator::Mod ? remainder : quotient);
  }
  case BinaryOperator::Pow: {
    if (y.isNegative())
      return foldFloats(kind, a.asDouble(), b.asDouble());
    if (!y.isIntN(16) || bits(x) * y.getZExtValue() > kMaxFoldedBits)
      return std::nullopt;
    APInt result(kBits, 1);
    for (uint64_t i = 0; i != y.getZExtValue() && !x.isOne(); ++i)
      result *= x;
    return makeInt(result);
  }
  case BinaryOperator::LShift:
    if (y.isNegative() || !y.isIntN(16) ||
        bits(x) + y.getZExtValue() > kMaxFoldedBits)
      return std::nullopt;
    return makeInt(x.shl(y.getZExtValue()));
  case BinaryOperator::RShift:
    if (y.isNegative())
      return std::nullopt;
    return makeInt(x.ashr(y.getLimitedValue(kBits - 1)));
  case BinaryOperator::BitAnd:
    return bitwise(x & y);
  case BinaryOperator::BitOr:
    return bitwise(x | y);
  case BinaryOperator::BitXor:
    return bitwise(x ^ y);
  case BinaryOperator::MatMul:
    return std::nullopt;
  }
  llvm_unreachable("all operators are handled");
}

/// The type of a NumPy scalar; null for other constants.
static Type getNumPyType(Attribute constant) {
  auto typed = dyn_cast<TypedAttr>(constant);
  auto complex = typed ? dyn_cast<ComplexType>(typed.getType()) : ComplexType();
  Type real = complex ? complex.getElementType()
              : typed ? typed.getType()
                      : Type();
  return !real || isBool(real) || real.isF64() ? Type() : typed.getType();
}

/// The parts of a number; nothing for other objects.
static std::optional<std::complex<double>> getComplex(Attribute constant) {
  if (auto number = dyn_cast_if_present<complex::NumberAttr>(constant)) {
    auto toDouble = [](APFloat part) {
      bool losesInfo;
      part.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
      return part.convertToDouble();
    };
    return std::complex(toDouble(number.getReal()), toDouble(number.getImag()));
  }
  if (std::optional<Number> number = getNumber(constant))
    return std::complex(number->asDouble());
  return std::nullopt;
}

/// The sum, difference or product of complex numbers, as CPython computes it.
static Attribute foldComplex(BinaryOperator kind, std::complex<double> a,
                             std::complex<double> b, MLIRContext *context) {
  double real, imag;
  switch (kind) {
  case BinaryOperator::Add:
    real = a.real() + b.real();
    imag = a.imag() + b.imag();
    break;
  case BinaryOperator::Sub:
    real = a.real() - b.real();
    imag = a.imag() - b.imag();
    break;
  case BinaryOperator::Mul:
    real = a.real() * b.real() - a.imag() * b.imag();
    imag = a.real() * b.imag() + a.imag() * b.real();
    break;
  default:
    return {};
  }
  return complex::NumberAttr::get(ComplexType::get(Float64Type::get(context)),
                                  real, imag);
}

Attribute py::foldBinary(BinaryOperator kind, Attribute lhs, Attribute rhs) {
  if (isa_and_present<complex::NumberAttr>(lhs) ||
      isa_and_present<complex::NumberAttr>(rhs)) {
    std::optional<std::complex<double>> a = getComplex(lhs),
                                        b = getComplex(rhs);
    return a && b && !getNumPyType(lhs) && !getNumPyType(rhs)
               ? foldComplex(kind, *a, *b, lhs.getContext())
               : Attribute();
  }
  std::optional<Number> a = getNumber(lhs), b = getNumber(rhs);
  if (!a || !b)
    return {};
  bool isFloat = a->kind == Number::Float || b->kind == Number::Float;
  std::optional<Number> result =
      isFloat ? foldFloats(kind, a->asDouble(), b->asDouble())
              : foldIntegers(kind, *a, *b);
  if (!result)
    return {};
  // Where a NumPy scalar takes part, its type wins over Python's.
  Type type = unify(getNumPyType(lhs), getNumPyType(rhs));
  if (type && isInteger(type) && result->kind == Number::Int)
    return IntegerAttr::get(
        type, result->integer.trunc(type.getIntOrFloatBitWidth()));
  if (isa_and_present<FloatType>(type))
    return FloatAttr::get(type, result->asDouble());
  return getAttribute(*result, lhs.getContext());
}

Attribute py::foldUnary(UnaryOperator kind, Attribute operand) {
  if (kind == UnaryOperator::Not) {
    std::optional<bool> truth = getTruth(operand);
    return truth ? BoolAttr::get(operand.getContext(), !*truth) : Attribute();
  }
  std::optional<Number> number = getNumber(operand);
  if (!number ||
      (number->kind == Number::Float && kind == UnaryOperator::Invert))
    return {};
  if (number->kind == Number::Bool)
    number->kind = Number::Int;
  if (kind == UnaryOperator::Invert)
    number->integer.flipAllBits();
  if (kind == UnaryOperator::Minus) {
    number->integer.negate();
    number->real = -number->real;
  }
  return getAttribute(*number, operand.getContext());
}

std::optional<bool> py::getTruth(Attribute constant) {
  if (std::optional<Number> number = getNumber(constant))
    return !number->isZero();
  return llvm::TypeSwitch<Attribute, std::optional<bool>>(constant)
      .Case([](NoneAttr) { return false; })
      .Case([](complex::NumberAttr number) {
        return !number.getReal().isZero() || !number.getImag().isZero();
      })
      .Case([](EnumMemberAttr member) {
        return member.getInteger() ? getTruth(member.getValue()) : true;
      })
      .Case([](NamedTupleAttr value) { return !value.getItems().empty(); })
      .Case([](StringAttr value) { return !value.empty(); })
      .Case([](BytesAttr value) { return !value.getName().empty(); })
      .Case([](ArrayAttr value) { return !value.empty(); })
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static bool isNegated(CompareOperator kind) {
  return kind == CompareOperator::Ne || kind == CompareOperator::IsNot;
}

/// The constant for which `constant` stands, or itself.
static Attribute getPlain(Attribute constant) {
  if (auto member = dyn_cast<EnumMemberAttr>(constant))
    return member.getInteger() ? member.getValue() : constant;
  auto named = dyn_cast<NamedTupleAttr>(constant);
  return named ? Attribute(named.getItems()) : constant;
}

std::optional<bool> py::foldCompare(CompareOperator kind, Attribute lhs,
                                    Attribute rhs) {
  // Members of two integer enumerations may be equal, but are not identical.
  if (kind != CompareOperator::Is && kind != CompareOperator::IsNot) {
    lhs = getPlain(lhs);
    rhs = getPlain(rhs);
  }
  std::optional<Number> a = getNumber(lhs), b = getNumber(rhs);
  if (!a || !b) {
    // Of times the units may differ, and NaT equals nothing.
    if (!isEquality(kind) || (isa<StoredAttr>(lhs) && isa<StoredAttr>(rhs)))
      return std::nullopt;
    auto x = getComplex(lhs), y = getComplex(rhs);
    return (x && y ? *x == *y : lhs == rhs) != isNegated(kind);
  }
  if (a->kind == Number::Float || b->kind == Number::Float) {
    double x = a->asDouble(), y = b->asDouble();
    if (std::isnan(x) || std::isnan(y))
      return isNegated(kind);
    return compareOrder(kind, x < y ? -1 : x > y);
  }
  return compareOrder(
      kind, a->integer.slt(b->integer) ? -1 : a->integer.sgt(b->integer));
}
