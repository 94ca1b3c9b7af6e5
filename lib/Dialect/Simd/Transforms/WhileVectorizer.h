// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that ask before each iteration.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_WHILEVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_WHILEVECTORIZER_H

#include "Masks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pyk::simd {

class Vectorizer;

/// Writes loops that ask before each iteration, whose blocks `walk` writes.
class WhileVectorizer {
public:
  WhileVectorizer(Vectorizer &walk, LaneValues &values, Masks &masks,
                  mlir::OpBuilder &builder)
      : walk(walk), values(values), masks(masks), builder(builder) {}

  void visit(mlir::scf::WhileOp op);

private:
  void visitUniform(mlir::scf::WhileOp op);
  void visitMasked(mlir::scf::WhileOp op);
  /// Where a result is from.
  struct Result {
    /// The argument that is handed on as it is: it holds what threads have that
    /// are off.
    std::optional<unsigned> argument;
    /// Whether the loop carries what they have besides.
    bool keepsOwn;
  };
  llvm::SmallVector<Result>
  addResults(mlir::scf::WhileOp op, llvm::SmallVectorImpl<mlir::Value> &state);
  llvm::SmallVector<mlir::Type> getForwardedTypes(mlir::scf::WhileOp op) const;
  void writeCondition(mlir::scf::WhileOp op, mlir::scf::WhileOp loop,
                      llvm::ArrayRef<Result> results);
  void writeIteration(mlir::scf::WhileOp op, mlir::scf::WhileOp loop,
                      llvm::ArrayRef<Result> results);

  Vectorizer &walk;
  LaneValues &values;
  Masks &masks;
  mlir::OpBuilder &builder;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_WHILEVECTORIZER_H
