// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds remainders whose dividend differs from the result by at most one
// divisor, such as `(x + 1) % n` where x < n, while ranges are computed.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_WRAPREMAINDERS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_WRAPREMAINDERS_H

#include "pyk/Dialect/Pyk/Analysis/BoundContexts.h"
#include "pyk/Dialect/Pyk/Analysis/RangeEnvironment.h"
#include "llvm/ADT/MapVector.h"

namespace pyk {

/// Replaces remainders by a comparison and a subtraction. Call `visit` for each
/// op in the order of control; of several visits of one op the last counts. The
/// functions must not change before `apply`.
class WrapRemainders {
public:
  /// Looks at `op`, whose operands and results have the ranges in `known`.
  void visit(mlir::Operation *op, const RangeEnvironment &known);

  /// Forgets `op`, which is about to be erased.
  void forget(mlir::Operation *op);

  /// Rewrites what was found.
  void apply();

private:
  /// The sum of a number in [0, divisor), a number in [low, high], and
  /// `divisors` times the divisor.
  struct Sum {
    int64_t low = 0, high = 0, divisors = 0;
  };
  /// Whether the dividend of `remainder` may be negative, and whether it may be
  /// as large as the divisor.
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
