// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels are faster as vectors, and in which tiles.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_PLAN_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_PLAN_H

#include "CheckKernel.h"

namespace pyk::simd {

/// Whether threads one by one would be faster: in loops that they leave at
/// different times, they access elements here and there, and do little else.
bool gathersInLoops(mlir::gpu::GPUFuncOp kernel,
                    const LaneShapeAnalysis &shapes, unsigned lanes);

/// Whether most of what threads do in loops is to go through the elements of
/// rows of their own: vectors would read from many places of the cache at a
/// time, where one thread after the other reads neighbours.
bool walksThroughRows(mlir::gpu::GPUFuncOp kernel,
                      const LaneShapeAnalysis &shapes);

/// Chooses how many rows and strips of `tile` run at a time; false if that has
/// to be the block, and there is too much to do. `fetchesRows` is whether the
/// processor sees by itself which rows of an array a loop goes down.
bool planTile(mlir::gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes,
              TileNeed need, bool fetchesRows, Tile &tile);

/// How many blocks, neighbours along x, `kernel` runs at most when it is
/// called, in tiles as `tile`.
int64_t planRun(mlir::gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes,
                TileNeed need, const Tile &tile);

/// Whether `block` only reports an access outside of memory; right programs do
/// not get there.
bool isTold(mlir::Block &block);
/// All such blocks of `kernel`. To ask `isTold` for each op of a kernel takes
/// the square of its length.
llvm::DenseSet<mlir::Block *> findToldBlocks(mlir::gpu::GPUFuncOp kernel);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_PLAN_H
