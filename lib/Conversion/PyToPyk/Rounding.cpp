// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `round(x, digits)`, which Numba computes as CPython's fallback for machines
// without exact conversions does: scale by a power of ten, round half to even,
// scale back, all in float64. The power is a product of squares, so that it is
// exact up to 10**22, folds where the digits are constant, and needs no
// library. Where that goes astray the result is Python's: a number without so
// many digits is its own nearest, and one that is less than half a step becomes
// zero.

#include "Rounding.h"
#include "Scalars.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The largest power of ten that float64 holds exactly.
static constexpr int64_t kExactDigits = 22;
/// No float64 has a digit so far from the point; all bits of it are set.
static constexpr int64_t kMostDigits = 511;

namespace {

/// Builds arithmetic on int64 and float64, folded where it is constant.
struct Rounding : ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value integer(int64_t value) {
    return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
  }
  Value real(double value) {
    return arith::ConstantOp::create(*this, getF64FloatAttr(value));
  }
  template <typename Op, typename... Operands>
  Value make(Operands... operands) {
    return createOrFold<Op>(operands...);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, int64_t b) {
    return make<arith::CmpIOp>(predicate, a, integer(b));
  }
  Value compare(arith::CmpFPredicate predicate, Value a, double b) {
    return make<arith::CmpFOp>(predicate, a, real(b));
  }
  Value select(Value condition, Value a, Value b) {
    return make<arith::SelectOp>(condition, a, b);
  }

  /// 10 to the power of `exponent`, which is from 0 to kMostDigits.
  Value powerOfTen(Value exponent) {
    Value power = real(1);
    double square = 10;
    for (int64_t bit = 1; bit < kMostDigits; bit *= 2, square *= square) {
      Value rest = make<arith::AndIOp>(exponent, integer(bit));
      Value isSet = compare(arith::CmpIPredicate::ne, rest, 0);
      power = select(isSet, make<arith::MulFOp>(power, real(square)), power);
    }
    return power;
  }

  Value round(Value value, Value digits) {
    Value least = integer(-kMostDigits), most = integer(kMostDigits);
    digits = make<arith::MaxSIOp>(make<arith::MinSIOp>(digits, most), least);
    Value isBefore = compare(arith::CmpIPredicate::slt, digits, 0);
    Value isFar = compare(arith::CmpIPredicate::sgt, digits, kExactDigits);
    Value size =
        select(isBefore, make<arith::SubIOp>(integer(0), digits),
               select(isFar, make<arith::SubIOp>(digits, integer(kExactDigits)),
                      digits));
    // Two factors, since their product may be infinite.
    Value power = powerOfTen(size), rest = select(isFar, real(1e22), real(1));

    Value scaled =
        select(isBefore, make<arith::DivFOp>(value, power),
               make<arith::MulFOp>(make<arith::MulFOp>(value, power), rest));
    Value whole = make<math::RoundEvenOp>(scaled);
    Value rounded =
        select(isBefore, make<arith::MulFOp>(whole, power),
               make<arith::DivFOp>(make<arith::DivFOp>(whole, rest), power));

    // Zero times an infinite power is no number.
    Value isZero = compare(arith::CmpFPredicate::OEQ, whole, 0);
    rounded = select(isZero, whole, rounded);
    // Behind 53 binary digits there are no more; a NaN and an infinite number
    // have none to round either.
    Value hasMore = compare(arith::CmpFPredicate::OLT,
                            make<math::AbsFOp>(scaled), std::ldexp(1.0, 53));
    return select(hasMore, rounded, value);
  }
};

} // namespace

Value py::makeRounded(FunctionLowering &lowering, const Binding &value,
                      const Binding &digits, Type type, Location loc) {
  OpBuilder &builder = lowering.getBuilder();
  Type real = builder.getF64Type();
  Value count = digits.parts.front();
  auto integer =
      IntegerType::get(builder.getContext(), 64, IntegerType::Signed);
  if (digits.type.isUnsignedInteger(64))
    count = arith::MinUIOp::create(
        builder, loc, count,
        makeInteger(builder, kMostDigits, count.getType(), loc));
  else
    count = lowering.convert(count, digits.type, integer, loc);
  Value wide = lowering.convert(value.parts.front(), value.type, real, loc);
  Rounding b(loc, builder);
  return lowering.convert(b.round(wide, count), real, type, loc);
}
