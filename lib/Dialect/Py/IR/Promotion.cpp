// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba's promotion rules, stated as rules: integer arithmetic is 64-bit and
// unsigned only if both operands are; numbers of which one is a float meet in
// the least float that holds both, by Numba's reckoning (16 bits fit f32 if
// signed, 8 if not); joins of signed and unsigned integers widen, and give up
// at 64 bits for f64. Complex numbers follow what their parts do; bfloat16 does
// not meet them.

#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Py/IR/Vectors.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

bool py::isBool(Type type) { return type.isInteger(1); }

bool py::isInteger(Type type) {
  return isa<IntegerType>(type) && !isBool(type);
}

bool py::isReal(Type type) { return isa<IntegerType, FloatType>(type); }

bool py::isComplex(Type type) { return isa<ComplexType>(type); }

bool py::isScalar(Type type) { return isReal(type) || isComplex(type); }

Type py::getPartType(Type type) {
  auto number = dyn_cast<ComplexType>(type);
  return number ? number.getElementType() : type;
}

/// True for elements of arrays that are numbers of Python, times, characters or
/// records of them.
static bool isPythonElement(Type type) {
  auto record = dyn_cast<RecordType>(type);
  if (!record)
    return isa<CharsType, Float8Type, ShortVectorType>(type) ||
           (isNumberOrTime(type) && py::isPythonType(type));
  return llvm::all_of(record.getFields(), [](FieldAttr field) {
    return isa<NoneType>(field.getType()) || isPythonElement(field.getType());
  });
}

bool py::isEmptyTuple(Type type) {
  auto tuple = dyn_cast_if_present<TupleType>(type);
  return tuple && tuple.size() == 0;
}

bool py::isPythonType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return isBool(integer) ||
           (!integer.isSignless() &&
            llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()));
  if (auto array = dyn_cast<ArrayType>(type))
    return isPythonElement(array.getElementType());
  if (TupleType tuple = getTuple(type))
    return llvm::all_of(tuple.getTypes(), isPythonType);
  if (auto member = dyn_cast<EnumType>(type))
    return isScalar(member.getValue())
               ? isPythonType(member.getValue())
               : isText(member.getValue()) ||
                     (isa<TupleType>(member.getValue()) &&
                      llvm::all_of(
                          cast<TupleType>(member.getValue()).getTypes(),
                          isScalar));
  if (auto optional = dyn_cast<OptionalType>(type))
    return isPythonType(optional.getValue()) &&
           makeOptional(optional.getValue()) == type;
  return isFloatElement(type) || isComplexElement(type) ||
         isa<NoneType>(type) ||
         (isa<PyDialect>(type.getDialect()) && !isa<ObjectType>(type));
}

static unsigned width(Type type) {
  unsigned part = getPartType(type).getIntOrFloatBitWidth();
  return isComplex(type) ? 2 * part : part;
}

static bool isUnsigned(Type type) { return type.isUnsignedInteger(); }

static Type getSigned(MLIRContext *context, unsigned width) {
  return IntegerType::get(context, width, IntegerType::Signed);
}

static Type getUnsigned(MLIRContext *context, unsigned width) {
  return IntegerType::get(context, width, IntegerType::Unsigned);
}

static Type getF32OrF64(MLIRContext *context, bool isF64) {
  return isF64 ? Type(Float64Type::get(context))
               : Type(Float32Type::get(context));
}

/// The most bits of an integer that each value of the float type `real` stands
/// for, by Numba's reckoning.
static unsigned getMostIntegerBits(Type real) {
  return width(real) == 16 ? 8 : width(real) == 32 ? 16 : 65;
}

/// True if the float type `real` holds every value of the float type `other`:
/// those of 16 bits, which divide them otherwise, do not hold each other.
static bool holdsFloat(Type real, Type other) {
  return real == other || width(other) < width(real);
}

/// True if the float type `real` holds every value of `integer`, or of bool. To
/// bfloat16 Numba converts integers of 8 bits, of either sign, and nothing
/// else.
static bool holdsInteger(Type real, Type integer) {
  return real.isBF16()
             ? width(integer) == 8
             : width(integer) + isUnsigned(integer) <= getMostIntegerBits(real);
}

/// The first float type that holds `a` and `b`, of which one is a float;
/// `holdsInteger` says which integers it holds.
static Type getLeastFloat(Type a, Type b,
                          llvm::function_ref<bool(Type, Type)> holdsInteger) {
  MLIRContext *context = a.getContext();
  for (Type real :
       {Type(Float16Type::get(context)), Type(BFloat16Type::get(context)),
        Type(Float32Type::get(context))})
    if (llvm::all_of(std::array{a, b}, [&](Type type) {
          return isa<FloatType>(type) ? holdsFloat(real, type)
                                      : holdsInteger(real, type);
        }))
      return real;
  return Float64Type::get(context);
}

