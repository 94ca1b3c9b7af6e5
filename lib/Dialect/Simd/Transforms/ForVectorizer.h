// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that count, each thread by itself.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_FORVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_FORVECTORIZER_H

#include "IterationVectorizer.h"

namespace pyk::simd {

/// Writes loops that count, whose body `walk` writes.
class ForVectorizer {
public:
  ForVectorizer(Vectorizer &walk, LaneValues &values, Masks &masks,
                mlir::OpBuilder &builder)
      : walk(walk), values(values), masks(masks), builder(builder),
        iterations(walk, values, masks, builder) {}

  void visit(mlir::scf::ForOp op);

private:
  void visitUniform(mlir::scf::ForOp op);
  void visitMasked(mlir::scf::ForOp op, const RemainingIterations &rest,
                   llvm::ArrayRef<mlir::Value> carried);
  /// The counter of each thread, and who has an iteration with it.
  struct Iteration {
    mlir::Value counter, active;
  };
  Iteration makeFirst(mlir::scf::ForOp op, const RemainingIterations &rest);
  Iteration makeNext(mlir::scf::ForOp op, const Iteration &iteration);
  mlir::Value compare(mlir::Location loc, mlir::arith::CmpIPredicate predicate,
                      mlir::Value a, mlir::Value b);
  llvm::SmallVector<bool> addKept(mlir::scf::ForOp op,
                                  llvm::SmallVectorImpl<mlir::Value> &state);
  void writeIteration(mlir::scf::ForOp op, mlir::scf::WhileOp loop,
                      llvm::ArrayRef<bool> keepsOwn);

  Vectorizer &walk;
  LaneValues &values;
  Masks &masks;
  mlir::OpBuilder &builder;
  IterationVectorizer iterations;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_FORVECTORIZER_H
