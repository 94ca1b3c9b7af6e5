// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math functions, each once, for numbers and vectors of float32 and
// float64. Results are within 2 units in the last place of the true ones
// (reference/math-accuracy.md has what was measured), remainders exact, special
// values as C has them.

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

// ErrorFunctions.cpp

Real computeErf(Real x);
Real computeErfc(Real x);

} // namespace pyk

#endif // PYK_LIB_TARGET_MATH_FUNCTIONS_H
