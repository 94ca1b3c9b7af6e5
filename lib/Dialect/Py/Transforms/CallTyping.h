// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, of whatever kind.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_CALLTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_CALLTYPING_H

#include "FunctionInference.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"

namespace pyk::py {

/// Types calls.
class CallTyping : public InferencePart {
public:
  explicit CallTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  /// A new walk begins.
  void startWalk() { unresolved.reset(); }
  /// A call in this walk of a function of which nothing is known yet: where it
  /// stands, and the function's name.
  const std::optional<std::pair<mlir::Location, mlir::StringRef>> &
  getUnresolved() const {
    return unresolved;
  }

  mlir::FailureOr<Fact> evaluate(CallOp op, Environment &environment);
  /// Calls `target`, or, as a method of `object`, with it in front.
  mlir::FailureOr<Fact> callFunction(CallOp op, FuncOp target,
                                     mlir::ArrayRef<Fact> arguments,
                                     const Fact *object = nullptr);
  /// What a call gives to each parameter of `target`, in order; one that is not
  /// known yet has no type.
  mlir::FailureOr<llvm::SmallVector<Fact>>
  bindFacts(CallOp op, FuncOp target, mlir::ArrayRef<Fact> arguments,
            const Fact *object = nullptr);

private:
  mlir::FailureOr<Fact> evaluateMethod(CallOp op, MethodType method,
                                       mlir::ArrayRef<Fact> arguments);

  std::optional<std::pair<mlir::Location, mlir::StringRef>> unresolved;
  /// What is known where the call stands that is being evaluated.
  Environment *here = nullptr;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_CALLTYPING_H
