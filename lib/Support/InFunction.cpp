// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for what is around an op, and for modules in functions.

#include "pyk/Support/InFunction.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

LogicalResult pyk::verifyInFunction(Operation *op) {
  if (op->getParentOfType<FunctionOpInterface>())
    return success();
  return op->emitOpError("requires an enclosing function");
}

LogicalResult pyk::verifyInModules(Operation *function) {
  for (Operation *parent = function->getParentOp(); parent;
       parent = parent->getParentOp())
    if (!isa<ModuleOp>(parent))
      return function->emitOpError("expects only modules around it but got '")
             << parent->getName() << "'";
  WalkResult walked = function->walk([](Operation *inner) {
    if (!inner->hasTrait<OpTrait::SymbolTable>())
      return WalkResult::advance();
    inner->emitOpError("expects no function around it");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}
