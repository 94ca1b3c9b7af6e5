// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, whose types follow Promotion.h.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_OPERATORTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_OPERATORTYPING_H

#include "FunctionInference.h"

namespace pyk::py {

/// True if `==` takes values of types `a` and `b`.
bool canBeEqual(mlir::Type a, mlir::Type b, Typing typing);

/// Types operators and comparisons.
class OperatorTyping : public InferencePart {
public:
  explicit OperatorTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  mlir::FailureOr<Fact> evaluate(BinaryOp op);
  mlir::FailureOr<Fact> evaluate(UnaryOp op);
  mlir::FailureOr<Fact> evaluate(CompareOp op);

private:
  mlir::FailureOr<Fact> evaluateSearch(CompareOp op, const Fact &x,
                                       const Fact &values);
  mlir::InFlightDiagnostic emitNotComparable(CompareOp op);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_OPERATORTYPING_H
