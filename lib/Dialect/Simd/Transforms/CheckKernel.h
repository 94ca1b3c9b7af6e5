// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels vectors can run.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_CHECKKERNEL_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_CHECKKERNEL_H

#include "Obstacle.h"
#include "Tile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"

namespace pyk::simd {

/// What a tile must hold.
enum class TileNeed { Nothing, WholeWarps, Block };

/// Why vectors cannot run `kernel` with blocks as those of `tile`; false if
/// they can. Sets `need` to what a tile must hold.
Obstacle checkKernel(mlir::gpu::GPUFuncOp kernel, const Tile &tile,
                     const LaneShapeAnalysis &shapes, TileNeed &need);

/// That of an exchange to which lanes of a warp come one after the other.
Obstacle getPartedWarp(mlir::Operation *op);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_CHECKKERNEL_H
