// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads of a block wait for each other.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_BARRIERVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_BARRIERVECTORIZER_H

#include "Masks.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

namespace pyk::simd {

/// Threads of a block that runs as a whole wait for nothing, but what is before
/// a meeting may be split from what is behind it, and only there.
void keepMeeting(const Tile &tile, mlir::OpBuilder &builder,
                 mlir::Location loc);

/// Writes what barriers are for threads of a tile.
class BarrierVectorizer {
public:
  BarrierVectorizer(LaneValues &values, Masks &masks, mlir::OpBuilder &builder)
      : values(values), masks(masks), builder(builder) {}

  /// Answers the vote of a barrier, by the threads that are on.
  void visit(BarrierOp op);

private:
  mlir::Value answerVote(BarrierOp op);

  LaneValues &values;
  Masks &masks;
  mlir::OpBuilder &builder;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_BARRIERVECTORIZER_H
