// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A multiple of the logarithm of 2 is taken away first, so that a polynomial
// need hold between -1/2 and 1/2 of it alone. The power of 2 is multiplied in
// two halves: each has an exponent, and only the last product is rounded, also
// where the result has fewer bits than others.

#include "Coefficients.h"
#include "Functions.h"

using namespace pyk;

namespace {

/// A number as a whole one and the rest.
struct Rounded {
  Real nearest;
  Whole number;
};

} // namespace

/// The whole number nearest to x * y, which is below 2^21 or 2^50: where a
/// number is so large that its last bit counts wholes, adding rounds.
static Rounded roundProduct(Real x, Real y) {
  Real large = x.constant(0x1.8p23, 0x1.8p52);
  Real sum = fma(x, y, large);
  Whole number = sum.asWhole() - large.asWhole();
  return {sum - large, number};
}

/// 2^exponent of `like`'s type.
static Real makePower(Whole exponent, Real like) {
  return ((exponent + like.getBias()) << like.getFractionBits()).asReal();
}

Real Scaled::get(int64_t more) const {
  Whole all = more ? exponent + more : exponent;
  Whole half = all >> 1;
  return mantissa * makePower(half, mantissa) * makePower(all - half, mantissa);
}

/// 2^exponent (1 + rest).
static Scaled makeScaled(Real rest, Whole exponent) {
  Real mantissa = rest + 1.0;
  return {mantissa, rest - (mantissa - 1.0), exponent};
}

/// 2^exponent (1 + slope r + r^2 P(r)).
static Scaled makeScaled(Real r, const Parts &slope, Real rest,
                         Whole exponent) {
  Real product = r * slope[0];
  Real start = product + 1.0;
  Real low = fma(r, slope[0], -product) + (product - (start - 1.0));
  low = fma(rest, r * r, fma(r, slope[1], low));
  Real mantissa = start + low;
  return {mantissa, low - (mantissa - start), exponent};
}

/// What is beyond the results that there are.
static Real clamp(Real x, double narrowLow, double narrowHigh, double wideLow,
                  double wideHigh) {
  return limitBelow(limitAbove(x, x.isWide() ? wideHigh : narrowHigh),
                    x.isWide() ? wideLow : narrowLow);
}

static Real clampExp(Real x) { return clamp(x, -104, 90, -746, 711); }

/// x - number * (parts), where x is near to that.
static Real subtract(Real x, Real number, const Parts &parts) {
  return fma(-number, parts[1], fma(-number, parts[0], x));
}

Scaled pyk::splitExp(Real x, std::optional<Real> low) {
  Rounded n = roundProduct(x, Parts(x, kLog2EF32, kLog2EF64)[0]);
  Real r = subtract(x, n.nearest, Parts(x, kLn2F32, kLn2F64));
  if (low)
    r = r + *low;
  return makeScaled(fma(evaluate(r, kExpF32, kExpF64), r * r, r), n.number);
}

Scaled pyk::splitExp2(Real x, Real low) {
  Rounded n = roundProduct(x, x.constant(1));
  Real r = (x - n.nearest) + low;
  return makeScaled(r, Parts(x, kLn2F32, kLn2F64),
                    evaluate(r, kExp2F32, kExp2F64), n.number);
}

Real pyk::computeExp(Real x) { return splitExp(clampExp(x)).get(); }

Real pyk::computeExp2(Real x) {
  x = clamp(x, -151, 129, -1076, 1025);
  return splitExp2(x, x.constant(0)).get();
}

Real pyk::computeExp10(Real x) {
  x = clamp(x, -46, 39, -324, 309);
  constexpr double log2Of10 = 0x1.a934f0979a371p+1;
  Rounded n = roundProduct(x, x.constant(log2Of10));
  Real r = subtract(x, n.nearest, Parts(x, kLog10Of2F32, kLog10Of2F64));
  Parts slope(x, kLn10F32, kLn10F64);
  return makeScaled(r, slope, evaluate(r, kExp10F32, kExp10F64), n.number)
      .get();
}

/// Half of exp(x) - 1, for numbers that are no less than -40.
static Pair computeHalfExpm1(Real x) {
  Rounded n = roundProduct(x, Parts(x, kLog2EF32, kLog2EF64)[0]);
  Parts ln2(x, kLn2F32, kLn2F64);
  Real near = fma(-n.nearest, ln2[0], x);
  Real r = fma(-n.nearest, ln2[1], near);
  Real low = fma(-n.nearest, ln2[1], near - r);
  Real rest = fma(evaluate(r, kExpF32, kExpF64), r * r, low);
  Real half = makePower(n.number - 1, x);
  Real sum = fma(half, r, half - 0.5);
  Real high = fma(half, rest, sum);
  return {high, fma(half, rest, sum - high)};
}

Real pyk::computeExpm1(Real x) {
  Real half = computeHalfExpm1(clamp(x, -18, 89, -40, 710)).high;
  Real result = (half + half).withSignOf(x);
  // Half of the smallest numbers is not one.
  return select(x.abs() < x.constant(0x1p-40, 0x1p-70), x, result);
}

Real pyk::computeTanh(Real x) {
  // Beyond that the result is 1.
  Pair half = computeHalfExpm1(limitAbove(x.abs() * 2.0, x.isWide() ? 40 : 20));
  Real divisor = half.high + 1.0;
  Real quotient = half.high / divisor;
  // What is missing, divided by the divisor; little where that is large.
  Real lost = half.high - (divisor - 1.0);
  Real missing = fma(-quotient, divisor, half.high) + half.low;
  missing = fma(-quotient, lost + half.low, missing);
  Real inverse = select(half.high < 1.0, 1.0 - quotient, 0.0);
  return fma(missing, inverse, quotient).withSignOf(x);
}

Real pyk::computeSinh(Real x) {
  Real size = x.abs(), square = x * x;
  Real near = fma(evaluate(square, kSinhF32, kSinhF64), square * x, x);
  Real power = splitExp(clampExp(size)).get(-1);
  Real far = power - 0.25 / power;
  return select(size < 1.0, near, far.withSignOf(x));
}

Real pyk::computeCosh(Real x) {
  Real power = splitExp(clampExp(x.abs())).get(-1);
  return power + 0.25 / power;
}