/// The float type in which two scalars meet, one of them a float.
static Type meetInFloat(Type a, Type b, py::Typing typing) {
  return getLeastFloat(a, b, [&](Type real, Type integer) {
    return typing == py::Typing::Narrow ? width(real) >= 32
                                        : holdsInteger(real, integer);
  });
}

/// The complex type in which two scalars meet, one of them complex; null if
/// they do not.
static Type meetInComplex(Type a, Type b, py::Typing typing) {
  if (a.isBF16() || b.isBF16())
    return {};
  return ComplexType::get(meetInFloat(getPartType(a), getPartType(b), typing));
}

/// True for the operators that complex numbers have.
static bool hasComplex(BinaryOperator kind) {
  return llvm::is_contained({BinaryOperator::Add, BinaryOperator::Sub,
                             BinaryOperator::Mul, BinaryOperator::TrueDiv,
                             BinaryOperator::Pow},
                            kind);
}

/// The integer type that holds every value of `a` and `b`; null for signed
/// against unsigned 64-bit integers.
static Type widen(Type a, Type b) {
  if (py::isBool(a))
    return b;
  if (py::isBool(b))
    return a;
  if (isUnsigned(a) == isUnsigned(b))
    return width(a) >= width(b) ? a : b;
  if (isUnsigned(b))
    std::swap(a, b);
  // `a` is unsigned, `b` signed.
  if (width(a) == 64)
    return {};
  return getSigned(a.getContext(), std::max(width(a) * 2, width(b)));
}

/// The integer type of + - * // % ** & | ^ on integers.
static Type getIntegerResult(Type a, Type b, py::Typing typing) {
  if (typing == py::Typing::Narrow)
    if (Type common = widen(a, b)) {
      unsigned bits = std::max(width(common), 32u);
      return isUnsigned(common) ? getUnsigned(a.getContext(), bits)
                                : getSigned(a.getContext(), bits);
    }
  return isUnsigned(a) && isUnsigned(b) ? getUnsigned(a.getContext(), 64)
                                        : getSigned(a.getContext(), 64);
}

static Type atLeastF32(Type type) {
  return width(type) < 32 ? Float32Type::get(type.getContext()) : type;
}

Type py::getBinaryType(BinaryOperator kind, Type lhs, Type rhs, Typing typing) {
  if (isa<TimeType>(lhs) || isa<TimeType>(rhs))
    return getTimeType(kind, lhs, rhs);
  if (isa<ShortVectorType>(lhs) || isa<ShortVectorType>(rhs))
    return getVectorType(kind, lhs, rhs);
  if (!isScalar(lhs) || !isScalar(rhs))
    return {};
  if (isComplex(lhs) || isComplex(rhs))
    return hasComplex(kind) ? meetInComplex(lhs, rhs, typing) : Type();
  bool isFloat = isa<FloatType>(lhs) || isa<FloatType>(rhs);
  switch (kind) {
  case BinaryOperator::Add:
  case BinaryOperator::Sub:
  case BinaryOperator::Mul:
    return isFloat ? meetInFloat(lhs, rhs, typing)
                   : getIntegerResult(lhs, rhs, typing);
  case BinaryOperator::TrueDiv:
    if (isFloat)
      return meetInFloat(lhs, rhs, typing);
    return getF32OrF64(lhs.getContext(),
                       typing != Typing::Narrow ||
                           std::max(width(lhs), width(rhs)) > 32);
  case BinaryOperator::FloorDiv:
  case BinaryOperator::Mod:
    return isFloat ? atLeastF32(meetInFloat(lhs, rhs, typing))
                   : getIntegerResult(lhs, rhs, typing);
  case BinaryOperator::Pow:
    // A float keeps its width whatever the width of an integer exponent.
    if (isa<FloatType>(lhs) && !isa<FloatType>(rhs))
      return atLeastF32(lhs);
    return isFloat ? atLeastF32(meetInFloat(lhs, rhs, typing))
                   : getIntegerResult(lhs, rhs, typing);
  case BinaryOperator::LShift:
  case BinaryOperator::RShift:
    return isFloat ? Type() : getIntegerResult(lhs, lhs, typing);
  case BinaryOperator::BitAnd:
  case BinaryOperator::BitOr:
  case BinaryOperator::BitXor:
    if (isFloat)
      return {};
    return isBool(lhs) && isBool(rhs) ? lhs
                                      : getIntegerResult(lhs, rhs, typing);
  case BinaryOperator::MatMul:
    return {};
  }
  llvm_unreachable("all operators are handled");
}

