// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gamma function and the logarithm of its absolute value. Both compute in
// float64; float32 is rounded from that. From 8 on Stirling's series gives
//
//   log(gamma(x)) = (x - 1/2) log(x) - x + log(2 pi) / 2 + P(1 / x^2) / x
//
// tgamma evaluates it at x + 8, in numbers of two parts, and divides by the
// factors x (x + 1) ... (x + 7) of the recurrence gamma(x + 1) = x gamma(x).
// lgamma has zeros at 1 and 2, where its error must be relative: below 8 it
// adds a polynomial around 2 and the logarithm of the recurrence's factors.
// Negative arguments are reflected, by a formula that never rounds 1 - x:
//
//   gamma(-x) gamma(x) = -pi / (x sin(pi x))

#include "Coefficients.h"
#include "Functions.h"
#include "Pairs.h"

#include <limits>

using namespace pyk;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The polynomial of Stirling's series holds from here on.
static constexpr double kStirlingStart = 8;

/// For |x| below this, gamma(x) is 1 / x to all bits.
static constexpr double kTiny = 0x1p-60;

/// P(1 / x^2) / x, given 1 / x.
static Real getStirlingRest(Real inverse) {
  return evaluate(inverse * inverse, kStirlingF64) * inverse;
}

/// A constant of two parts, of the type of `like`.
static Pair getPair(Real like, const double (&parts)[2]) {
  return {like.constant(parts[0]), like.constant(parts[1])};
}

//===----------------------------------------------------------------------===//
// The gamma function
//===----------------------------------------------------------------------===//

/// gamma(x) as 2 to the power of Stirling's series, for x from 8 to 208.
static Scaled computeStirlingGamma(Pair x) {
  Pair log2E = getPair(x.high, kLog2EF64);
  Pair start = getPair(x.high, kStirling0F64);
  Real inverse = 1.0 / x.high;
  Pair log = computeLog2Pair(x.high);
  log = add(log.high, -log2E.high, log.low - log2E.low);
  Pair product = multiply(add(x.high, x.high.constant(-0.5), x.low), log);
  // `product` multiplies the low part by the logarithm; the logarithm changes
  // with it, too: by 1 / x, times x - 1/2.
  Real factor = fma(inverse, inverse.constant(-0.5), 1.0);
  Real low = fma(x.low * log2E.high, factor, product.low);
  low = fma(getStirlingRest(inverse), log2E.high, low + start.low);
  Pair power = normalize(add(product.high, start.high, low));
  return splitExp2(power.high, power.low);
}

/// (x + 1) (x + 2) ... (x + 7), given x and x + 7.
static Pair multiplyFactors(Real x, Pair seventh) {
  // (x + i) (x + 7 - i) is x (x + 7) + i (7 - i).
  Pair square = multiply(x, seventh);
  Pair first = addExactly(square.high, x.constant(6));
  first.low = first.low + square.low;
  Pair second = add(first.high, x.constant(4), first.low);
  Pair third = add(second.high, x.constant(2), second.low);
  return multiply(multiply(seventh, first), multiply(second, third));
}

static Pair select(Truth condition, Pair yes, Pair no) {
  return {select(condition, yes.high, no.high),
          select(condition, yes.low, no.low)};
}

static Real computeWideGamma(Real x) {
  // Results for larger sizes are infinite or 0, like those for 200.
  Real size = limitAbove(x.abs(), 200);
  Pair seventh = addExactly(size, size.constant(7));
  Pair factors = multiplyFactors(size, seventh);
  Scaled power =
      computeStirlingGamma(add(seventh.high, size.constant(1), seventh.low));
  Pair mantissa = {power.mantissa, power.lost};
  // power / (x factors) or, reflected, pi factors / (sin(pi x) power), which is
  // NaN at the poles, where the sine is 0, and at -infinity.
  Truth isNegative = x < 0.0;
  Parts rightAngle(x, kHalfPiF64, kHalfPiF64);
  Pair pi = {rightAngle[0] * 2.0, rightAngle[1] * 2.0};
  Pair dividend = select(isNegative, multiply(pi, factors), mantissa);
  Pair divisor = multiply(select(isNegative, computeSinpi(x), size),
                          select(isNegative, mantissa, factors));
  Whole exponent = power.exponent;
  Whole opposite = exponent.constant(0) - exponent;
  Pair quotient = divide(dividend, divisor);
  Scaled result = {quotient.high + quotient.low, x.constant(0),
                   select(isNegative, opposite, exponent)};
  return select(x.abs() < kTiny, 1.0 / x, result.get());
}

