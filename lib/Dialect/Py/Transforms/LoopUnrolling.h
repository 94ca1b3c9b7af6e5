// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over tuples whose items differ in type.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_LOOPUNROLLING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_LOOPUNROLLING_H

#include "FunctionInference.h"
#include "llvm/ADT/DenseSet.h"

namespace pyk::py {

/// Replaces loops by one copy of the body for each item, so that each item has
/// a type of its own. Walks find such loops. Once no walk changes a type any
/// more, the loops are replaced, and the function is inferred again.
class LoopUnrolling : public InferencePart {
public:
  explicit LoopUnrolling(FunctionInference &inference)
      : InferencePart(inference) {}

  /// True if `op` has to be replaced: it runs over `literal_unroll(...)`, or
  /// over a tuple whose items have no common type. Remembers it.
  bool mustUnroll(ForOp op);
  /// The number of items of a tuple or of a range of constants, which
  /// `literal_unroll` may have around it, and zip and enumerate of such; none
  /// of anything else, and if it is not known yet.
  std::optional<uint64_t> countItems(mlir::Value iterable) const;
  /// True if loops wait to be replaced.
  bool isNeeded() const { return !loops.empty(); }
  /// Replaces the loops that walks have found. Fails after an error.
  mlir::LogicalResult unroll();

private:
  struct KnownRange {
    int64_t start, step;
    uint64_t count;
  };
  std::optional<int64_t> getKnownInt(mlir::Value value) const;
  std::optional<KnownRange> getKnownRange(mlir::Value range) const;
  bool hasMixedItems(mlir::Value iterable) const;
  mlir::Value makeInt(mlir::OpBuilder &builder, int64_t number, mlir::Type type,
                      mlir::Location loc) const;
  mlir::Value makeItem(mlir::OpBuilder &builder, mlir::Value iterable,
                       uint64_t position) const;
  mlir::LogicalResult unroll(ForOp loop);

  llvm::DenseSet<mlir::Operation *> loops;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_LOOPUNROLLING_H
