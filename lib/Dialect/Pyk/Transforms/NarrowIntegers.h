// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic in 64 bits that 32 are enough for, found while ranges are.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_NARROWINTEGERS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_NARROWINTEGERS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pyk/Dialect/Pyk/Analysis/RangeEnvironment.h"

namespace pyk {

/// Whether `op`, a sum, difference or product of integers, always is in its
/// type as a signed number.
bool neverWraps(mlir::Operation *op, const RangeEnvironment &known);

/// Which ops of a function 32 bits are enough for, and which cannot wrap.
/// `visit` is told of each op, in the order of control; the last visit counts.
class NarrowIntegers {
public:
  /// Looks at `op`, whose operands and results have the ranges in `known`.
  void visit(mlir::Operation *op, const RangeEnvironment &known);

  /// Forgets `op`, which is about to be erased.
  void forget(mlir::Operation *op) { found.erase(op); }

  /// Rewrites what was found within `root`. `known` is what the definitions of
  /// values say.
  void apply(mlir::Operation *root, const RangeEnvironment &known);

private:
  bool isNarrow(mlir::Value value, const RangeEnvironment &known) const;
  bool canNarrow(mlir::Operation *op, const RangeEnvironment &known) const;

  /// The flags of an op that is in 32 bits already or can be.
  llvm::DenseMap<mlir::Operation *, mlir::arith::IntegerOverflowFlags> found;
};

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_NARROWINTEGERS_H
