// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverses of erf, erfc and normcdf, in float64 for both precisions. Where
// erf is at most 1/2, they are a polynomial. In the tails a polynomial in the
// square root of the complement's logarithm (compare Giles, "Approximating the
// erfinv function", 2010) has 28 bits, enough for float32. For float64 one
// Newton step of higher order follows, which triples them. It compares
// erfcx(y) with q exp(y^2), so it is as accurate for the smallest complements
// q, of which neither erfc nor its derivative is a normal number.

#include "Coefficients.h"
#include "Functions.h"

#include <limits>

using namespace pyk;

namespace {

enum class Precision { Narrow, Wide };

/// The value of erf at the result, and 1 minus its absolute value. The smaller
/// of both is exact.
struct Argument {
  Real erf, complement;
};

} // namespace

/// The y with erfc(y) = q, in two parts, where 0 < q <= 1/2.
static Pair invertTail(Real q, Precision precision) {
  Split number = split(q);
  Real f = number.fraction, k = number.exponent.toReal();
  Real log = fma(evaluate(f, kLogF32), f * f, fma(k, kLn2F64[0], f));
  Real root = (-log).sqrt();
  Real ratio = (root - 2.0) / (root + 2.0);
  Real y = fma(evaluate(ratio, kErfcInvStartF64), root, root);
  if (precision == Precision::Narrow)
    return {y, y.constant(0)};
  // q exp(y^2), whose exponents nearly cancel, is a product times a scale.
  Real square = y * y;
  Scaled power = splitExp(square, fma(y, y, -square));
  Real mantissa = f + 1.0, product = power.mantissa * mantissa;
  Real lost = fma(power.mantissa, mantissa, -product);
  lost = fma(power.lost, mantissa, lost);
  Real one = y.constant(1);
  Real scale = Scaled{one, one, power.exponent + number.exponent}.get();
  // (erfc(y) - q) / -erfc'(y), and the next term of the inverse's series:
  // erfc''(y) is -2 y erfc'(y).
  Pair scaled = splitErfcx(y);
  Real difference = fma(-product, scale, scaled.high);
  difference = difference + fma(-lost, scale, scaled.low);
  constexpr double halfRootOfPi = 0x1.c5bf891b4ef6bp-1;
  Real step = difference * halfRootOfPi;
  return {y, fma(y * step, step, step)};
}

/// The absolute value of erfinv(argument.erf), in two parts.
static Pair invert(const Argument &argument, Precision precision) {
  Real size = argument.erf.abs(), square = size * size;
  Real rest = precision == Precision::Narrow ? evaluate(square, kErfInvF32)
                                             : evaluate(square, kErfInvF64);
  Pair tail = invertTail(argument.complement, precision);
  // False of NaN, which the polynomial keeps.
  Truth isTail = argument.complement < 0.5;
  return {select(isTail, tail.high, size),
          select(isTail, tail.low, size * rest)};
}

/// `size` with the sign of the result, and C's special values.
static Real finish(const Argument &argument, Real size) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  size = select(argument.complement == 0.0, infinity, size);
  size = select(argument.complement < 0.0, nan, size);
  return size.withSignOf(argument.erf);
}

static Real getErfinv(Real x, Precision precision) {
  Argument argument = {x, 1.0 - x.abs()};
  Pair result = invert(argument, precision);
  return finish(argument, result.high + result.low);
}

static Real getErfcinv(Real x, Precision precision) {
  Argument argument = {1.0 - x, select(x > 1.0, 2.0 - x, x)};
  Pair result = invert(argument, precision);
  return finish(argument, result.high + result.low);
}

/// sqrt(2) erfinv(2 x - 1).
static Real getNormcdfinv(Real x, Precision precision) {
  Real erf = x - 0.5, complement = select(x > 0.5, 1.0 - x, x);
  Argument argument = {erf + erf, complement + complement};
  Pair result = invert(argument, precision);
  Real low = fma(result.high, kRootOfTwoF64[1], result.low * kRootOfTwoF64[0]);
  return finish(argument, fma(result.high, kRootOfTwoF64[0], low));
}

/// `function` of a number of either precision.
static Real computeWide(Real x, Real (*function)(Real, Precision)) {
  return x.isWide() ? function(x, Precision::Wide)
                    : function(x.toWide(), Precision::Narrow).toNarrow();
}

Real pyk::computeErfinv(Real x) { return computeWide(x, getErfinv); }
Real pyk::computeErfcinv(Real x) { return computeWide(x, getErfcinv); }
Real pyk::computeNormcdfinv(Real x) { return computeWide(x, getNormcdfinv); }
