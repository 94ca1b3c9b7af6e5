// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math functions, each once, for numbers and vectors of float32 and
// float64. Results are within 2 units in the last place of the true ones
// (reference/math-accuracy.md has what was measured), Bessel functions within 7
// or, near their zeros, an absolute error, remainders exact, special values as
// C has them.

#ifndef PYK_LIB_TARGET_MATH_FUNCTIONS_H
#define PYK_LIB_TARGET_MATH_FUNCTIONS_H

#include "Real.h"

#include <optional>

namespace pyk {

/// What a formula gives, and for which lanes it does not hold, if there are
/// such: another formula, of scalars, is called for them.
struct Formula {
  Formula(Real value) : value(value) {}
  Formula(Real value, Truth fails) : value(value), fails(fails) {}

  Real value;
  std::optional<Truth> fails;
};

// Exponentials.cpp

/// 2^exponent times a number between 1/2 and 2, whose rounding took `lost`.
struct Scaled {
  Real mantissa, lost;
  Whole exponent;

  /// 2^`more` times the product.
  Real get(int64_t more = 0) const;
};

/// exp(x + low), where low is much smaller than x.
Scaled splitExp(Real x, std::optional<Real> low = std::nullopt);
/// exp2(x + low), for numbers whose result has an exponent.
Scaled splitExp2(Real x, Real low);

Real computeExp(Real x);
Real computeExp2(Real x);
Real computeExp10(Real x);
Real computeExpm1(Real x);
Real computeSinh(Real x);
Real computeCosh(Real x);
Real computeTanh(Real x);

// Logarithms.cpp

/// 2^exponent (1 + fraction), where that is from the root of 1/2 to that of 2.
struct Split {
  Whole exponent;
  Real fraction;
};

/// Of a finite number above 0.
Split split(Real x);
/// log(x) for a finite number above 0, with a few bits more than one part has.
Pair computeLogPair(Real x);

Real computeLog(Real x);
Real computeLog2(Real x);
Real computeLog10(Real x);
Real computeLog1p(Real x);
Real computeAcosh(Real x);
Real computeAsinh(Real x);
Real computeAtanh(Real x);

// Powers.cpp

Real computeRsqrt(Real x);
Real computeCbrt(Real x);
Real computeHypot(Real x, Real y);
Real computeRcbrt(Real x);
/// log2(x) for a finite float64 above 0, to some 66 bits.
Pair computeLog2Pair(Real x);
Real computePow(Real x, Real y);
/// x^exponent, of an i32.
Real computePowi(Real x, Real exponent);

// Remainders.cpp

Formula computeFmod(Real x, Real y);
Real computeLongFmod(Real x, Real y);
Formula computeRemainder(Real x, Real y);
Real computeLongRemainder(Real x, Real y);

// Representation.cpp

/// x * 2^exponent, of an i32.
Real computeLdexp(Real x, Real exponent);
Real computeNextafter(Real x, Real y);
Real computeFdim(Real x, Real y);

// Trigonometry.cpp

/// An angle as a number of right angles and what is left, high + low.
struct Reduced {
  Whole quadrant;
  Real high, low;
};

/// Whether `reduceAngle` does not hold for x, which is then infinite, NaN, or
/// an angle for `reduceLargeAngle`.
Truth isLargeAngle(Real x);
Reduced reduceAngle(Real x);
/// Of a scalar.
Reduced reduceLargeAngle(Real x);
/// The sine of the angle plus `quarters` right angles.
Real computeSine(const Reduced &angle, int64_t quarters);

Formula computeSin(Real x);
Real computeLargeSin(Real x);
Formula computeCos(Real x);
Real computeLargeCos(Real x);
Formula computeTan(Real x);
Real computeLargeTan(Real x);
/// Of x times pi.
Real computeSinpi(Real x);
Real computeCospi(Real x);
Real computeAsin(Real x);
Real computeAcos(Real x);
Real computeAtan(Real x);
Real computeAtan2(Real y, Real x);

// Gamma.cpp

Real computeTgamma(Real x);
/// log(|gamma(x)|). Near its zeros below -2 the error is absolute: less than
/// 5e-16 for float64.
Real computeLgamma(Real x);

// ErrorFunctions.cpp

/// erfcx of a finite number of float64 that is 0 or more, in two parts.
Pair splitErfcx(Real x);

Real computeErf(Real x);
Real computeErfc(Real x);
Real computeErfcx(Real x);
Real computeNormcdf(Real x);

// InverseErrorFunctions.cpp

Real computeErfinv(Real x);
Real computeErfcinv(Real x);
Real computeNormcdfinv(Real x);

// Bessel.cpp

/// Bessel functions of the first and second kind. Functions named `Large` hold
/// for scalars for which the formulas fail: large angles and infinity.
Formula computeJ0(Real x);
Real computeLargeJ0(Real x);
Formula computeJ1(Real x);
Real computeLargeJ1(Real x);
Formula computeY0(Real x);
Real computeLargeY0(Real x);
Formula computeY1(Real x);
Real computeLargeY1(Real x);

// BesselOrders.cpp

/// Of an i32 order; NaN for negative ones, as in CUDA. The formulas hold for
/// the orders 0 and 1. `Any` functions take scalars and emit loops of basic
/// blocks.
Formula computeJn(Real order, Real x);
Real computeAnyJn(Real order, Real x);
Formula computeYn(Real order, Real x);
Real computeAnyYn(Real order, Real x);

} // namespace pyk

#endif // PYK_LIB_TARGET_MATH_FUNCTIONS_H
