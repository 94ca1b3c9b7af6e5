// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns that all threads of a tile take, and the one behind them.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_TURNVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_TURNVECTORIZER_H

#include "Masks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pyk::simd {

class Vectorizer;

/// What is left of a loop behind turns that all threads take.
struct RestOfTurns {
  /// The counter of each thread in its next turn.
  mlir::Value counter;
  /// Who goes on; null where there were no such turns, and nobody knows.
  mlir::Value active;
  /// Whether none takes more than one turn.
  bool isLastTurn = false;
};

/// Writes turns of loops, whose body `all` writes.
class TurnVectorizer {
public:
  TurnVectorizer(Vectorizer &all, LaneValues &values, Masks &masks,
                 mlir::OpBuilder &builder)
      : all(all), values(values), masks(masks), builder(builder) {}

  /// Where threads begin at steps from each other and share the rest, as in
  /// `for i in range(threadIdx.x, n, blockDim.x)`, writes the turns that all of
  /// them take, without masks. `carried` is what the loop carries, before and
  /// behind these turns.
  RestOfTurns visitWhole(mlir::scf::ForOp op,
                         llvm::SmallVectorImpl<mlir::Value> &carried);
  /// Writes one turn for those that are left, if there are any.
  void visitLast(mlir::scf::ForOp op, const RestOfTurns &rest,
                 llvm::ArrayRef<mlir::Value> carried);

private:
  void writeTurn(mlir::scf::ForOp op, mlir::scf::ForOp loop, mlir::Value steps);

  Vectorizer &all;
  LaneValues &values;
  Masks &masks;
  mlir::OpBuilder &builder;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_TURNVECTORIZER_H
