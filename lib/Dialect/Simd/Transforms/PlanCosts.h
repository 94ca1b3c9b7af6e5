// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads of a tile take, before it is written.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_PLANCOSTS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_PLANCOSTS_H

#include "Tile.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"

namespace pyk::simd {

/// What a tile costs, in vectors.
struct Cost {
  /// Weighed by how often loops run.
  double time = 0;
  /// Ops written.
  double code = 0;
  /// Vectors that loops carry.
  double carried = 0;
};

/// That of `body`, a kernel's, for `tile`, where the processor sees by itself
/// which rows of an array a loop goes down, if `fetchesRows`.
Cost getCost(mlir::Block &body, const LaneShapeAnalysis &shapes,
             const Tile &tile, bool fetchesRows);

/// Whether `value` is a sum of `counter` and of what is the same in all
/// iterations of `loop`.
bool growsByOne(mlir::Value value, mlir::Value counter, mlir::Operation *loop);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_PLANCOSTS_H
