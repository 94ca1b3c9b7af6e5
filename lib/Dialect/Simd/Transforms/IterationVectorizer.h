// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations that all threads of a tile take, and the one behind them.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_ITERATIONVECTORIZER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_ITERATIONVECTORIZER_H

#include "Masks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pyk::simd {

class Vectorizer;

/// What is left of a loop behind iterations that all threads take.
struct RemainingIterations {
  /// The counter of each thread in its next iteration.
  mlir::Value counter;
  /// Who goes on; null where there were no such iterations, and nobody knows.
  mlir::Value active;
  /// Whether none takes more than one iteration.
  bool isLastIteration = false;
};

/// Writes iterations of loops, whose body `walk` writes.
class IterationVectorizer {
public:
  IterationVectorizer(Vectorizer &walk, LaneValues &values, Masks &masks,
                      mlir::OpBuilder &builder)
      : walk(walk), values(values), masks(masks), builder(builder) {}

  /// Where threads begin at steps from each other and share the rest, as in
  /// `for i in range(threadIdx.x, n, blockDim.x)`, writes the iterations that
  /// all of them take, without masks. `carried` is what the loop carries,
  /// before and behind these iterations.
  RemainingIterations visitWhole(mlir::scf::ForOp op,
                                 llvm::SmallVectorImpl<mlir::Value> &carried);
  /// Writes one iteration for those that are left, if there are any.
  void visitLast(mlir::scf::ForOp op, const RemainingIterations &rest,
                 llvm::ArrayRef<mlir::Value> carried);

private:
  void writeIteration(mlir::scf::ForOp op, mlir::scf::ForOp loop,
                      mlir::Value steps);

  Vectorizer &walk;
  LaneValues &values;
  Masks &masks;
  mlir::OpBuilder &builder;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_ITERATIONVECTORIZER_H
