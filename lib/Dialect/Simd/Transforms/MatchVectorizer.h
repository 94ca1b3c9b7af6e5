// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that look for each other's values.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_MATCHVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_MATCHVECTORIZER_H

#include "WarpLanes.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

namespace pyk::simd {

/// Writes which threads of a warp hold the same value.
class MatchVectorizer {
public:
  MatchVectorizer(LaneValues &values, WarpLanes &lanes,
                  mlir::OpBuilder &builder)
      : values(values), lanes(lanes), builder(builder) {}

  /// Each lane's value is compared with those of all, one lane after the other.
  void visit(MatchAnyOp match);
  /// All lanes have the value of the first if they have one.
  void visit(MatchAllOp match);

private:
  LaneValues &values;
  WarpLanes &lanes;
  mlir::OpBuilder &builder;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_MATCHVECTORIZER_H
