// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roots by Newton's method, and powers as exp2(y log2(x)): of float32 in
// float64, of float64 in numbers of two parts, because an error of the
// logarithm counts as often as the result's exponent says.

#include "Coefficients.h"
#include "Functions.h"
#include "Pairs.h"

#include <limits>

using namespace pyk;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Real pyk::computeRsqrt(Real x) { return 1.0 / x.sqrt(); }

Real pyk::computeHypot(Real x, Real y) {
  Real width = x.abs(), height = y.abs();
  Real result = x;
  if (x.isWide()) {
    // Squares have to be finite, and some numbers.
    Truth isSteep = height > width;
    Real larger = select(isSteep, height, width);
    Real smaller = select(isSteep, width, height);
    Truth isHuge = larger > 0x1p500, isTiny = larger < 0x1p-400;
    Real scale =
        select(isHuge, 0x1p-600, select(isTiny, 0x1p600, larger.constant(1)));
    Real inverse =
        select(isHuge, 0x1p600, select(isTiny, 0x1p-600, larger.constant(1)));
    larger = larger * scale;
    smaller = smaller * scale;
    result = fma(larger, larger, smaller * smaller).sqrt() * inverse;
  } else {
    Real wide = x.toWide(), other = y.toWide();
    result = fma(wide, wide, other * other).sqrt().toNarrow();
  }
  return select(width == kInfinity || height == kInfinity, kInfinity, result);
}

//===----------------------------------------------------------------------===//
// Cube roots
//===----------------------------------------------------------------------===//

/// About x^(-1/3), whose cube is a tenth off at most: minus a third of the
/// bits, which are nearly the logarithm.
static Real guessInverseCubeRoot(Real x) {
  Whole bits = x.asWhole();
  Real real = bits.toReal() * (1.0 / 3);
  Whole third = {x.b, x.b->CreateFPToSI(real.value, bits.value->getType())};
  Whole start = third.constant(x.isWide() ? 0x553ee8b400000000 : 0x54a1f04a);
  return (start - third).asReal();
}

Real pyk::computeCbrt(Real x) {
  Real size = x.abs();
  // Numbers with fewer bits than others become some.
  Truth isTiny = size < size.constant(0x1p-126, 0x1p-1022);
  Real number = select(isTiny, size * size.constant(0x1p24, 0x1p54), size);
  Real inverse = guessInverseCubeRoot(number);
  for (int step = 0; step < 2; ++step) {
    // (1 - h)^(-1/3)
    Real h = fma(number * inverse, -(inverse * inverse), 1.0);
    Real series = fma(h, h.constant(14.0 / 81), 2.0 / 9);
    series = fma(series, h, 1.0 / 3);
    inverse = fma(inverse * h, series, inverse);
  }
  Real square = inverse * inverse;
  Real root = number * square;
  // What is missing of the cube, exactly.
  Real power = root * root;
  Real lost = fma(root, root, -power);
  Real missing = fma(-lost, root, fma(-power, root, number));
  root = fma(missing * (1.0 / 3), square, root);
  root = select(isTiny, root * root.constant(0x1p-8, 0x1p-18), root);
  // 0, infinity and NaN are their own roots.
  Truth isOrdinary = size > 0.0 && size < size.constant(kInfinity);
  return select(isOrdinary, root.withSignOf(x), x);
}

/// 1 / cbrt(x), and one step of Newton's method, whose error is computed
/// exactly.
static Real computeWideRcbrt(Real x) {
  Real inverse = 1.0 / computeCbrt(x);
  Real square = inverse * inverse;
  Real squareLost = fma(inverse, inverse, -square);
  Real product = x * inverse;
  Real productLost = fma(x, inverse, -product);
  Real missing = fma(-product, square, 1.0) -
                 fma(product, squareLost, productLost * square);
  Real result = fma(inverse * (1.0 / 3), missing, inverse);
  Real size = x.abs();
  Truth isOrdinary = size > 0.0 && size < size.constant(kInfinity);
  return select(isOrdinary, result, inverse);
}

