// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers and fences.

#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykSyncOps.cpp.inc"

LogicalResult BarrierOp::verify() {
  if (bool(getVote()) != bool(getPredicate()) ||
      bool(getVote()) != bool(getResult()))
    return emitOpError(
        "expects a vote, a predicate and a result, or none of them");
  return success();
}

void PykDialect::registerSyncOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykSyncOps.cpp.inc"
      >();
}
