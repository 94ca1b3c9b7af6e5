// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders whose dividend is at most one divisor away from the result, found
// while ranges are: `(x + 1) % n` where x < n.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_WRAPREMAINDERS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_WRAPREMAINDERS_H

#include "pyk/Dialect/Pyk/Analysis/BoundContexts.h"
#include "pyk/Dialect/Pyk/Analysis/RangeEnvironment.h"
#include "llvm/ADT/MapVector.h"

namespace pyk {

/// Which remainders become a comparison and a sum. `visit` is told of each op,
/// in the order of control; the last visit counts. Until `apply`, the functions
/// may not change.
class WrapRemainders {
public:
  /// Looks at `op`, whose operands and results have the ranges in `known`.
  void visit(mlir::Operation *op, const RangeEnvironment &known);

  /// Forgets `op`, which is about to be erased.
  void forget(mlir::Operation *op);

  /// Rewrites what was found.
  void apply();

private:
  /// A number that is at least 0 and below the divisor, plus one from `low` to
  /// `high`, plus `divisors` times the divisor.
  struct Sum {
    int64_t low = 0, high = 0, divisors = 0;
  };
  /// What takes a dividend to the remainder.
  struct Wrap {
    mlir::Operation *remainder;
    bool mayBeBelow, mayBeAbove;
  };

  bool isWithin(mlir::Value value, mlir::Operation *remainder,
                const RangeEnvironment &known);
  std::optional<Sum> takeApart(mlir::Value value, mlir::Operation *remainder,
                               const RangeEnvironment &known, unsigned depth);
  std::optional<Wrap> find(mlir::Operation *remainder,
                           const RangeEnvironment &known);

  BoundContexts contexts;
  llvm::MapVector<mlir::Operation *, Wrap> found;
};

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_WRAPREMAINDERS_H