Type py::getOperandType(Value operand, Type own, Type other, Typing typing) {
  auto constant = operand.getDefiningOp<ConstantOp>();
  if (typing != Typing::Narrow || !constant || !isScalar(other))
    return own;
  if (own.isF64())
    return isa<FloatType>(other) ? other
           : isComplex(other)    ? getPartType(other)
           : width(other) <= 32  ? Type(Float32Type::get(own.getContext()))
                                 : own;
  auto integer = dyn_cast<IntAttr>(constant.getValue());
  if (!integer || !isInteger(other))
    return own;
  APInt value = integer.getValue().getValue().sext(65);
  bool fits = isUnsigned(other) ? value.isIntN(width(other))
                                : value.isSignedIntN(width(other));
  return fits ? other : own;
}

Type py::getUnaryType(UnaryOperator kind, Type operand, Typing typing) {
  if (kind == UnaryOperator::Not)
    return IntegerType::get(operand.getContext(), 1);
  if (isTime(operand, TimeKind::Timedelta) && kind != UnaryOperator::Invert)
    return operand;
  if (isa<ShortVectorType>(operand))
    return kind == UnaryOperator::Invert ? Type() : operand;
  if (!isScalar(operand))
    return {};
  if (kind == UnaryOperator::Invert)
    return !isa<IntegerType>(operand) ? Type()
           : isBool(operand) ? operand
                             : getIntegerResult(operand, operand, typing);
  return isa<IntegerType>(operand) ? getIntegerResult(operand, operand, typing)
                                   : operand;
}

Type py::getCompareType(Type lhs, Type rhs, Typing typing) {
  auto a = dyn_cast<TimeType>(lhs), b = dyn_cast<TimeType>(rhs);
  if (a && b)
    return getCommonTime(a, b);
  if (!isScalar(lhs) || !isScalar(rhs))
    return {};
  if (isComplex(lhs) || isComplex(rhs))
    return meetInComplex(lhs, rhs, typing);
  if (isa<FloatType>(lhs) || isa<FloatType>(rhs))
    return meetInFloat(lhs, rhs, typing);
  if (Type common = widen(lhs, rhs))
    return common;
  return getUnsigned(lhs.getContext(), 64);
}

Type py::getLoopType(ArrayRef<Type> types, bool isReal) {
  MLIRContext *context = types.front().getContext();
  unsigned floatWidth = 0, integerWidth = 0;
  bool hasComplex = llvm::any_of(types, isComplex);
  for (Type type : types) {
    Type part = getPartType(type);
    unsigned &known = isa<FloatType>(part) ? floatWidth : integerWidth;
    known = std::max(known, width(part));
  }
  if (hasComplex)
    return ComplexType::get(getF32OrF64(context, floatWidth > 32));
  if (floatWidth != 0)
    return getF32OrF64(context, floatWidth > 32);
  if (isReal)
    return getF32OrF64(context, integerWidth > 16);
  Type common;
  for (unsigned position : sortByWidth(types))
    common = unify(common, types[position]);
  return common;
}

Type py::getInplaceType(BinaryOperator kind, Type element, Type number,
                        Typing typing) {
  if (!isScalar(element) || !isScalar(number)) {
    // A time stays one of its kind and unit.
    Type result = getBinaryType(kind, element, number, typing);
    return result == element ? result : Type();
  }
  if (element.isBF16() || number.isBF16()) {
    Type result = getBinaryType(kind, element, number, typing);
    return isa_and_present<FloatType>(result) && isa<FloatType>(element)
               ? result
               : Type();
  }
  bool isDivision = kind == BinaryOperator::TrueDiv;
  if (isa<IntegerType>(element) && isa<IntegerType>(number) && !isDivision)
    return getBinaryType(kind, element, number, typing);
  Type common = getLoopType({element, number}, isDivision);
  bool isKept =
      isComplex(element) || (!isComplex(common) && isa<FloatType>(element));
  return isKept ? getBinaryType(kind, common, common, typing) : Type();
}

bool py::areOthers(CompareOperator kind, Type lhs, Type rhs) {
  bool isIdentity =
      kind == CompareOperator::Is || kind == CompareOperator::IsNot;
  // Members are known by their values, which may be of two types of text.
  if (isa<EnumType>(lhs) && joinTexts(lhs, rhs))
    return false;
  auto isValue = [](Type type) {
    return isNumberOrTime(type) || isa<EnumType, ArrayType>(type) ||
           getTuple(type);
  };
  return isIdentity && lhs != rhs && isValue(lhs) && isValue(rhs);
}

