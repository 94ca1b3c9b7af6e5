// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of complex numbers in terms of real ones.
//
// The formulas are those that CPython's cmath documents, after Kahan's "Branch
// cuts for complex elementary functions", with the intermediate results scaled
// so that none overflows or loses its bits before the result does. They are
// computed in the type of the parts and are not contracted. A special operand
// is mended afterwards with a select, so that threads of a warp stay together.

#include "ExpandComplex.h"
#include "ComplexArithmetic.h"
#include "RealExpressions.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pyk/Dialect/Pyk/IR/PykComplexOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace pyk;

/// The trigonometric function that belongs to an odd hyperbolic one.
static Number turn(Number (*hyperbolic)(Number), Number z) {
  Number w = hyperbolic({-z.im, z.re});
  return {w.im, -w.re};
}

/// 1 with the sign of `x`; a NaN has none.
static Real getSign(Real x) {
  return select(isNaN(x), 1.0, copysign(x.constant(1), x));
}

//===----------------------------------------------------------------------===//
// Roots, powers and logarithms
//===----------------------------------------------------------------------===//

static Number takeSqrt(Number z) {
  Limits limits = getLimits(z.re);
  Real ax = abs(z.re), ay = abs(z.im);
  Truth isTiny = ax < limits.least && ay < limits.least;
  Real scale =
      select(isTiny, std::ldexp(1.0, limits.digits), z.re.constant(1.0 / 8));
  Real back = select(isTiny, std::ldexp(1.0, -(limits.digits + 1) / 2),
                     z.re.constant(2));
  Real x = ax * scale;
  Real s = sqrt(x + hypot(x, ay * scale)) * back;
  Real d = ay / (s + s);
  Truth isRight = z.re >= 0;
  Real re = select(isRight, s, d);
  Real im = copysign(select(isRight, d, s), z.im);
  // Where the quotient has no value.
  Truth isZero = ax == 0 && ay == 0, isEndless = ay == kInfinity;
  return {select(isZero, 0.0, select(isEndless, kInfinity, re)),
          select(isZero || isEndless, z.im, im)};
}

static Number takeExp(Number z) {
  Limits limits = getLimits(z.re);
  // exp(x) may overflow where its product with a small cosine does not.
  Truth isLarge = z.re > std::log(limits.largest);
  Real size = exp(select(isLarge, z.re - 1.0, z.re));
  Real rest = select(isLarge, kE, z.re.constant(1));
  Real re = size * cos(z.im) * rest, im = size * sin(z.im) * rest;
  Truth isEnd = isInf(z.re) && !isFinite(z.im);
  Truth isLeft = z.re < 0;
  re = select(isEnd, select(isLeft, 0.0, z.re), re);
  im = select(isEnd, select(isLeft, 0.0, z.im.constant(kNaN)), im);
  return {re, select(z.im == 0, z.im, im)};
}

/// The logarithm of the length of `z`.
static Real logLength(Number z) {
  Limits limits = getLimits(z.re);
  Real ax = abs(z.re), ay = abs(z.im);
  Truth isLarge = ax > limits.largest || ay > limits.largest;
  Truth isTiny = ax < limits.least && ay < limits.least;
  Real scale =
      select(isLarge, 0.5,
             select(isTiny, std::ldexp(1.0, limits.digits), z.re.constant(1)));
  Real added = select(isLarge, kLn2,
                      select(isTiny, -limits.digits * kLn2, z.re.constant(0)));
  Real length = hypot(ax * scale, ay * scale);
  // Near 1 the difference from 1 counts, with all that rounding loses.
  Truth isFirst = ax > ay;
  Real more = select(isFirst, ax, ay), less = select(isFirst, ay, ax);
  Real a = more * more, b = less * less;
  Real difference = a - 1.0, rest = a - (difference + 1.0);
  Real lost = fma(more, more, -a) + fma(less, less, -b) + rest;
  Real near = (difference + b + lost).make<math::Log1pOp>() / 2.0;
  Truth isNear = length >= 0.6 && length <= 3 && !(isLarge || isTiny);
  return select(isNear, near, log(length) + added);
}

static Number takeLog(Number z) { return {logLength(z), atan2(z.im, z.re)}; }

