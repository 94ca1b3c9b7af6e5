// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smith's quotient, and powers by squaring or by length and angle.

#include "ComplexArithmetic.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;

static Number multiply(Number a, Number b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

Number pyk::divide(Number a, Number b) {
  Real ar = abs(b.re), ai = abs(b.im);
  Truth isReal = ar >= ai;
  Real ratio = select(isReal, b.im, b.re) / select(isReal, b.re, b.im);
  Real divisor =
      select(isReal, b.re, b.im) + select(isReal, b.im, b.re) * ratio;
  Real u = select(isReal, a.re, a.im), v = select(isReal, a.im, a.re);
  Real cross = u * ratio;
  Number quotient{(u + v * ratio) / divisor,
                  select(isReal, v - cross, cross - v) / divisor};
  Truth isZero = ar == 0 && ai == 0;
  return {select(isZero, a.re / ar, quotient.re),
          select(isZero, a.im / ar, quotient.im)};
}

/// Most that an exponent may be for a power to be a product.
static constexpr double kMostFactors = 100;

/// `base` to the power of `exponent`, a whole number: square and multiply.
static Number raiseToWhole(Number base, Real exponent) {
  ImplicitLocOpBuilder &b = *exponent.b;
  Type real = exponent.value.getType(), integer = b.getI32Type();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  Value count = FloatToIntOp::create(b, integer, abs(exponent).value,
                                     /*is_unsigned=*/false);
  SmallVector<Type> types{real, real, real, real, integer};
  SmallVector<Location> locs(types.size(), b.getLoc());
  Value one = exponent.constant(1).value, zero = exponent.constant(0).value;
  auto loop = scf::WhileOp::create(
      b, types, ValueRange{one, zero, base.re.value, base.im.value, count});
  OpBuilder::InsertionGuard guard(b);

  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                     before->getArgument(4), number(0));
  scf::ConditionOp::create(b, more, before->getArguments());

  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  auto carried = [&](unsigned index) {
    return Real{&b, after->getArgument(index)};
  };
  Number result{carried(0), carried(1)}, square{carried(2), carried(3)};
  Value rest = after->getArgument(4);
  Value low = arith::AndIOp::create(b, rest, number(1));
  Truth isOdd{
      &b, arith::CmpIOp::create(b, arith::CmpIPredicate::ne, low, number(0))};
  Number product = multiply(result, square), next = multiply(square, square);
  rest = arith::ShRUIOp::create(b, rest, number(1));
  scf::YieldOp::create(b, ValueRange{select(isOdd, product.re, result.re).value,
                                     select(isOdd, product.im, result.im).value,
                                     next.re.value, next.im.value, rest});

  b.setInsertionPointAfter(loop);
  Number power{{&b, loop.getResult(0)}, {&b, loop.getResult(1)}};
  Number inverse = divide({exponent.constant(1), exponent.constant(0)}, power);
  Truth isNegative = exponent < 0;
  return {select(isNegative, inverse.re, power.re),
          select(isNegative, inverse.im, power.im)};
}

static Number raiseByPhase(Number a, Number b) {
  Real length = hypot(a.re, a.im), angle = atan2(a.im, a.re);
  Truth isReal = b.im == 0;
  Real size = length.make<math::PowFOp>(b.re);
  size = select(isReal, size, size / exp(angle * b.im));
  Real phase = angle * b.re;
  phase = select(isReal, phase, phase + b.im * log(length));
  return {size * cos(phase), size * sin(phase)};
}

Number pyk::raise(Number a, Number b) {
  ImplicitLocOpBuilder &builder = *a.re.b;
  Type real = a.re.value.getType();
  Truth isWhole = b.im == 0 && b.re.make<math::FloorOp>() == b.re &&
                  abs(b.re) <= kMostFactors;
  auto choice = scf::IfOp::create(builder, TypeRange{real, real}, isWhole.value,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    Number whole = raiseToWhole(a, b.re);
    builder.setInsertionPointToEnd(choice.thenBlock());
    scf::YieldOp::create(builder, ValueRange{whole.re.value, whole.im.value});
    builder.setInsertionPointToStart(choice.elseBlock());
    Number other = raiseByPhase(a, b);
    scf::YieldOp::create(builder, ValueRange{other.re.value, other.im.value});
  }
  Number power{{&builder, choice.getResult(0)},
               {&builder, choice.getResult(1)}};
  // A power of 0 has no phase.
  Truth isZero = a.re == 0 && a.im == 0, isOne = b.re == 0 && b.im == 0;
  Real limit = select(b.re > 0, 0.0, a.re.constant(kNaN));
  return {select(isOne, 1.0, select(isZero, limit, power.re)),
          select(isOne, 0.0, select(isZero, limit, power.im))};
}