/// An array in global memory with the dimensions and the elements of `array`,
/// in any layout.
static ArrayType getPlain(ArrayType array) {
  SmallVector<int64_t> shape(array.getRank(), ArrayType::kDynamic);
  return ArrayType::get(array.getContext(), shape, array.getElementType(),
                        Layout::Any, Space::Global);
}

std::optional<bool> py::isInstance(Type type, Type classes, Typing typing) {
  if (isa<OptionalType>(type))
    return isInstance(unwrapOnce(type), classes, typing);
  if (auto tuple = dyn_cast<TupleType>(classes)) {
    bool isAny = false;
    for (Type item : tuple.getTypes()) {
      std::optional<bool> is = isInstance(type, item, typing);
      if (!is)
        return is;
      isAny |= *is;
    }
    return isAny;
  }
  auto known = dyn_cast<StaticType>(classes);
  if (auto own = known ? dyn_cast<NamedTupleClassAttr>(known.getValue())
                       : NamedTupleClassAttr()) {
    auto named = dyn_cast<NamedTupleType>(type);
    return named && named.getName() == own.getName() &&
           named.getFields() == own.getFields();
  }
  auto member = dyn_cast<EnumType>(type);
  Type number = member && member.getInteger() ? member.getValue() : type;
  if (auto dtype = known ? dyn_cast<TypeAttr>(known.getValue()) : TypeAttr())
    return type == dtype.getValue();
  auto name = known ? dyn_cast<IntrinsicAttr>(known.getValue()) : nullptr;
  if (!name)
    return std::nullopt;
  if (name.getName().starts_with("array(")) {
    auto array = dyn_cast<ArrayType>(type);
    return array && describe(getPlain(array)) == name.getName();
  }
  auto isPythons = [&](Type type) {
    unsigned width = type.getIntOrFloatBitWidth();
    return width == 64 || (typing == Typing::Narrow && width == 32);
  };
  return llvm::StringSwitch<std::optional<bool>>(name.getName())
      .Case("builtins.bool", isBool(type))
      .Case("builtins.int", number.isSignedInteger() && isPythons(number))
      .Case("builtins.float", isa<FloatType>(type) && isPythons(type))
      .Case("builtins.complex", isComplex(type) && isPythons(getPartType(type)))
      .Case("builtins.tuple", getTuple(type) != TupleType())
      .Case("builtins.str", getCharsKind(type) == CharsKind::Str)
      .Case("builtins.bytes", getCharsKind(type) == CharsKind::Bytes)
      .Case("builtins.range", isa<RangeType>(type))
      .Case("builtins.slice", isa<SliceType>(type))
      .Cases({"builtins.list", "builtins.dict", "builtins.set"}, false)
      .Case("numpy.ndarray", isa<ArrayType>(type))
      .Case("numpy.integer", isInteger(type))
      .Case("numpy.floating", isa<FloatType>(type))
      .Case("numpy.complexfloating", isa<ComplexType>(type))
      .Case("numpy.datetime64", isTime(type, TimeKind::Datetime))
      .Case("numpy.timedelta64", isTime(type, TimeKind::Timedelta))
      .Default(std::nullopt);
}

std::optional<bool> py::compareDtypes(CompareOperator kind, Type lhs, Type rhs,
                                      Typing typing) {
  Type dtype = getDtypeObject(lhs), other = getDtypeObject(rhs);
  if ((!dtype && !other) || !isEquality(kind))
    return std::nullopt;
  std::optional<bool> are;
  if (dtype && other)
    are = dtype == other;
  else if (Type known = dtype ? rhs : lhs; getText(known))
    are = getNamedDtype(known) == (dtype ? dtype : other);
  else if (isa<StaticType>(known))
    are = isInstance(dtype ? dtype : other, known, typing);
  bool isEqual = kind == CompareOperator::Eq || kind == CompareOperator::Is;
  return are ? std::optional(*are == isEqual) : std::nullopt;
}

