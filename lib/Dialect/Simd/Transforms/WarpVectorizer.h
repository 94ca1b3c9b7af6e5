// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a warp do together.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPVECTORIZER_H

#include "MatchVectorizer.h"
#include "WarpLanes.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

namespace pyk::simd {

/// Writes exchanges within warps.
class WarpVectorizer {
public:
  /// In the tile at `position`. Where not all lanes come, `obstacle` is set.
  WarpVectorizer(LaneValues &values, Masks &masks, const TilePosition &position,
                 mlir::OpBuilder &builder, Obstacle &obstacle)
      : values(values), masks(masks), position(position), builder(builder),
        obstacle(obstacle), lanes(values, masks, builder),
        matches(values, lanes, builder) {}

  /// Writes `op`, which is about warps.
  void visit(mlir::Operation *op);

private:
  bool isMetByWarps(mlir::Operation *op) const;
  mlir::Value makeNumberOfThread(mlir::Location loc);
  void checkOwnLane(mlir::Operation *op);
  mlir::Value makeShuffle(pyk::ShuffleOp op);
  mlir::Value makeVote(VoteOp vote);
  mlir::Value makeLaneMask(LaneMaskOp op);

  LaneValues &values;
  Masks &masks;
  const TilePosition &position;
  mlir::OpBuilder &builder;
  Obstacle &obstacle;
  WarpLanes lanes;
  MatchVectorizer matches;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPVECTORIZER_H
