// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that choose between values.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_CHOICETYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_CHOICETYPING_H

#include "FunctionInference.h"

namespace pyk::py {

/// Types `and`, `or` and conditional expressions.
class ChoiceTyping : public InferencePart {
public:
  explicit ChoiceTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  mlir::FailureOr<Fact> evaluate(LogicalOp op, Environment &environment);
  mlir::FailureOr<Fact> evaluate(ConditionalOp op, Environment &environment);

private:
  void meetAfter(mlir::Operation *op, mlir::ArrayRef<const Environment *> ends,
                 Environment &environment);
  mlir::FailureOr<Fact> choose(mlir::Operation *op,
                               mlir::ArrayRef<mlir::Value> values);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_CHOICETYPING_H
