// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for the function around an op.

#include "pyk/Support/InFunction.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

LogicalResult pyk::verifyInFunction(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (isa<SymbolOpInterface>(parent) &&
        !parent->hasTrait<OpTrait::SymbolTable>())
      return success();
  return op->emitOpError("stands in no function");
}
