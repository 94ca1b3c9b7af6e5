// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What differs between parts of a tile though no part has elements of its own.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_PARTDIFFERENCES_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_PARTDIFFERENCES_H

#include "Parts.h"
#include "llvm/ADT/DenseSet.h"

namespace pyk::simd {

/// A vector of one row, or a number, holds for all rows of a tile. Each part
/// computes it, and normally finds the same. It does not if the value depends
/// on a condition over the part's own threads: a part of which no thread takes
/// a branch has zeros for what the branch yields.
class PartDifferences {
public:
  /// Of values that `ops` compute, each behind those that it takes.
  PartDifferences(llvm::ArrayRef<mlir::Operation *> ops, const Split &split);

  /// Whether parts may disagree on `value`, which is not divided.
  bool contains(mlir::Value value) const { return values.contains(value); }

private:
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);
  void visitIf(mlir::scf::IfOp op);
  void visitFor(mlir::scf::ForOp op);
  void visitWhile(mlir::scf::WhileOp op);
  void add(mlir::Value value);
  void addAll(mlir::ValueRange some);
  void join(mlir::Value from, mlir::Value to);

  const Split &split;
  llvm::DenseSet<mlir::Value> values;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_PARTDIFFERENCES_H
