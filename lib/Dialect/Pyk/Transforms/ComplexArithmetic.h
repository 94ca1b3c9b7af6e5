// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotients and powers of complex numbers.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_COMPLEXARITHMETIC_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_COMPLEXARITHMETIC_H

#include "RealExpressions.h"

namespace pyk {

/// `a / b`; parts of infinity or NaN where `b` is 0.
Number divide(Number a, Number b);

/// `a` to the power of `b`.
Number raise(Number a, Number b);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_COMPLEXARITHMETIC_H