Real pyk::computeRcbrt(Real x) {
  return x.isWide() ? computeWideRcbrt(x)
                    : (1.0 / computeCbrt(x.toWide())).toNarrow();
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// log(1 + f) is 2 atanh(s) with s = f / (2 + f), which is below 0.18: only the
/// first two terms of its series are large enough to need two parts.
Pair pyk::computeLog2Pair(Real x) {
  Split number = split(x);
  Real f = number.fraction;
  Pair divisor = add(f.constant(2), f, f.constant(0));
  Real inverse = 1.0 / divisor.high;
  Real quotient = f * inverse;
  Real rest = fma(-quotient, divisor.high, f);
  Pair s = {quotient, inverse * fma(-quotient, divisor.low, rest)};
  Pair square = multiply(s, s);
  Pair cube = multiply(square, s);
  Pair twoThirds = {f.constant(kTwoThirdsF64[0]), f.constant(kTwoThirdsF64[1])};
  Pair second = multiply(cube, twoThirds);
  Real tail = evaluate(square.high, kPowAtanhF64) * (square.high * cube.high);
  Pair log = add(s.high * 2.0, second.high,
                 fma(s.low, s.low.constant(2), second.low + tail));
  Pair log2E = {f.constant(kLog2EF64[0]), f.constant(kLog2EF64[1])};
  Pair scaled = multiply(normalize(log), log2E);
  return normalize(add(number.exponent.toReal(), scaled.high, scaled.low));
}

/// A number that only makes powers overflow where larger ones would.
static Real clampExponent(Real y) {
  return limitBelow(limitAbove(y, 0x1p65), -0x1p65);
}

/// x^y of finite numbers above 0, of float64.
static Real computeWidePower(Real x, Real y) {
  Pair log = computeLog2Pair(x);
  y = clampExponent(y);
  Real product = y * log.high;
  Real low = fma(y, log.low, fma(y, log.high, -product));
  Real limited = limitBelow(limitAbove(product, 1025), -1076);
  low = select(limited == product, low, 0.0);
  return splitExp2(limited, low).get();
}

/// x^y of finite numbers above 0, of float32.
static Real computeNarrowPower(Real x, Real y) {
  Split number = split(x.toWide());
  Real f = number.fraction;
  Real log = fma(evaluate(f, kPowLog2F32), f, number.exponent.toReal());
  Real product = clampExponent(y).toWide() * log;
  product = limitBelow(limitAbove(product, 130), -160);
  // The nearest whole number, and what is left.
  Real large = product.constant(0x1.8p52);
  Real sum = product + large;
  Real power = evaluate(product - (sum - large), kPowExp2F32);
  // The exponent, whose bits are the last of the sum.
  Whole exponent = sum.asWhole() << power.getFractionBits();
  return (power.asWhole() + exponent).asReal().toNarrow();
}

Real pyk::computePow(Real x, Real y) {
  Real size = x.abs();
  Real result =
      x.isWide() ? computeWidePower(size, y) : computeNarrowPower(size, y);
  // 0 and infinity, with any exponent but 0.
  Truth isZero = size == 0.0;
  Real extreme = select(isZero, -y, y);
  extreme = select(extreme > 0.0, kInfinity, select(extreme < 0.0, 0.0, y));
  result = select(isZero || size == kInfinity, extreme, result);
  // Negative numbers, with whole exponents.
  Truth isWhole = y.trunc() == y;
  Real half = y * 0.5;
  Truth isOdd = isWhole && !(half.trunc() == half);
  result = select(x.asWhole() < 0 && isOdd, -result, result);
  Truth isUndefined = x < 0.0 && size < kInfinity && !isWhole;
  result =
      select(isUndefined, std::numeric_limits<double>::quiet_NaN(), result);
  result = select(x.isNaN() || y.isNaN(), x + y, result);
  return select(x == 1.0 || y == 0.0, 1.0, result);
}

Real pyk::computePowi(Real x, Real exponent) {
  // float32 has not all exponents.
  Real wide = x.isWide() ? x : x.toWide();
  llvm::Value *real = x.b->CreateSIToFP(exponent.value, wide.value->getType());
  Real result = computePow(wide, {x.b, real});
  return x.isWide() ? result : result.toNarrow();
}
