// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested functions, and the variables of others that they read.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_CLOSURETYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_CLOSURETYPING_H

#include "FunctionInference.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"

namespace pyk::py {

/// Types nested functions and the variables that they capture.
class ClosureTyping : public InferencePart {
public:
  explicit ClosureTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  mlir::FailureOr<Fact> evaluate(ClosureOp op);
  /// `fact` as another function may have it: its closures are completed. Of no
  /// type if that is not known yet. `around` has the functions whose captures
  /// are being read.
  mlir::FailureOr<Fact> capture(const Fact &fact, Environment &environment,
                                mlir::Location loc,
                                llvm::SmallVectorImpl<mlir::Attribute> &around);
  /// What the variables that `closure` captures hold; of one that is completed,
  /// their types.
  mlir::FailureOr<llvm::SmallVector<Fact>>
  captureVariables(ClosureType closure, Environment &environment,
                   mlir::Location loc,
                   llvm::SmallVectorImpl<mlir::Attribute> &around);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_CLOSURETYPING_H