Real pyk::computeTgamma(Real x) {
  return x.isWide() ? computeWideGamma(x)
                    : computeWideGamma(x.toWide()).toNarrow();
}

//===----------------------------------------------------------------------===//
// Its logarithm
//===----------------------------------------------------------------------===//

/// The polynomial for log(gamma(2 + d)) holds for d from -1 to kSplit. It is
/// the whole result from 1 + kSplit to 2 + kSplit. Below, log(x) is subtracted:
/// at the zero at 1 both are multiples of d, so that the error stays relative.
static constexpr double kSplit = 0.3125;

/// log(gamma(2 + d)) for d from -1 to kSplit.
static Pair getLogGammaNear2(Real d) {
  Pair first = getPair(d, kLogGamma1F64), second = getPair(d, kLogGamma2F64);
  Real rest = fma(evaluate(d, kLogGammaF64), d * d, first.low);
  Pair product = multiply(d, second);
  return multiply(d, add(first.high, product.high, product.low + rest));
}

/// log(gamma(x)) for x above 0, infinity included.
static Pair getLogGamma(Real x) {
  Truth isFar = !(x < kStirlingStart), isSmall = x < 1 + kSplit;
  // With x = 2 + d + n, gamma(x) is gamma(2 + d) (x - 1) ... (x - n), or
  // gamma(2 + d) / x where n is -1. From 1/2 on d is exact.
  Real d = (x - 1.0) - (x - kSplit).trunc();
  Real product = select(isSmall, x, 1.0);
  for (int i = 1; i + 1 + kSplit < kStirlingStart; ++i)
    product = product * select(x < i + 1 + kSplit, 1.0, x - i);
  Pair log = computeLogPair(select(isFar, x, product));
  Pair near = getLogGammaNear2(d);
  near = add(select(isSmall, -log.high, log.high), near.high,
             select(isSmall, near.low - log.low, near.low + log.low));
  // Stirling's series as x (log(x) - 1) - log(x) / 2 + ...
  Real less = log.high - 1.0, high = x * less;
  Real rest = fma(log.high, -0.5, getStirlingRest(1.0 / x) + kHalfLog2PiF64[0]);
  Real low = fma(x, log.low, fma(x, less, -high)) + rest;
  Pair far = {high, select(high < kInfinity, low, 0.0)};
  return select(isFar, far, near);
}

static Real computeWideLogGamma(Real x) {
  Real size = x.abs(), sine = computeSinpi(size);
  Pair log = getLogGamma(size);
  // log(pi) - log(x sin(pi x)) - log(gamma(x)), for the size of x.
  Pair logPi = getPair(x, kLogPiF64);
  Pair other = computeLogPair(size * sine.abs());
  Pair sum = addExactly(logPi.high, -other.high);
  Pair reflected = addExactly(sum.high, -log.high);
  Real low = (logPi.low - other.low) + (sum.low - log.low) + reflected.low;
  // Below kTiny the sign makes no difference.
  Truth isReflected = x < -kTiny && size < kInfinity;
  Real result = select(isReflected, reflected.high + low, log.high + log.low);
  // The poles: 0 and negative whole numbers.
  return select(sine == 0.0 && x < kTiny, kInfinity, result);
}

Real pyk::computeLgamma(Real x) {
  return x.isWide() ? computeWideLogGamma(x)
                    : computeWideLogGamma(x.toWide()).toNarrow();
}
