// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Near 0 a polynomial; beyond, exp(-x^2) times what is left of the complement,
// which (1 + 2 x) and a variable (x - 4) / (x + 4) make so smooth that one
// polynomial holds up to the last result that is not 0. Of x^2 the bits that
// rounding takes count: they are added inside the exponential.

#include "Coefficients.h"
#include "Functions.h"

using namespace pyk;

/// erf(x) / x - 1 between -1 and 1.
static Real getErfRest(Real x) { return evaluate(x * x, kErfF32, kErfF64); }

/// From here on erfc is computed by the exponential.
static constexpr double kFar = 0.75;

/// erfc of a number that is at least that.
static Real getErfc(Real size) {
  // Beyond it the result is 0.
  size = limitAbove(size, size.isWide() ? 28 : 11);
  Real ratio = (size - 4.0) / (size + 4.0);
  Real square = size * size;
  Real lost = fma(size, size, -square);
  Scaled power = splitExp(-square, -lost);
  Parts start(size, kErfcxOf4F32, kErfcxOf4F64);
  Real rest = fma(evaluate(ratio, kErfcxF32, kErfcxF64), ratio, start[1]);
  // The quotient of two sums, with what rounding takes from each.
  Real sum = start[0] + rest, divisor = fma(size, 2, size.constant(1));
  Real inverse = 1.0 / divisor;
  Real factor = sum * inverse;
  Real missing = fma(-factor, divisor, sum) + (rest - (sum - start[0]));
  missing = fma(-factor, 1.0 - (divisor - (size + size)), missing);
  Real low = fma(power.mantissa, missing * inverse, power.lost * factor);
  power.mantissa = fma(power.mantissa, factor, low);
  return power.get();
}

Real pyk::computeErf(Real x) {
  Real size = x.abs();
  Real far = 1.0 - getErfc(size);
  Real near = fma(getErfRest(x), size, size);
  return select(size > 1.0, far, near).withSignOf(x);
}

Real pyk::computeErfc(Real x) {
  Real size = x.abs();
  Real complement = getErfc(size);
  Real far = select(x < 0.0, 2.0 - complement, complement);
  Real near = fma(-getErfRest(x), x, 1.0 - x);
  return select(size > kFar, far, near);
}
