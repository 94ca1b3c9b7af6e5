// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Angles lose multiples of a right angle: what is left has all its bits, and a
// low part. Up to a limit a right angle of three parts is enough. Beyond it the
// angle is multiplied by those bits of 2 / pi that count (Payne and Hanek).

#include "Coefficients.h"
#include "Functions.h"
#include "llvm/IR/Module.h"

#include <limits>

using namespace llvm;
using namespace pyk;

Truth pyk::isLargeAngle(Real x) {
  return !(x.abs() < x.constant(0x1p18, 0x1p30));
}

Reduced pyk::reduceAngle(Real x) {
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
  return {sum.asWhole(), high, low};
}

/// Three words of 2 / pi, the highest first, whose bits begin with that of
/// 2^(63 - place).
static std::array<Value *, 3> loadTwoOverPi(IRBuilderBase &b, Value *place) {
  constexpr StringLiteral name = "pyk_two_over_pi";
  constexpr uint64_t words = std::size(kTwoOverPi);
  Module &module = *b.GetInsertBlock()->getModule();
  GlobalVariable *table = module.getNamedGlobal(name);
  if (!table) {
    Constant *bits =
        ConstantDataArray::get(module.getContext(), ArrayRef(kTwoOverPi));
    table = new GlobalVariable(
        module, bits->getType(), /*isConstant=*/true,
        GlobalValue::InternalLinkage, bits, name, /*InsertBefore=*/nullptr,
        GlobalValue::NotThreadLocal,
        /*AddressSpace=*/module.getTargetTriple().isNVPTX() ? 1 : 0);
  }
  // Within the table for any place: inactive lanes may have any.
  Value *first = b.CreateBinaryIntrinsic(
      Intrinsic::umin, b.CreateLShr(place, 6), b.getInt64(words - 4));
  Value *loaded[4];
  for (uint64_t i = 0; i < 4; ++i)
    loaded[i] = b.CreateLoad(
        b.getInt64Ty(), b.CreateInBoundsGEP(b.getInt64Ty(), table,
                                            b.CreateAdd(first, b.getInt64(i))));
  std::array<Value *, 3> result;
  for (size_t i = 0; i < 3; ++i)
    result[i] =
        b.CreateIntrinsic(Intrinsic::fshl, {b.getInt64Ty()},
                          {loaded[i], loaded[i + 1], b.CreateAnd(place, 63)});
  return result;
}

