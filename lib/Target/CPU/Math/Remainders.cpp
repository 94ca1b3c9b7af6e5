// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders by one multiply-add: the integer part of a rounded quotient is
// that of the true one, or one more, as long as it has no more digits than a
// float; and what it leaves is a multiple of the divisor's last digit, so it is
// exact. Both are as C's fmod, to the bit.

#include "Functions.h"

#include <limits>

using namespace pyk;

Formula pyk::computeFmod(Real x, Real y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Real size = x.abs(), divisor = y.abs();
  Real quotient = (size / divisor).trunc();
  Real rest = fma(-quotient, divisor, size);
  rest = select(rest < 0.0, rest + divisor, rest);
  // Infinite numbers divided, and all divided by 0, leave NaN above.
  rest = select(size < divisor, size, rest).withSignOf(x);
  Real limit = x.constant(0x1p24, 0x1p53);
  Truth isLong =
      !(quotient < limit) && size < x.constant(infinity) && divisor > 0.0;
  return {rest, isLong};
}
