// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exponent's part of a logarithm is exact, or has a low part of its own;
// the fraction's is a polynomial without a constant, so that logarithms of
// numbers near 1 have all their bits.

#include "Coefficients.h"
#include "Functions.h"
#include "Pairs.h"

#include <limits>

using namespace pyk;

/// The root of 1/2, from which on fractions are taken.
static Whole getRootOfHalf(Real like) {
  return like.constant(0x1.6a09e6p-1, 0x1.6a09e667f3bcdp-1).asWhole();
}

Split pyk::split(Real x) {
  // Numbers with fewer bits than others become some.
  Truth isTiny = x < x.constant(0x1p-126, 0x1p-1022);
  Real scale = x.constant(0x1p24, 0x1p54);
  Whole bits = select(isTiny, x * scale, x).asWhole();
  Whole root = getRootOfHalf(x);
  Whole exponent = (bits - root) >> x.getFractionBits();
  Real mantissa = (bits - (exponent << x.getFractionBits())).asReal();
  exponent = select(isTiny, exponent - (x.isWide() ? 54 : 24), exponent);
  return {exponent, mantissa - 1.0};
}

/// `result`, which holds of numbers above 0, and C's results of all others.
static Real withSpecialValues(Real x, Real result) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  result = select(x < infinity, result, x);
  result = select(x == 0.0, -infinity, result);
  return select(x < 0.0, std::numeric_limits<double>::quiet_NaN(), result);
}

/// k log(2) + log(1 + f) to a base: `first` is the logarithm of e, `ofTwo` that
/// of 2, and the polynomial what follows f.
static Pair computeLogarithm(Split number, Parts first, Parts ofTwo,
                             llvm::ArrayRef<double> narrow,
                             llvm::ArrayRef<double> wide) {
  Real f = number.fraction, k = number.exponent.toReal();
  Real low = evaluate(f, narrow, wide) * (f * f);
  low = fma(f, first[1], low);
  low = fma(k, ofTwo[1], low);
  // What rounding takes from products and their sum is added to the low part.
  Real high = k * ofTwo[0], product = f * first[0];
  low = low + fma(k, ofTwo[0], -high);
  low = low + fma(f, first[0], -product);
  Real sum = high + product;
  low = low + ((high - sum) + product);
  return {sum, low};
}

static constexpr double kOne[] = {1, 0};

static Pair computeNaturalLog(Split number) {
  Real f = number.fraction;
  return computeLogarithm(number, Parts(f, kOne, kOne),
                          Parts(f, kLn2F32, kLn2F64), kLogF32, kLogF64);
}

Pair pyk::computeLogPair(Real x) {
  return normalize(computeNaturalLog(split(x)));
}

static Real getSum(Pair x) { return x.high + x.low; }

Real pyk::computeLog(Real x) {
  return withSpecialValues(x, getSum(computeNaturalLog(split(x))));
}

Real pyk::computeLog2(Real x) {
  Split number = split(x);
  Parts first(x, kLog2EF32, kLog2EF64), ofTwo(x, kOne, kOne);
  return withSpecialValues(
      x, getSum(computeLogarithm(number, first, ofTwo, kLog2F32, kLog2F64)));
}

Real pyk::computeLog10(Real x) {
  Split number = split(x);
  Parts first(x, kLog10EF32, kLog10EF64);
  Parts ofTwo(x, kLog10Of2F32, kLog10Of2F64);
  return withSpecialValues(
      x, getSum(computeLogarithm(number, first, ofTwo, kLog10F32, kLog10F64)));
}

/// log(1 + x), where the low part counts as a derivative does.
static Real computeLog1pOf(Pair pair) {
  Real x = pair.high;
  Real sum = x + 1.0;
  // What the sum has lost.
  Real lost = select(x > 1.0, 1.0 - (sum - x), x - (sum - 1.0)) + pair.low;
  Split number = split(sum);
  // Of large numbers nothing is lost.
  Whole most = number.exponent.constant(64);
  Whole exponent = select(number.exponent < 64, number.exponent, most);
  Whole bits = exponent.constant(x.getBias()) - exponent;
  Real power = (bits << x.getFractionBits()).asReal();
  Real fraction = number.fraction;
  number.fraction = fma(lost, power, fraction);
  // The derivative is 1 / (1 + f), about.
  Real low = fma(lost, power, fraction - number.fraction);
  Real result = getSum(computeNaturalLog(number));
  result = fma(low, 1.0 - number.fraction, result);
  return withSpecialValues(sum, result).withSignOf(x);
}

Real pyk::computeLog1p(Real x) { return computeLog1pOf({x, x.constant(0)}); }

//===----------------------------------------------------------------------===//
// Inverse hyperbolic functions
//===----------------------------------------------------------------------===//

/// The root of 2 x + x^2, in two parts.
static Pair computeRootOfSquare(Real x) {
  Real square = x * x;
  Pair sum = addExactly(x + x, square);
  Real root = sum.high.sqrt();
  Real lost = fma(-root, root, sum.high) + (sum.low + fma(x, x, -square));
  return {root, select(root > 0.0, lost / (root + root), 0.0)};
}

/// log(x + root), where `before` is x - 1 and `sum` the argument less 1; of
/// large numbers, where the root is nearly x, log(x) + log(2).
static Real computeLogOfSum(Real x, Real before, Pair sum) {
  Truth isLarge = x > x.constant(0x1p14, 0x1p28);
  Real log = computeLog1pOf(
      {select(isLarge, before, sum.high), select(isLarge, 0.0, sum.low)});
  return select(isLarge, log + Parts(x, kLn2F32, kLn2F64)[0], log);
}

Real pyk::computeAcosh(Real x) {
  Real before = x - 1.0;
  Pair root = computeRootOfSquare(before);
  Pair sum = addExactly(before, root.high);
  sum.low = sum.low + root.low;
  return select(x < 1.0, std::numeric_limits<double>::quiet_NaN(),
                computeLogOfSum(x, before, sum));
}

Real pyk::computeAsinh(Real x) {
  Real size = x.abs(), square = size * size;
  // The root of 1 + x^2 less 1 is x^2 / (1 + root).
  Real root = square / ((square + 1.0).sqrt() + 1.0);
  return computeLogOfSum(size, size - 1.0, addExactly(size, root))
      .withSignOf(x);
}

Real pyk::computeAtanh(Real x) {
  // Half of log((1 + x) / (1 - x)).
  Real size = x.abs(), twice = size + size, divisor = 1.0 - size;
  Real quotient = twice / divisor;
  Real lost = (1.0 - divisor) - size;
  Real rest = fma(-quotient, lost, fma(-quotient, divisor, twice));
  Real low = select(size < 1.0, rest / divisor, 0.0);
  Real result = computeLog1pOf({quotient, low}) * 0.5;
  return select(size > 1.0, std::numeric_limits<double>::quiet_NaN(), result)
      .withSignOf(x);
}
