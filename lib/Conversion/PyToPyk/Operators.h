// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators and comparisons.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_OPERATORS_H
#define PYK_LIB_CONVERSION_PYTOPYK_OPERATORS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Lowers operators. Integers are signless from here on, so each operation
/// takes signedness from the py types of its operands.
class OperatorLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  Binding evaluate(BinaryOp op);
  Binding evaluate(UnaryOp op);
  Binding evaluate(CompareOp op);
  /// `lhs kind rhs` as a value of `type`, in which it computes.
  Binding makeBinary(BinaryOperator kind, const Binding &lhs,
                     const Binding &rhs, mlir::Type type, mlir::Location loc);
  /// Whether `lhs kind rhs` holds.
  mlir::Value makeComparison(CompareOperator kind, const Binding &lhs,
                             const Binding &rhs, mlir::Location loc);
  /// Whether `==`, or with `isIdentity` `is`, holds.
  mlir::Value makeEquality(const Binding &lhs, const Binding &rhs,
                           bool isIdentity, mlir::Location loc);

private:
  /// The operands of an operator, constants in the type that they take there.
  template <typename Op>
  std::pair<Binding, Binding> getOperands(Op op);
  /// `number` shifted by a count of any type.
  mlir::Value makeShift(BinaryOperator kind, mlir::Value number,
                        const Binding &by, bool hasNoSign, mlir::Location loc);
  mlir::Value makePower(const Binding &lhs, const Binding &rhs, mlir::Type type,
                        mlir::Location loc);
  /// Whether `<` or one of its like holds.
  mlir::Value makeOrder(CompareOperator kind, const Binding &lhs,
                        const Binding &rhs, mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_OPERATORS_H
