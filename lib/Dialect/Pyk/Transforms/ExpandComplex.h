// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of pyk-expand-numerics that is about complex numbers.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDCOMPLEX_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDCOMPLEX_H

#include "mlir/IR/Operation.h"

namespace pyk {

/// Replaces `op` if it is a function of complex numbers; false if it is none.
bool expandComplex(mlir::Operation *op);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDCOMPLEX_H
