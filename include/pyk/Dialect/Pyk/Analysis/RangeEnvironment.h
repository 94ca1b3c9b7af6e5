// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranges of integers at one place of a program, for who walks it in the
// order of control and says which conditions hold there.

#ifndef PYK_DIALECT_PYK_ANALYSIS_RANGEENVIRONMENT_H
#define PYK_DIALECT_PYK_ANALYSIS_RANGEENVIRONMENT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace pyk {

/// What is known of values. What conditions add is forgotten where they end to
/// hold; what the definitions of values say is kept.
class RangeEnvironment {
public:
  /// The range of `value`, an integer, here.
  mlir::ConstantIntRanges get(mlir::Value value) const;

  /// The range of `value`; none if that is not an integer.
  mlir::IntegerValueRange find(mlir::Value value) const;

  /// Says that `value` has been computed and what it may be. Nothing is kept of
  /// one that is not an integer; without a range it may be anything.
  void define(mlir::Value value, const mlir::IntegerValueRange &range);

  /// Computes what the results of `op` may be and defines them.
  void defineResults(mlir::Operation *op);

  /// Takes for granted that `condition` is `holds`; false if it cannot be, so
  /// that control does not come here.
  bool assume(mlir::Value condition, bool holds);

  /// Takes a comparison for granted; false if it cannot be true.
  bool assume(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
              mlir::Value rhs);

  /// A place to which `forget` returns.
  size_t mark() const { return changes.size(); }

  /// Forgets all that was assumed since `mark`.
  void forget(size_t mark);

private:
  using Ranges = llvm::SmallDenseMap<mlir::Value, mlir::ConstantIntRanges, 8>;

  bool narrow(mlir::Value value, const mlir::ConstantIntRanges &range);
  bool narrowOperands(mlir::Value value);
  bool narrowSummand(mlir::Value sum, mlir::Value summand, llvm::APInt other);
  bool narrowBySign(mlir::Value product, mlir::Value lhs, mlir::Value rhs);
  bool assumeWithin(mlir::Value condition, bool holds);
  bool assumeEither(llvm::function_ref<bool()> first,
                    llvm::function_ref<bool()> second);
  bool assumeResult(mlir::OpResult result, bool holds);
  bool compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
               mlir::Value rhs);
  std::optional<Ranges> tryOut(llvm::function_ref<bool()> assumption);
  mlir::IntegerValueRange infer(mlir::OpResult result);
  mlir::IntegerValueRange inferArm(mlir::Value condition, bool holds,
                                   mlir::Value arm);

  llvm::DenseMap<mlir::Value, mlir::IntegerValueRange> ranges;
  /// What values were before they were narrowed, oldest first.
  llvm::SmallVector<std::pair<mlir::Value, mlir::IntegerValueRange>> changes;
  /// Conditions and values that the present assumption may still look at.
  unsigned budget = 0;
};

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_RANGEENVIRONMENT_H
