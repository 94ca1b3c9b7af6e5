// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function returns.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_RESULTTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_RESULTTYPING_H

#include "FunctionInference.h"
#include "llvm/ADT/SetVector.h"

namespace pyk::py {

/// Unifies what the returns of a function yield.
class ResultTyping : public InferencePart {
public:
  explicit ResultTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  /// A new walk begins.
  void startWalk() { reached.clear(); }
  /// The walk has found that control can fall off the end, or cannot.
  void setFallsOff(bool now);

  void interpret(ReturnOp op, Environment &environment);

  /// What is known so far, for a recursive call.
  Fact getPartialResult() const;
  /// The result, written into the function.
  mlir::FailureOr<Fact> getResult();

private:
  /// The returns that control reaches, with what they have returned so far.
  llvm::MapVector<mlir::Operation *, Fact> returns;
  /// Returns that the last walk reached.
  llvm::SmallSetVector<mlir::Operation *, 4> reached;
  /// True if control can fall off the end.
  bool fallsOff = false;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_RESULTTYPING_H
