// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of other languages that a program declares: their body is a call,
// so that nothing before a target's own stages knows what the code does.

#include "Lowering.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Ends the function, whose parameters are those of the code, by a call.
void FunctionLowering::callForeign(ForeignAttr code, TypeRange results) {
  FlatSymbolRefAttr host;
  source.walk([&](CallOp call) {
    if (call.getTarget())
      host = call.getTargetAttr();
  });
  auto call = pyk::ForeignCallOp::create(
      builder, source.getLoc(), results, code,
      function.getFunctionBody().getArguments(), host);
  pyk::ReturnOp::create(builder, source.getLoc(), call.getResults());
}
