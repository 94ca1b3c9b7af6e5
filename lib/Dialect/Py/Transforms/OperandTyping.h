// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands, as the operations take them.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_OPERANDTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_OPERANDTYPING_H

#include "FunctionInference.h"

namespace pyk::py {

/// Gives operations plain values where they take no others: puts `py.unwrap`
/// before them, so that their rules know no values that stand for others.
class OperandTyping : public InferencePart {
public:
  explicit OperandTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  mlir::FailureOr<Fact> evaluate(UnwrapOp op);

  /// What is known of `operand`, of which the operation takes what it stands
  /// for.
  Fact getPlain(mlir::OpOperand &operand);
  /// Of a tuple also what its items stand for.
  Fact getPlainItems(mlir::OpOperand &operand);
  /// What `operand` is; of an array without dimensions, its element.
  Fact getElement(mlir::OpOperand &operand);
  /// An index, with elements in place of arrays without dimensions.
  Fact getIndex(mlir::OpOperand &operand);
  /// Both: what it stands for, or its element.
  Fact getNumber(mlir::OpOperand &operand);
  /// What is known of `operand`, which must not be None.
  Fact getPresent(mlir::OpOperand &operand);

private:
  Fact unwrap(mlir::OpOperand &operand);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_OPERANDTYPING_H
