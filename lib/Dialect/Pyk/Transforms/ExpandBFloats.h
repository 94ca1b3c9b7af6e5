// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on bf16 in terms of f32.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDBFLOATS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDBFLOATS_H

#include "mlir/IR/Operation.h"

namespace pyk {

/// Replaces `op` if it computes on bf16: by the same op on f32, whose result is
/// rounded. Conversions and `math.fma` stay.
void expandBFloats(mlir::Operation *op);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDBFLOATS_H
