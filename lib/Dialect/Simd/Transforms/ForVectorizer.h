// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that count, each thread by itself.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_FORVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_FORVECTORIZER_H

#include "TurnVectorizer.h"

namespace pyk::simd {

/// Writes loops that count, whose body `all` writes.
class ForVectorizer {
public:
  ForVectorizer(Vectorizer &all, LaneValues &values, Masks &masks,
                mlir::OpBuilder &builder)
      : all(all), values(values), masks(masks), builder(builder),
        turns(all, values, masks, builder) {}

  void visit(mlir::scf::ForOp op);

private:
  void visitUniform(mlir::scf::ForOp op);
  void visitMasked(mlir::scf::ForOp op, const RestOfTurns &rest,
                   llvm::ArrayRef<mlir::Value> carried);
  /// The counter of each thread, and who has a turn with it.
  struct Turn {
    mlir::Value counter, active;
  };
  Turn makeFirst(mlir::scf::ForOp op, const RestOfTurns &rest);
  Turn makeNext(mlir::scf::ForOp op, const Turn &turn);
  mlir::Value compare(mlir::Location loc, mlir::arith::CmpIPredicate predicate,
                      mlir::Value a, mlir::Value b);
  llvm::SmallVector<bool> addKept(mlir::scf::ForOp op,
                                  llvm::SmallVectorImpl<mlir::Value> &state);
  void writeTurn(mlir::scf::ForOp op, mlir::scf::WhileOp loop,
                 llvm::ArrayRef<bool> keepsOwn);

  Vectorizer &all;
  LaneValues &values;
  Masks &masks;
  mlir::OpBuilder &builder;
  TurnVectorizer turns;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_FORVECTORIZER_H
