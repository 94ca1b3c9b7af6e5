// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions of orders 0 and 1. Below 4.75 they are polynomials that have
// the zeros as factors; Y is 2 / pi log(x) J(x) plus such a polynomial. From
// 4.75 on, J + i Y is an amplitude times exp(i angle): the amplitude times
// sqrt(x), and the angle less x times x, are polynomials in 1 / x^2 (Hankel's
// expansions; Harrison, "Fast and accurate Bessel function computation", 2009).
// Zeros and reduced angles have two parts, so relative errors stay small near
// zeros below 4.75, and absolute errors are below 1e-17 near the others.
// float32 is computed in float64.

#include "Coefficients.h"
#include "Functions.h"

#include <limits>

using namespace pyk;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double kTwoByPi = 0x1.45f306dc9c883p-1;

/// From here on functions are computed from an amplitude and an angle.
static constexpr double kFar = 4.75;
/// About the middle of the squares up to kFar^2: terms of polynomials about it
/// are smaller than about 0, and so are rounding errors.
static constexpr double kCentre = 13;

//===----------------------------------------------------------------------===//
// Near 0
//===----------------------------------------------------------------------===//

/// x^2 less the square of a zero, which has two parts.
static Real subtractSquare(Real x, llvm::ArrayRef<double> square) {
  return fma(x, x, -square[0]) - square[1];
}

/// J0 of a number from 0 to kFar.
static Real getNearJ0(Real x) {
  Real square = x * x;
  Real start = fma(evaluate(square, kBesselJ0StartF64), square, 1.0);
  Real y = subtractSquare(x, kBesselJ0SquareF64);
  Real factor = y * fma(-x, x, kBesselJ0OtherF64[0]);
  return select(x < 1.0, start,
                factor * evaluate(square - kCentre, kBesselJ0F64));
}

/// J1 of a number from 0 to kFar.
static Real getNearJ1(Real x) {
  Real square = x * x;
  Real start = x * fma(evaluate(square, kBesselJ1StartF64), square, 0.5);
  Real y = subtractSquare(x, kBesselJ1SquareF64);
  return select(x < 2.0, start, (x * y) * evaluate(y, kBesselJ1F64));
}

/// log(x / zero), where `zero` has two parts and `log` is its logarithm.
static Real getLogOfRatio(Real x, llvm::ArrayRef<double> zero, double log) {
  double inverse = 1 / zero[0];
  // The quotient's rounding error only matters near the zero, where the
  // derivative of the logarithm, 1 / ratio, is about 2 - ratio.
  Real ratio = x * inverse;
  Real rest = fma(-ratio, zero[0], x) - ratio * zero[1];
  Real lost = (rest * inverse) * (2.0 - ratio);
  // The quotient may be subnormal where x is small.
  Truth isSmall = x < zero[0] * 0.5;
  return computeLog(select(isSmall, x, ratio)) + select(isSmall, -log, lost);
}

/// Y0 of a number from 0 to kFar; NaN for negative numbers.
static Real getNearY0(Real x) {
  Real log = getLogOfRatio(x, kBesselY0ZeroF64, kBesselLogOfY0ZeroF64[0]);
  Real y = subtractSquare(x, kBesselY0SquareF64);
  Real start =
      fma(y, evaluate(y, kBesselY0F64), (log * kTwoByPi) * getNearJ0(x));
  Real r = (x - kBesselY0SecondZeroF64[0]) - kBesselY0SecondZeroF64[1];
  return select(x > 2.4, r * evaluate(r, kBesselY0SecondF64), start);
}

/// Y1 of a number from 0 to kFar; NaN for negative numbers.
static Real getNearY1(Real x) {
  Real log = getLogOfRatio(x, kBesselY1ZeroF64, kBesselLogOfY1ZeroF64[0]);
  Real y = subtractSquare(x, kBesselY1SquareF64);
  Real rest = evaluate(x * x - kCentre, kBesselY1F64) *
              fma(-x, x, kBesselY1OtherF64[0]);
  // 2 / pi (x / zero^2 - 1 / x) + x y rest
  constexpr double zero = kBesselY1ZeroF64[0];
  Real sum = fma(rest, x, (kTwoByPi / (zero * zero)) / x);
  Real result = fma(y, sum, (log * kTwoByPi) * getNearJ1(x));
  return select(x == 0.0, -kInfinity, result);
}

//===----------------------------------------------------------------------===//
// Far from 0
//===----------------------------------------------------------------------===//

