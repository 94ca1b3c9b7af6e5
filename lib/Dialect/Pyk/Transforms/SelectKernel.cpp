// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaves one kernel of a module that may hold several. A pass, and not a step
// of the driver, so that pyk-opt can repeat it.

#include "pyk/Dialect/Pyk/IR/PykCalls.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_SELECTKERNELPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

namespace {

struct SelectKernelPass : pyk::impl::SelectKernelPassBase<SelectKernelPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<FuncOp> kernels;
    for (auto function : getOperation().getOps<FuncOp>())
      if (function.getKernel() && !kChild.isOn(function))
        kernels.push_back(function);
    FuncOp chosen = findChosen(kernels);
    if (!chosen)
      return refuse(kernels);
    for (FuncOp other : kernels)
      if (other != chosen)
        other.erase();
    eraseUnlaunchedChildren(getOperation());
  }

private:
  FuncOp findChosen(ArrayRef<FuncOp> kernels) {
    if (kernel.empty())
      return kernels.size() == 1 ? kernels.front() : FuncOp();
    for (FuncOp function : kernels)
      if (function.getSymName() == kernel.getValue())
        return function;
    return {};
  }

  /// Reports that there is no such choice.
  void refuse(ArrayRef<FuncOp> kernels) {
    signalPassFailure();
    InFlightDiagnostic error = getOperation().emitError("expects ");
    if (kernel.empty())
      error << "one kernel but got " << kernels.size();
    else
      error << "a kernel named '" << kernel.getValue() << "' but got "
            << (kernels.empty() ? "none" : "only");
    if (kernels.empty())
      return;
    error << (kernel.empty() ? ": " : " ");
    llvm::interleaveComma(kernels, error, [&](FuncOp function) {
      error << "'" << function.getSymName() << "'";
    });
  }
};

} // namespace