/// Reduces a large scalar. Of x * 2 / pi, which is a
/// whole number of 53 bits times 192 bits, the upper two bits are the quadrant,
/// and 128 of the others are enough: no number is nearer than 2^-62 to a
/// multiple of a right angle.
Reduced pyk::reduceLargeAngle(Real x) {
  IRBuilderBase &b = *x.b;
  Type *word = b.getInt64Ty(), *pair = b.getInt128Ty();
  auto shiftLeft = [&](Value *high, Value *low, Value *bits) {
    return b.CreateIntrinsic(Intrinsic::fshl, {word}, {high, low, bits});
  };
  auto multiply = [&](Value *a, Value *other) {
    return b.CreateMul(b.CreateZExt(a, pair), b.CreateZExt(other, pair));
  };
  auto getHigh = [&](Value *product) {
    return b.CreateTrunc(b.CreateLShr(product, 64), word);
  };
  Real wide = x.isWide() ? x : x.toWide();
  Value *bits = wide.asWhole().value;
  Value *exponent = b.CreateAnd(b.CreateLShr(bits, 52), 0x7ff);
  Value *mantissa =
      b.CreateOr(b.CreateAnd(bits, (uint64_t(1) << 52) - 1), uint64_t(1) << 52);
  auto factor = loadTwoOverPi(b, b.CreateSub(exponent, b.getInt64(1013)));
  // The product's lower 192 bits, in three words.
  Value *lower = multiply(mantissa, factor[2]);
  Value *middle = b.CreateAdd(multiply(mantissa, factor[1]),
                              b.CreateZExt(getHigh(lower), pair));
  Value *upper = b.CreateAdd(b.CreateMul(mantissa, factor[0]), getHigh(middle));
  middle = b.CreateTrunc(middle, word);
  // The fraction of a right angle, between -1/2 and 1/2.
  Value *two = b.getInt64(2);
  Value *high = shiftLeft(upper, middle, two);
  Value *low = shiftLeft(middle, b.CreateTrunc(lower, word), two);
  Value *quadrant =
      b.CreateAdd(b.CreateLShr(upper, 62), b.CreateLShr(high, 63));
  Value *sign = b.CreateAShr(high, 63);
  high = b.CreateXor(high, sign);
  low = b.CreateXor(low, sign);
  Value *zeros = b.CreateBinaryIntrinsic(Intrinsic::ctlz, high, b.getFalse());
  high = shiftLeft(high, low, zeros);
  low = b.CreateShl(low, zeros);
  // Its upper 106 bits as two numbers.
  Whole first = {&b, b.CreateLShr(high, 11)};
  Whole second = {&b, b.CreateOr(b.CreateShl(b.CreateAnd(high, 0x7ff), 42),
                                 b.CreateLShr(low, 22))};
  Real part = first.toReal() * 0x1p-53, rest = second.toReal() * 0x1p-106;
  Real angle = part * kHalfPiF64[0];
  Real lost = fma(part, kHalfPiF64[0], -angle);
  lost = fma(part, kHalfPiF64[1], lost);
  lost = fma(rest, kHalfPiF64[0], lost);
  Real sum = angle + lost;
  lost = lost - (sum - angle);
  // 2^-zeros, with the sign of the fraction and of the angle.
  Whole scale = {&b, b.CreateShl(b.CreateSub(b.getInt64(1023), zeros), 52)};
  Value *signs = b.CreateAnd(b.CreateXor(sign, bits), uint64_t(1) << 63);
  Real signedScale = Whole{&b, b.CreateOr(scale.value, signs)}.asReal();
  sum = sum * signedScale;
  lost = lost * signedScale;
  quadrant = b.CreateSelect(b.CreateICmpSLT(bits, b.getInt64(0)),
                            b.CreateNeg(quadrant), quadrant);
  if (x.isWide())
    return {{&b, quadrant}, sum, lost};
  Real narrow = sum.toNarrow();
  return {{&b, b.CreateTrunc(quadrant, b.getInt32Ty())},
          narrow,
          ((sum - narrow.toWide()) + lost).toNarrow()};
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

Real pyk::computeSine(const Reduced &angle, int64_t quarters) {
  Real square = angle.high * angle.high;
  Whole quadrant = angle.quadrant + quarters;
  Real result = select((quadrant & 1) == 0, getSine(angle, square),
                       getCosine(angle, square));
  return select((quadrant & 2) == 0, result, -result);
}

/// What infinities and NaNs have in the place of `result`.
static Real selectFinite(Real x, Real result) {
  return select(x.abs() < std::numeric_limits<double>::infinity(), result,
                x - x);
}

Formula pyk::computeSin(Real x) {
  // 0 has a sign.
  return {select(x == 0.0, x, computeSine(reduceAngle(x), 0)), isLargeAngle(x)};
}

Real pyk::computeLargeSin(Real x) {
  return selectFinite(x, computeSine(reduceLargeAngle(x), 0));
}

Formula pyk::computeCos(Real x) {
  return {computeSine(reduceAngle(x), 1), isLargeAngle(x)};
}

Real pyk::computeLargeCos(Real x) {
  return selectFinite(x, computeSine(reduceLargeAngle(x), 1));
}

/// An angle of x half turns. What is taken from x, and what is left, is exact.
static Reduced reduceHalfTurns(Real x) {
  Real rest = fma((x * 0.5).trunc(), -2.0, x);
  // As in `reduceAngle`, of right angles.
  Real large = x.constant(0x1.8p23, 0x1.8p52);
  Real sum = fma(rest, 2.0, large);
  rest = fma(sum - large, -0.5, rest);
  Parts rightAngle(x, kHalfPiF32, kHalfPiF64);
  Real pi = rightAngle[0] * 2.0;
  Real high = rest * pi;
  Real low = fma(rest, pi, -high);
  return {sum.asWhole(), high, fma(rest, rightAngle[1] * 2.0, low)};
}

Real pyk::computeSinpi(Real x) {
  Real result = computeSine(reduceHalfTurns(x), 0);
  return select(result == 0.0, x.constant(0).withSignOf(x), result);
}

Real pyk::computeCospi(Real x) {
  Real result = computeSine(reduceHalfTurns(x), 1);
  return select(result == 0.0, 0.0, result);
}

static Real computeTangent(const Reduced &angle) {
  Real r = angle.high, square = r * r;
  Real rest = fma(evaluate(square, kTanF32, kTanF64), square * r,
                  fma(angle.low, square, angle.low));
  Real tangent = r + rest;
  Real low = rest - (tangent - r);
  // -1 / (tangent + low)
  Real inverse = -1.0 / tangent;
  Real lost = fma(inverse, low, fma(inverse, tangent, 1.0));
  inverse = fma(inverse, lost, inverse);
  return select((angle.quadrant & 1) == 0, tangent, inverse);
}

Formula pyk::computeTan(Real x) {
  return {select(x == 0.0, x, computeTangent(reduceAngle(x))), isLargeAngle(x)};
}

Real pyk::computeLargeTan(Real x) {
  return selectFinite(x, computeTangent(reduceLargeAngle(x)));
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
