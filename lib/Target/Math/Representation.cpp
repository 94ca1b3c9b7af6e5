// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that change the exponent or the last bit of numbers, and are exact
// where the result is a number.

#include "Functions.h"

#include <limits>

using namespace llvm;
using namespace pyk;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Real pyk::computeLdexp(Real x, Real exponent) {
  IRBuilderBase &b = *x.b;
  int64_t fraction = x.getFractionBits(), bias = x.getBias();
  // Numbers with fewer bits than others become some.
  Truth isTiny = x.abs() < x.constant(0x1p-126, 0x1p-1022);
  Real number = select(isTiny, x * x.constant(0x1p24, 0x1p54), x);
  Whole bits = number.asWhole();
  Whole own = (bits >> fraction) & (2 * bias + 1);
  own = select(isTiny, own - (x.isWide() ? 54 : 24), own);
  // So much makes infinity of the least number, and 0 of the largest.
  int64_t most = x.isWide() ? 2200 : 300;
  Type *type = exponent.value->getType();
  auto limit = [&](int64_t value) {
    return ConstantInt::getSigned(type, value);
  };
  Value *limited = b.CreateBinaryIntrinsic(
      Intrinsic::smax, limit(-most),
      b.CreateBinaryIntrinsic(Intrinsic::smin, limit(most), exponent.value));
  Whole power = {&b, b.CreateSExtOrTrunc(limited, bits.value->getType())};
  power = own + power - bias;
  // Between 1 and 2, with the sign.
  Whole mantissa = {
      &b,
      b.CreateOr(
          (bits - (((bits >> fraction) & (2 * bias + 1)) << fraction)).value,
          bits.constant(bias << fraction).value)};
  // Of small results only the last product is rounded.
  Truth isSmall = power < 0;
  Whole raised = select(isSmall, power + (fraction + 2), power);
  raised = select(raised < 1 - bias, raised.constant(1 - bias), raised);
  raised = select(raised < bias + 1, raised, raised.constant(bias + 1));
  Real scale = ((raised + bias) << fraction).asReal();
  Real product = mantissa.asReal() * scale;
  Real result =
      select(isSmall, product * x.constant(0x1p-25, 0x1p-54), product);
  // 0, infinity and NaN stay.
  Truth isOrdinary = x.abs() > 0.0 && x.abs() < kInfinity;
  return select(isOrdinary, result, x);
}

Real pyk::computeNextafter(Real x, Real y) {
  Whole bits = x.asWhole();
  // Away from 0 if the distance has the sign of x.
  Truth grows = {
      x.b, x.b->CreateSelect((x > 0.0).value, (x < y).value, (y < x).value)};
  Real next = select(grows, bits + 1, bits - 1).asReal();
  Real least = x.constant(0x1p-149, 0x1p-1074).withSignOf(y);
  Real result = select(x == 0.0, least, next);
  result = select(x == y, y, result);
  return select(x.isNaN() || y.isNaN(), x + y, result);
}

Real pyk::computeFdim(Real x, Real y) {
  Real result = select(x > y, x - y, 0.0);
  return select(x.isNaN() || y.isNaN(), x + y, result);
}
