// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Angles lose multiples of a right angle, which has three parts: what is left
// has all its bits, and a low part. That holds up to a limit; beyond it libm is
// called.

#include "Coefficients.h"
#include "Functions.h"

using namespace pyk;

namespace {

/// An angle as a number of right angles and what is left, high + low.
struct Reduced {
  Whole quadrant;
  Real high, low;
  Truth fails;
};

} // namespace

static Reduced reduce(Real x) {
  constexpr double perRightAngle = 0x1.45f306dc9c883p-1;
  // Where a number is so large that its last bit counts wholes, adding rounds.
  Real large = x.constant(0x1.8p23, 0x1.8p52);
  Real sum = fma(x, perRightAngle, large);
  Real n = sum - large;
  Parts rightAngle(x, kHalfPiF32, kHalfPiF64);
  // Exact, unlike the next: what that loses is known, whichever is larger.
  Real first = fma(-n, rightAngle[0], x);
  Real product = n * rightAngle[1];
  Real high = first - product;
  Real taken = first - high;
  Real low = (first - (high + taken)) + (taken - product);
  low = low - fma(n, rightAngle[1], -product);
  low = fma(-n, rightAngle[2], low);
  return {sum.asWhole(), high, low, !(x.abs() < x.constant(0x1p18, 0x1p30))};
}

static Real getSine(const Reduced &angle, Real square) {
  Real rest =
      fma(evaluate(square, kSinF32, kSinF64), square * angle.high, angle.low);
  return angle.high + rest;
}

static Real getCosine(const Reduced &angle, Real square) {
  Real half = square * 0.5;
  Real near = 1.0 - half;
  Real lost = (1.0 - near) - half;
  Real rest = fma(evaluate(square, kCosF32, kCosF64), square * square,
                  fma(-angle.low, angle.high, lost));
  return near + rest;
}

/// The sine of x and `quarters` right angles.
static Formula computeSine(Real x, int64_t quarters) {
  Reduced angle = reduce(x);
  Real square = angle.high * angle.high;
  Whole quadrant = angle.quadrant + quarters;
  Real result = select((quadrant & 1) == 0, getSine(angle, square),
                       getCosine(angle, square));
  result = select((quadrant & 2) == 0, result, -result);
  return {result, angle.fails};
}

Formula pyk::computeSin(Real x) {
  Formula sine = computeSine(x, 0);
  // 0 has a sign.
  sine.value = select(x == 0.0, x, sine.value);
  return sine;
}

Formula pyk::computeCos(Real x) { return computeSine(x, 1); }

Formula pyk::computeTan(Real x) {
  Reduced angle = reduce(x);
  Real r = angle.high, square = r * r;
  Real rest = fma(evaluate(square, kTanF32, kTanF64), square * r,
                  fma(angle.low, square, angle.low));
  Real tangent = r + rest;
  Real low = rest - (tangent - r);
  // -1 / (tangent + low)
  Real inverse = -1.0 / tangent;
  Real lost = fma(inverse, low, fma(inverse, tangent, 1.0));
  inverse = fma(inverse, lost, inverse);
  Real result = select((angle.quadrant & 1) == 0, tangent, inverse);
  return {select(x == 0.0, x, result), angle.fails};
}

/// The arc's tangent is `part` of `whole`, which is the larger one and no NaN;
/// neither is negative.
static Real computeArc(Real part, Real whole) {
  Truth isLarge = part + part > whole;
  // tan(a - b) where tan(b) is 1.
  Real ratio = select(isLarge, part - whole, part) /
               select(isLarge, part + whole, whole);
  Real square = ratio * ratio;
  Real low = evaluate(square, kAtanF32, kAtanF64) * (square * ratio);
  // An eighth of the circle, or nothing.
  Parts rightAngle(part, kHalfPiF32, kHalfPiF64);
  Real eighth = select(isLarge, rightAngle[0] * 0.5, 0.0);
  low = low + select(isLarge, rightAngle[1] * 0.5, 0.0);
  Real sum = eighth + ratio;
  low = low + (ratio - (sum - eighth));
  return sum + low;
}

/// Right angles, `quarters` of them, less `arc`.
static Real subtractFrom(double quarters, Real arc) {
  Parts rightAngle(arc, kHalfPiF32, kHalfPiF64);
  return (rightAngle[0] * quarters - arc) + rightAngle[1] * quarters;
}

Real pyk::computeAtan(Real x) {
  Real size = x.abs();
  Truth isSteep = size > 1.0;
  Real part = select(isSteep, 1.0, size), whole = select(isSteep, size, 1.0);
  Real arc = computeArc(part, whole);
  arc = select(isSteep, subtractFrom(1, arc), arc);
  return arc.withSignOf(x);
}

Real pyk::computeAtan2(Real y, Real x) {
  Real height = y.abs(), width = x.abs();
  Truth isSteep = height > width;
  Real part = select(isSteep, width, height);
  Real whole = select(isSteep, height, width);
  // Sums have to be finite, and those of infinities what ratios of 1 are.
  Truth isHuge = whole > whole.constant(0x1p126, 0x1p1022);
  part = select(isHuge, part * 0.25, part);
  whole = select(isHuge, whole * 0.25, whole);
  Truth isOne = part == whole;
  part = select(isOne, select(whole == 0.0, 0.0, whole.constant(1)), part);
  whole = select(isOne, 1.0, whole);
  Real arc = computeArc(part, whole);
  // From the nearer axis, up or down.
  Truth isLeft = x.asWhole() < 0;
  Parts rightAngle(arc, kHalfPiF32, kHalfPiF64);
  auto getAxis = [&](Real angle) {
    return select(isSteep, angle, select(isLeft, angle * 2.0, 0.0));
  };
  arc = select(isSteep != isLeft, -arc, arc);
  arc = (getAxis(rightAngle[0]) + arc) + getAxis(rightAngle[1]);
  arc = arc.withSignOf(y);
  return select(x.isNaN() || y.isNaN(), x + y, arc);
}

/// Up to here arcs are computed from their sines; there twice the arc of the
/// other half is below 1, where its bits are finer.
static constexpr double kLargeSine = 0.5625;

/// The arc's sine is no larger than that.
static Real getArcSine(Real sine, Real square) {
  return fma(evaluate(square, kAsinF32, kAsinF64), square * sine, sine);
}

Real pyk::computeAsin(Real x) {
  Real size = x.abs();
  Truth isLarge = size > kLargeSine;
  // A right angle less twice the arc of half of the rest.
  Real square = select(isLarge, (1.0 - size) * 0.5, size * size);
  Real sine = select(isLarge, square.sqrt(), size);
  Real arc = getArcSine(sine, square);
  arc = select(isLarge, subtractFrom(1, arc + arc), arc);
  return arc.withSignOf(x);
}

Real pyk::computeAcos(Real x) {
  Real size = x.abs();
  Truth isLarge = size > kLargeSine;
  Real square = select(isLarge, (1.0 - size) * 0.5, size * size);
  Real sine = select(isLarge, square.sqrt(), x);
  Real arc = getArcSine(sine, square);
  Real twice = arc + arc;
  Real far = select(x < 0.0, subtractFrom(2, twice), twice);
  return select(isLarge, far, subtractFrom(1, arc));
}