/// `angle` less half a right angle plus `phase`. The result is between -1/2 and
/// 1/2 of a right angle again: if angle + phase is negative, it is relative to
/// the previous quadrant.
static Reduced turn(const Reduced &angle, Real phase) {
  Truth isUpper = angle.high + phase > 0.0;
  auto getShift = [&](double rightAngle) {
    return select(isUpper, rightAngle * -0.5, phase.constant(rightAngle * 0.5));
  };
  Real half = getShift(kHalfPiF64[0]), rest = getShift(kHalfPiF64[1]);
  Real difference = half + angle.high;
  Real low = (angle.low + rest) + (angle.high - (difference - half));
  Real high = difference + phase;
  low = low + (phase - (high - difference));
  Whole before = angle.quadrant - 1;
  return {select(isUpper, angle.quadrant, before), high, low};
}

/// The amplitude at x times the sine of x - pi/4 + phase plus `quarters` right
/// angles, where `angle` is x, reduced.
static Real getFar(Real x, const Reduced &angle, int64_t quarters,
                   llvm::ArrayRef<double> amplitude,
                   llvm::ArrayRef<double> phase) {
  Real inverse = 1.0 / x;
  Real square = inverse * inverse;
  Reduced turned = turn(angle, evaluate(square, phase) * inverse);
  Real factor = evaluate(square, amplitude) / x.sqrt();
  return factor * computeSine(turned, quarters);
}

/// J0 where `quarters` is 1, Y0 where it is 0.
static Real getFar0(Real x, const Reduced &angle, int64_t quarters) {
  return getFar(x, angle, quarters, kBesselAmplitude0F64, kBesselPhase0F64);
}

/// J1 where `quarters` is 1, Y1 where it is 0: their angle is a right angle
/// less than that of order 0.
static Real getFar1(Real x, const Reduced &angle, int64_t quarters) {
  return getFar(x, angle, quarters - 1, kBesselAmplitude1F64, kBesselPhase1F64);
}

/// 0 for infinity, where all these functions tend to 0, else `result`.
static Real selectFinite(Real x, Real result) {
  return select(x == kInfinity, 0.0, result);
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

/// Rounds the result of a formula to float32.
static Formula narrow(const Formula &formula) {
  return {formula.value.toNarrow(), *formula.fails};
}

Formula pyk::computeJ0(Real x) {
  if (!x.isWide())
    return narrow(computeJ0(x.toWide()));
  Real size = x.abs();
  Real far = getFar0(size, reduceAngle(size), 1);
  return {select(size < kFar, getNearJ0(size), far), isLargeAngle(size)};
}

Real pyk::computeLargeJ0(Real x) {
  if (!x.isWide())
    return computeLargeJ0(x.toWide()).toNarrow();
  Real size = x.abs();
  return selectFinite(size, getFar0(size, reduceLargeAngle(size), 1));
}

/// An odd function of x, whose value for |x| is `result`.
static Real withSign(Real x, Real result) {
  return select(x.asWhole() < 0, -result, result);
}

Formula pyk::computeJ1(Real x) {
  if (!x.isWide())
    return narrow(computeJ1(x.toWide()));
  Real size = x.abs();
  Real far = getFar1(size, reduceAngle(size), 1);
  return {withSign(x, select(size < kFar, getNearJ1(size), far)),
          isLargeAngle(size)};
}

Real pyk::computeLargeJ1(Real x) {
  if (!x.isWide())
    return computeLargeJ1(x.toWide()).toNarrow();
  Real size = x.abs();
  Real result = getFar1(size, reduceLargeAngle(size), 1);
  return withSign(x, selectFinite(size, result));
}

Formula pyk::computeY0(Real x) {
  if (!x.isWide())
    return narrow(computeY0(x.toWide()));
  Real far = getFar0(x, reduceAngle(x), 0);
  return {select(x < kFar, getNearY0(x), far), isLargeAngle(x)};
}

Real pyk::computeLargeY0(Real x) {
  if (!x.isWide())
    return computeLargeY0(x.toWide()).toNarrow();
  Real result = selectFinite(x, getFar0(x, reduceLargeAngle(x), 0));
  return select(x < 0.0, kNaN, result);
}

Formula pyk::computeY1(Real x) {
  if (!x.isWide())
    return narrow(computeY1(x.toWide()));
  Real far = getFar1(x, reduceAngle(x), 0);
  return {select(x < kFar, getNearY1(x), far), isLargeAngle(x)};
}

Real pyk::computeLargeY1(Real x) {
  if (!x.isWide())
    return computeLargeY1(x.toWide()).toNarrow();
  Real result = selectFinite(x, getFar1(x, reduceLargeAngle(x), 0));
  return select(x < 0.0, kNaN, result);
}
