// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of kernels that run as vectors.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_EXPLAIN_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_EXPLAIN_H

#include "Tile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"

namespace pyk::simd {

/// Says what is slow where `kernel` runs as vectors in tiles as `tile`.
void explainKernel(mlir::gpu::GPUFuncOp kernel, const Tile &tile,
                   const LaneShapeAnalysis &shapes);

/// Says that `kernel` runs as vectors, in tiles as `tile`.
void remarkVectors(mlir::gpu::GPUFuncOp kernel, const Tile &tile);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_EXPLAIN_H