static Number takeLog10(Number z) {
  Number natural = takeLog(z);
  return {natural.re / kLn10, natural.im / kLn10};
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions, and those that are the same turned
//===----------------------------------------------------------------------===//

/// `function(x) * a` where the function grows as exp(|x|) / 2.
static Real growWith(Real (*function)(Real), Real x, Real a) {
  Limits limits = getLimits(x);
  Truth isLarge = abs(x) > std::log(limits.largest);
  Real less = x - copysign(x.constant(1), x);
  return function(select(isLarge, less, x)) * a *
         select(isLarge, kE, x.constant(1));
}

static Number takeSinh(Number z) {
  Real re = growWith(sinh, z.re, cos(z.im));
  Real im = growWith(cosh, z.re, sin(z.im));
  Truth isKept = (isInf(z.re) || z.re == 0) && !isFinite(z.im);
  return {select(isKept, abs(z.re), re), select(z.im == 0, z.im, im)};
}

static Number takeCosh(Number z) {
  Real re = growWith(cosh, z.re, cos(z.im));
  Real im = growWith(sinh, z.re, sin(z.im));
  Truth isOpen = !isFinite(z.im);
  Real signedZero = select(isNaN(z.re), 0.0, z.im * getSign(z.re));
  return {select(isInf(z.re) && isOpen, kInfinity, re),
          select(z.im == 0, signedZero, select(z.re == 0 && isOpen, 0.0, im))};
}

namespace {

/// sin(2y), cos(2y), and cos(2y) + 1 with all its digits.
struct Doubled {
  Real sine, cosine, above;
};

} // namespace

static Doubled takeDoubled(Real y) {
  Real c = cos(y), square = c * c;
  // Some numbers are too large to be doubled.
  Truth isWide = abs(y) > getLimits(y).largest;
  Real angle = select(isWide, y, y + y);
  Real sine = sin(angle), cosine = cos(angle);
  // A cosine near -1 has lost what is left of it.
  Truth isNear = cosine < -0.5;
  Real product = copysign(c * sqrt(-square + 1.0) * 2.0, sine);
  Real above = select(isWide || isNear, square * 2.0, cosine + 1.0);
  return {select(isWide, sine * c * 2.0, select(isNear, product, sine)),
          select(isWide, above - 1.0, cosine), above};
}

/// (sinh(2x) + i sin(2y)) / (cosh(2x) + cos(2y)), both sides divided by
/// exp(|2x|), so that nothing overflows.
static Number takeTanh(Number z) {
  auto [sine, cosine, above] = takeDoubled(z.im);
  Real size = abs(z.re) * -2.0;
  Real less = -size.make<math::ExpM1Op>(), power = exp(size);
  // What is nearer to 0 has more digits.
  power = select(power >= 0.5, -less + 1.0, power);
  Real top = less * (power + 1.0);
  Real bottom = fma(power * 2.0, above, less * less);
  Truth isSmall = power < 0.25;
  top = select(isSmall, -(power * power) + 1.0, top);
  bottom = select(isSmall, power * (power + cosine * 2.0) + 1.0, bottom);
  Real re = copysign(top / bottom, z.re);
  Real im = power * (sine / bottom) * 2.0;
  Truth isEnd = isInf(z.re);
  re = select(isEnd, getSign(z.re), re);
  im = select(isEnd, select(isFinite(z.im), im, 0.0), im);
  return {re, select(z.im == 0, z.im, im)};
}

/// Whether the squares of the parts of `z` overflow.
static Truth isFar(Number z) {
  Limits limits = getLimits(z.re);
  return abs(z.re) > limits.largest || abs(z.im) > limits.largest;
}

/// The logarithm of twice the length of `z`, which is far.
static Real logDouble(Number z) {
  return log(hypot(z.re / 2.0, z.im / 2.0)) + 2 * kLn2;
}

static Number takeAsinh(Number z) {
  Truth far = isFar(z);
  Number a = takeSqrt({z.im + 1.0, -z.re});
  Number b = takeSqrt({z.re.constant(1) - z.im, z.re});
  Real re = asinh(a.re * b.im - b.re * a.im);
  Real im = atan2(z.im, a.re * b.re - a.im * b.im);
  im = select(z.im == 0, z.im, im);
  return {select(far, logDouble(z) * getSign(z.re), re),
          select(far, atan2(z.im, abs(z.re)), im)};
}

static Number takeAcos(Number z) {
  Truth far = isFar(z);
  Number a = takeSqrt({z.re.constant(1) - z.re, -z.im});
  Number b = takeSqrt({z.re + 1.0, z.im});
  Real re = select(z.re == 0, kHalfPi, atan2(a.re, b.re) * 2.0);
  Real im = asinh(b.re * a.im - b.im * a.re);
  return {select(far, atan2(abs(z.im), z.re), re),
          select(far, logDouble(z) * getSign(-z.im), im)};
}

static Number takeAcosh(Number z) {
  Truth far = isFar(z);
  Number a = takeSqrt({z.re - 1.0, z.im});
  Number b = takeSqrt({z.re + 1.0, z.im});
  Real re = asinh(a.re * b.re + a.im * b.im);
  Real im = atan2(a.im, b.re) * 2.0;
  return {select(far, logDouble(z), re), select(far, atan2(z.im, z.re), im)};
}

static Number takeAtanh(Number z) {
  Limits limits = getLimits(z.re);
  // Odd: the right half tells the left one.
  Real sign = getSign(z.re), x = abs(z.re), y = z.im * sign;
  Real ay = abs(y), gap = z.re.constant(1) - x;
  Real re = (x * 4.0 / (gap * gap + ay * ay)).make<math::Log1pOp>() / 4.0;
  Real im = -atan2(y * -2.0, gap * (x + 1.0) - ay * ay) / 2.0;
  // Beside 1, where the square of the imaginary part vanishes.
  Truth isPole = x == 1.0 && ay < std::sqrt(limits.least);
  Real peak = -log(sqrt(ay) / sqrt(hypot(ay, ay.constant(2))));
  re = select(isPole, select(ay == 0, kInfinity, peak), re);
  im = select(isPole,
              select(ay == 0, y, copysign(atan2(ay.constant(2), -ay) / 2.0, y)),
              im);
  // Where squares overflow.
  double large = std::sqrt(limits.largest);
  Truth far = x > large || ay > large;
  Real half = hypot(x / 2.0, y / 2.0);
  re = select(far, select(isInf(half), 0.0, x / 4.0 / half / half), re);
  Truth hasAngle = !isNaN(y) && (isInf(y) || !isNaN(x));
  im =
      select(far, select(hasAngle, copysign(y.constant(kHalfPi), y), kNaN), im);
  re = select(x == 0, x, re);
  return {abs(re) * sign, im * sign};
}

/// An absolute value of 0 or infinity needs no angle.
static Number takeRect(Number z) {
  Real size = z.re, angle = z.im;
  Real re = size * cos(angle), im = size * sin(angle);
  Truth isZero = size == 0, isOpen = !isFinite(angle);
  re = select(isOpen && (isZero || isInf(size)), abs(size), re);
  im = select(isOpen && isZero, 0.0, im);
  im = select(angle == 0, select(isNaN(size), 0.0, angle * getSign(size)), im);
  return {re, im};
}

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

bool pyk::expandComplex(Operation *op) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1 ||
      !isa<ComplexType>(op->getOperand(0).getType()))
    return false;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  auto getNumber = [&](unsigned index) -> Number {
    Value operand = op->getOperand(index);
    return {{&b, b.createOrFold<complex::ReOp>(operand)},
            {&b, b.createOrFold<complex::ImOp>(operand)}};
  };
  auto replaceByReal = [&](Real result) {
    op->getResult(0).replaceAllUsesWith(result.value);
    op->erase();
    return true;
  };
  auto replace = [&](Number result) {
    return replaceByReal(
        {&b, complex::CreateOp::create(b, op->getResult(0).getType(),
                                       result.re.value, result.im.value)});
  };
  auto one = [&](Number (*function)(Number)) {
    return replace(function(getNumber(0)));
  };
  auto turned = [&](Number (*hyperbolic)(Number)) {
    return replace(turn(hyperbolic, getNumber(0)));
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](complex::AbsOp) {
        Number z = getNumber(0);
        return replaceByReal(hypot(z.re, z.im));
      })
      .Case([&](complex::AngleOp) {
        Number z = getNumber(0);
        return replaceByReal(atan2(z.im, z.re));
      })
      .Case([&](ComplexDivOp) {
        return replace(divide(getNumber(0), getNumber(1)));
      })
      .Case([&](ComplexPowOp) {
        return replace(raise(getNumber(0), getNumber(1)));
      })
      .Case([&](ComplexRectOp) { return one(takeRect); })
      .Case([&](ComplexSqrtOp) { return one(takeSqrt); })
      .Case([&](ComplexExpOp) { return one(takeExp); })
      .Case([&](ComplexLogOp) { return one(takeLog); })
      .Case([&](ComplexLog10Op) { return one(takeLog10); })
      .Case([&](ComplexSinhOp) { return one(takeSinh); })
      .Case([&](ComplexCoshOp) { return one(takeCosh); })
      .Case([&](ComplexTanhOp) { return one(takeTanh); })
      .Case([&](ComplexAsinhOp) { return one(takeAsinh); })
      .Case([&](ComplexAcosOp) { return one(takeAcos); })
      .Case([&](ComplexAcoshOp) { return one(takeAcosh); })
      .Case([&](ComplexAtanhOp) { return one(takeAtanh); })
      .Case([&](ComplexSinOp) { return turned(takeSinh); })
      .Case([&](ComplexTanOp) { return turned(takeTanh); })
      .Case([&](ComplexAsinOp) { return turned(takeAsinh); })
      .Case([&](ComplexAtanOp) { return turned(takeAtanh); })
      .Case([&](ComplexCosOp) {
        Number z = getNumber(0);
        return replace(takeCosh({-z.im, z.re}));
      })
      .Default(false);
}