Type py::unify(Type a, Type b) {
  if (!a || !b || a == b)
    return a ? a : b;
  if (isScalar(a) && isScalar(b)) {
    if (isComplex(a) || isComplex(b))
      return a.isBF16() || b.isBF16()
                 ? Type()
                 : ComplexType::get(unify(getPartType(a), getPartType(b)));
    // Unlike in arithmetic, the sign of an integer plays no part.
    if (isa<FloatType>(a) || isa<FloatType>(b))
      return getLeastFloat(a, b, [](Type real, Type integer) {
        return width(integer) <= getMostIntegerBits(real);
      });
    if (Type common = widen(a, b))
      return common;
    return Float64Type::get(a.getContext());
  }
  if (isa<NoneType>(a) || isa<NoneType>(b))
    return makeOptional(isa<NoneType>(a) ? b : a);
  if (auto python = dyn_cast<PythonTypeInterface>(a))
    if (Type common = python.unifyWith(b))
      return common;
  // Types of one class ask the same.
  if (auto python = dyn_cast<PythonTypeInterface>(b);
      python && a.getTypeID() != b.getTypeID())
    if (Type common = python.unifyWith(a))
      return common;
  auto tupleA = dyn_cast<TupleType>(a), tupleB = dyn_cast<TupleType>(b);
  if (tupleA && tupleB && tupleA.size() == tupleB.size()) {
    SmallVector<Type> items;
    for (auto [itemA, itemB] : llvm::zip(tupleA.getTypes(), tupleB.getTypes()))
      if (Type item = unify(itemA, itemB))
        items.push_back(item);
      else
        return {};
    return TupleType::get(a.getContext(), items);
  }
  auto arrayA = dyn_cast<ArrayType>(a), arrayB = dyn_cast<ArrayType>(b);
  if (arrayA && arrayB)
    return arrayA.unifyWith(arrayB);
  return {};
}

Type py::getCommonItem(TupleType tuple) {
  Type common;
  for (Type item : tuple.getTypes()) {
    auto known = dyn_cast_if_present<ArrayType>(common);
    auto array = dyn_cast<ArrayType>(item);
    bool isAlike = known && array && known.getLayout() == array.getLayout() &&
                   known.isReadOnly() == array.isReadOnly();
    if (isAlike)
      common = known.unifyWith(array);
    else
      common = common ? joinTexts(common, item) : item;
    if (!common)
      return {};
  }
  return common;
}

SmallVector<unsigned> py::sortByWidth(ArrayRef<Type> types) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(types.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    auto key = [&](unsigned i) {
      return std::pair(isScalar(types[i]) ? width(types[i]) : 0, i);
    };
    return key(a) < key(b);
  });
  return order;
}

namespace {
/// How bad a conversion of one scalar to another is. A chain of steps is as bad
/// as its worst.
enum Conversion { Exact, Promotes, Safe, Unsafe, Impossible };
} // namespace

/// True if `target` is reached from `source` by growing within one kind.
static bool promotes(Type source, Type target) {
  bool sameKind = (isa<FloatType>(source) && isa<FloatType>(target)) ||
                  (py::isInteger(source) && py::isInteger(target) &&
                   isUnsigned(source) == isUnsigned(target));
  return sameKind && width(source) < width(target) && !source.isBF16();
}

/// True if every value of `source` is one of `target`, by Numba's reckoning.
static bool isLossless(Type source, Type target) {
  if (isa<FloatType>(source))
    return isa<FloatType>(target) && holdsFloat(target, source);
  if (isa<FloatType>(target))
    return holdsInteger(target, source);
  if (py::isBool(source))
    return true;
  if (py::isBool(target))
    return false;
  if (isUnsigned(source) == isUnsigned(target))
    return width(source) <= width(target);
  return isUnsigned(source) && width(source) < width(target);
}

static Conversion convert(Type source, Type target) {
  if (source == target)
    return Exact;
  if (isComplex(source) && !isComplex(target))
    return Impossible;
  if (isComplex(target)) {
    Conversion parts = convert(getPartType(source), getPartType(target));
    return isComplex(source) ? parts : std::max(Safe, parts);
  }
  if (promotes(source, target))
    return Promotes;
  return isLossless(source, target) ? Safe : Unsafe;
}

std::optional<unsigned>
py::selectOverload(ArrayRef<SmallVector<Type, 3>> overloads,
                   TypeRange arguments) {
  std::optional<unsigned> best;
  std::array<unsigned, 3> bestRating{};
  for (auto [index, formals] : llvm::enumerate(overloads)) {
    if (formals.size() != arguments.size())
      continue;
    std::array<unsigned, 3> rating{};
    bool isPossible = true;
    for (auto [argument, formal] : llvm::zip(arguments, formals)) {
      Conversion conversion = convert(argument, formal);
      isPossible &= conversion != Impossible;
      rating[0] += conversion == Unsafe;
      rating[1] += conversion == Safe;
      rating[2] += conversion == Promotes;
    }
    if (isPossible && (!best || rating < bestRating)) {
      best = index;
      bestRating = rating;
    }
  }
  return best;
}
