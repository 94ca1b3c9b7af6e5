// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on numbers, which are neither flow nor memory.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_OPVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_OPVECTORIZER_H

#include "Masks.h"

namespace pyk::simd {

/// Whether `op` can be done for vectors as it is for numbers.
bool hasVectorForm(mlir::Operation *op);

/// Writes ops once for all threads, as ops on vectors, or for one thread after
/// the other.
class OpVectorizer {
public:
  OpVectorizer(LaneValues &values, Masks &masks, mlir::OpBuilder &builder)
      : values(values), masks(masks), builder(builder) {}

  /// Writes `op` in the first of these ways that may be.
  void visit(mlir::Operation *op);
  /// Writes `op`, whose operands all threads have alike, as it is.
  void clone(mlir::Operation *op);
  /// Runs `op` for one thread after the other, or, if it has no effects, for as
  /// many as its operands tell apart.
  void visitSerial(mlir::Operation *op);

private:
  void visitIndexCast(mlir::Operation *op);
  void visitElementwise(mlir::Operation *op);

  LaneValues &values;
  Masks &masks;
  mlir::OpBuilder &builder;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_OPVECTORIZER_H
