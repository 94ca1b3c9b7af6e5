// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axis of the grid along which the lanes of a vector are neighbours, which
// what comes later calls x, and their number.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEAXIS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEAXIS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace pyk::simd {

/// The axis that has the name of x in `kernel`; 0 if that is x.
unsigned getLaneAxis(mlir::gpu::GPUFuncOp kernel);

/// How many threads a vector of `kernel` holds, where one of the machine holds
/// `all`.
unsigned getLanes(mlir::gpu::GPUFuncOp kernel, unsigned all);

/// Gives x and `axis` each other's names in `kernel`: in what asks for indices
/// and extents, and in the shape of its blocks. The second time all is as it
/// was.
void swapAxes(mlir::gpu::GPUFuncOp kernel, unsigned axis);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEAXIS_H
