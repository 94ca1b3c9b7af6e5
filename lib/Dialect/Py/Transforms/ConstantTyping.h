// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and names from outside.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_CONSTANTTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_CONSTANTTYPING_H

#include "FunctionInference.h"
#include "llvm/ADT/StringSet.h"

namespace pyk::py {

/// Types constants, and refuses names that stand for nothing that kernels can
/// use.
class ConstantTyping : public InferencePart {
public:
  explicit ConstantTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  /// A new walk begins.
  void startWalk() { unresolved.clear(); }

  mlir::FailureOr<Fact> evaluate(ConstantOp op);

private:
  /// Names of this walk that nothing defines.
  llvm::StringSet<> unresolved;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_CONSTANTTYPING_H
