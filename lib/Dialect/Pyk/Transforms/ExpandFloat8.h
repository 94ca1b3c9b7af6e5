// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of floats of 8 bits as integer and float operations.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDFLOAT8_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDFLOAT8_H

#include "mlir/IR/Operation.h"

namespace pyk {

/// Replaces `op` if it is such a conversion.
bool expandFloat8(mlir::Operation *op);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDFLOAT8_H
