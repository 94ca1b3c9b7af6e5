// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on numbers of two parts: the low part has what rounding took from
// the high part, so that there are about twice as many bits (Dekker, "A
// floating-point technique for extending the available precision", 1971).

#ifndef PYK_LIB_TARGET_MATH_PAIRS_H
#define PYK_LIB_TARGET_MATH_PAIRS_H

#include "Real.h"

namespace pyk {

/// x + y and what the sum has lost, whichever is larger.
inline Pair addExactly(Real x, Real y) {
  Real sum = x + y, part = sum - x;
  return {sum, (x - (sum - part)) + (y - part)};
}

/// The sum of two numbers, of which the first is larger, and a low part.
inline Pair add(Real larger, Real smaller, Real low) {
  Real sum = larger + smaller;
  return {sum, ((larger - sum) + smaller) + low};
}

inline Pair multiply(Pair x, Pair y) {
  Real product = x.high * y.high;
  Real low = fma(x.high, y.high, -product);
  low = fma(x.high, y.low, low);
  return {product, fma(x.low, y.high, low)};
}

inline Pair multiply(Real x, Pair y) {
  Real product = x * y.high;
  return {product, fma(x, y.low, fma(x, y.high, -product))};
}

/// The low part is the first quotient's error, computed exactly, divided.
inline Pair divide(Pair x, Pair y) {
  Real inverse = 1.0 / y.high;
  Real quotient = x.high * inverse;
  Real missing = fma(-quotient, y.high, x.high) + x.low;
  missing = fma(-quotient, y.low, missing);
  return {quotient, missing * inverse};
}

inline Pair normalize(Pair x) {
  Real sum = x.high + x.low;
  return {sum, (x.high - sum) + x.low};
}

} // namespace pyk

#endif // PYK_LIB_TARGET_MATH_PAIRS_H
