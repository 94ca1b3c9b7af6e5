// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads find out together.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPUNROLLER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPUNROLLER_H

#include "StackBuffers.h"
#include "UnrolledValues.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

namespace pyk::simd {

/// Writes exchanges between lanes of a warp, and questions about masks.
class WarpUnroller {
public:
  WarpUnroller(mlir::OpBuilder &builder, UnrolledValues &values,
               StackBuffers &buffers)
      : builder(builder), values(values), buffers(buffers) {}

  void visit(ShuffleOp op);
  void visit(BallotOp op);
  void visit(CountOp op);
  void visit(AnyOp op) { reduce(op, /*all=*/false); }
  void visit(AllOp op) { reduce(op, /*all=*/true); }

private:
  void reduce(mlir::Operation *op, bool all);
  Values getOfWarp(mlir::Value value, size_t first);

  mlir::OpBuilder &builder;
  UnrolledValues &values;
  StackBuffers &buffers;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPUNROLLER_H
