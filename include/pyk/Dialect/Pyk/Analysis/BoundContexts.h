// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What conditions say of integers at a place of a kernel of stage gpu.

#ifndef PYK_DIALECT_PYK_ANALYSIS_BOUNDCONTEXTS_H
#define PYK_DIALECT_PYK_ANALYSIS_BOUNDCONTEXTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace pyk {

/// `subject` is at most, or at least, `bound` plus `delta`; without a bound,
/// `delta` alone.
struct BoundFact {
  mlir::Value subject;
  bool isUpper;
  mlir::Value bound;
  int64_t delta;
};

/// Facts that hold in a region, beside those of `outer`, which may be null.
struct BoundContext {
  const BoundContext *outer;
  llvm::SmallVector<BoundFact> facts;
};

/// `value` without conversions that do not change it.
mlir::Value skipConversions(mlir::Value value);

/// The remainder to which `op` gives the sign of its divisor, as Python has it;
/// null if `op` does something else.
mlir::arith::RemSIOp findFloorRemainder(mlir::arith::SelectOp op);

/// The contexts of one kernel.
class BoundContexts {
public:
  /// What holds where `op` runs; null for nothing.
  const BoundContext *get(mlir::Operation *op);

  /// What holds beside `outer` where `condition` is `holds`.
  const BoundContext *get(mlir::Value condition, bool holds,
                          const BoundContext *outer);

  /// What holds where control flow hands `source` on to `target`, a result or a
  /// block argument.
  const BoundContext *getOfSource(mlir::Value source, mlir::Value target);

private:
  const BoundContext *getOfBlock(mlir::Block *block);
  void addFacts(mlir::Value condition, bool holds, BoundContext &context,
                unsigned depth);
  void addComparison(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                     mlir::Value rhs, BoundContext &context);
  void addFact(BoundFact fact, BoundContext &context);

  llvm::SmallVector<std::unique_ptr<BoundContext>> all;
  /// What holds behind ops, of those that were come by, and in blocks.
  llvm::DenseMap<mlir::Operation *, const BoundContext *> behind;
  llvm::DenseMap<mlir::Block *, const BoundContext *> ofBlocks;
};

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_BOUNDCONTEXTS_H
