// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places are compared by the ops that compute them, which CSE may not have
// merged yet.

#include "pyk/Dialect/Pyk/Analysis/AccessedElements.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;

TypedValue<ArrayType> pyk::getReadArray(Operation *op) {
  if (auto access = dyn_cast<AccessOpInterface>(op))
    return access.getArray();
  return cast<CopyRecordOp>(op).getSource();
}

SmallVector<Value> pyk::getElementOperands(Operation *op) {
  if (auto copy = dyn_cast<CopyRecordOp>(op))
    return {copy.getSource()};
  auto access = cast<AccessOpInterface>(op);
  SmallVector<Value> place = {access.getArray()};
  llvm::append_range(place, access.getIndices());
  return place;
}

/// How deep two places are compared.
static constexpr unsigned kMaxDepth = 8;

static bool isSame(Value a, Operation *siteOfA, Value b, Operation *siteOfB,
                   unsigned depth) {
  if (auto call = dyn_cast<CallOp>(siteOfA))
    a = toCaller(a, call);
  if (auto call = dyn_cast<CallOp>(siteOfB))
    b = toCaller(b, call);
  if (a == b)
    return true;
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  return depth < kMaxDepth && opA && opB && isPure(opA) &&
         opA->getNumRegions() == 0 &&
         OperationEquivalence::isEquivalentTo(
             opA, opB,
             [&](Value x, Value y) {
               return success(isSame(x, siteOfA, y, siteOfB, depth + 1));
             },
             nullptr, OperationEquivalence::IgnoreLocations);
}

bool pyk::isSameExpression(Value a, Operation *siteOfA, Value b,
                           Operation *siteOfB) {
  return isSame(a, siteOfA, b, siteOfB, /*depth=*/0);
}
