// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that kernels launch.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_LAUNCHTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_LAUNCHTYPING_H

#include "FunctionInference.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"

namespace pyk::py {

/// Types the launches of kernels.
class LaunchTyping : public InferencePart {
public:
  explicit LaunchTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  /// `kernel` with a grid, a block and what else `shape` has of a launch.
  mlir::FailureOr<Fact>
  configure(SubscriptOp op, mlir::FlatSymbolRefAttr kernel, const Fact &shape);
  mlir::FailureOr<Fact> launch(CallOp op, ConfiguredKernelType kernel,
                               mlir::ArrayRef<Fact> arguments);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_LAUNCHTYPING_H
