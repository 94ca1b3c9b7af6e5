// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where arrays lie in memory, as arithmetic on addresses.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDOVERLAPS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDOVERLAPS_H

#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

namespace pyk {

/// What replaces `op`, in front of it.
mlir::Value expandDistance(DistanceOp op);
mlir::Value expandOverlaps(OverlapsOp op);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_EXPANDOVERLAPS_H
