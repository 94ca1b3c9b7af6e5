// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// erf and erfc are a polynomial near 0. Beyond, erfc(x) is exp(-x^2) times
// erfcx(x), which a factor 1 + 2 x and a variable (x - 4) / (x + 4) make so
// smooth that one polynomial holds up to infinity (Shepherd and Laframboise,
// "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < oo", 1981).
// The bits of x^2 that rounding takes are added inside the exponential.
//
// erfcx and normcdf use such a polynomial from 0 on, with the factor 1 + x:
// near 0 the product is then nearly constant, so that the rounding of the
// variable hardly matters.

#include "Coefficients.h"
#include "Functions.h"
#include "Pairs.h"

using namespace llvm;
using namespace pyk;

/// erf(x) / x - 1 between -1 and 1.
static Real getErfRest(Real x) { return evaluate(x * x, kErfF32, kErfF64); }

/// From here on erfc is computed by the exponential.
static constexpr double kFar = 0.75;

/// The scaled complement, by a polynomial of (size - 4) / (size + 4) and its
/// value at 0.
static Pair getScaledComplement(Real size, const Parts &start,
                                ArrayRef<double> coefficients) {
  Real ratio = (size - 4.0) / (size + 4.0);
  Real rest = fma(evaluate(ratio, coefficients), ratio, start[1]);
  Real sum = start[0] + rest;
  return {sum, rest - (sum - start[0])};
}

/// exp(-size^2) times a number of two parts.
static Scaled multiplyByExp(Real size, Pair factor) {
  Real square = size * size;
  Real lost = fma(size, size, -square);
  Scaled power = splitExp(-square, -lost);
  Real low = fma(power.mantissa, factor.low, power.lost * factor.high);
  power.mantissa = fma(power.mantissa, factor.high, low);
  return power;
}

/// erfc of a number that is at least kFar.
static Real getErfc(Real size) {
  // Beyond it the result is 0.
  size = limitAbove(size, size.isWide() ? 28 : 11);
  ArrayRef<double> coefficients = kErfcxF64;
  if (!size.isWide())
    coefficients = kErfcxF32;
  Pair scaled = getScaledComplement(
      size, Parts(size, kErfcxOf4F32, kErfcxOf4F64), coefficients);
  Real divisor = fma(size, 2, size.constant(1));
  Real lost = 1.0 - (divisor - (size + size));
  return multiplyByExp(size, divide(scaled, {divisor, lost})).get();
}

Real pyk::computeErf(Real x) {
  Real size = x.abs();
  Real far = 1.0 - getErfc(size);
  Real near = fma(getErfRest(x), size, size);
  return select(size > 1.0, far, near).withSignOf(x);
}

Real pyk::computeErfc(Real x) {
  Real size = x.abs();
  Real complement = getErfc(size);
  Real far = select(x < 0.0, 2.0 - complement, complement);
  Real near = fma(-getErfRest(x), x, 1.0 - x);
  return select(size > kFar, far, near);
}

//===----------------------------------------------------------------------===//
// Functions of float64 for both precisions
//===----------------------------------------------------------------------===//

/// erfcx of a number of float64 that is 0 or more, with coefficients for the
/// precision of the result.
static Pair getErfcx(Real size, ArrayRef<double> coefficients) {
  Pair scaled = getScaledComplement(
      size, Parts(size, kFullErfcxOf4F32, kFullErfcxOf4F64), coefficients);
  return divide(scaled, addExactly(size, size.constant(1)));
}

Pair pyk::splitErfcx(Real size) { return getErfcx(size, kFullErfcxF64); }

/// erfcx(-x) is 2 exp(x^2) - erfcx(x).
static Real getErfcxOfAny(Real x, ArrayRef<double> coefficients) {
  Real size = x.abs();
  Pair pair = getErfcx(size, coefficients);
  Real result = pair.high + pair.low;
  // The first term of the asymptotic series: for infinity the ratio is NaN.
  constexpr double inverseRootOfPi = 0x1.20dd750429b6dp-1;
  result = select(size > 0x1p28, inverseRootOfPi / size, result);
  // Beyond the limit the power is infinite; what rounding takes is not.
  Real limited = limitAbove(size, 26.7);
  Real square = limited * limited;
  Scaled power = splitExp(square, fma(limited, limited, -square));
  Real lost = Scaled{power.lost, power.lost, power.exponent}.get(1);
  return select(x < 0.0, power.get(1) - (result - lost), result);
}

Real pyk::computeErfcx(Real x) {
  return x.isWide() ? getErfcxOfAny(x, kFullErfcxF64)
                    : getErfcxOfAny(x.toWide(), kFullErfcxF32).toNarrow();
}

/// normcdf(x) is erfc(-x / sqrt(2)) / 2. The quotient has two parts, of which
/// the low one is multiplied by the derivative.
static Real getNormcdf(Real x, ArrayRef<double> coefficients) {
  // Beyond the limit the result is 0 or 1.
  Real half = limitAbove(x.abs(), 40) * 0.5;
  Real size = half * kRootOfTwoF64[0];
  Real lost = fma(half, kRootOfTwoF64[0], -size);
  lost = fma(half, kRootOfTwoF64[1], lost);
  Pair factor = getErfcx(size, coefficients);
  constexpr double twoByRootOfPi = 0x1.20dd750429b6dp+0;
  factor.low = fma(lost, -twoByRootOfPi, factor.low);
  Real tail = multiplyByExp(size, factor).get(-1);
  return select(x > 0.0, 1.0 - tail, tail);
}

Real pyk::computeNormcdf(Real x) {
  return x.isWide() ? getNormcdf(x, kFullErfcxF64)
                    : getNormcdf(x.toWide(), kFullErfcxF32).toNarrow();
}
