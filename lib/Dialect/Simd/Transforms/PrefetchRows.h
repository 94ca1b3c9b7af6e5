// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of arrays that loops go down.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_PREFETCHROWS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_PREFETCHROWS_H

#include "pyk/Dialect/Simd/IR/SimdOps.h"

namespace pyk::simd {

/// Fetches what `op` reads at `offset` some iterations later, if each iteration
/// of its loop reads another row of an array: most processors see such strides
/// too late or, beyond a page, not at all.
void prefetchRow(mlir::OpBuilder &builder, LoadOp op, mlir::Value array,
                 mlir::Value offset);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_PREFETCHROWS_H
