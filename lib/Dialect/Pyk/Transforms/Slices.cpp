// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element that is read may be what was stored there before, so a slice
// follows memory as well as values.

#include "Slices.h"
#include "pyk/Dialect/Pyk/Analysis/AccessedElements.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;

bool pyk::isWithin(Value value, Operation *scope) {
  return scope->isAncestor(value.getParentBlock()->getParentOp());
}

Slice Slicer::slice(Operation *scope, ArrayRef<Value> start) {
  Slice result;
  SmallVector<Write> writes = objects.getStores(scope);
  result.values.insert_range(start);
  for (unsigned i = 0; i < result.values.size(); ++i) {
    Value value = result.values[i];
    if (!isWithin(value, scope))
      continue;
    IncomingValues from = getIncomingValues(value);
    result.values.insert_range(from.values);
    result.values.insert_range(from.conditions);
    Operation *op = value.getDefiningOp();
    if (auto access = dyn_cast_if_present<AccessOpInterface>(op))
      followRead(access, access.getArray(), writes, result);
    else if (auto call = dyn_cast_if_present<CallOp>(op))
      followCall(call, result);
    if (op && from.values.empty())
      result.values.insert_range(op->getOperands());
  }
  return result;
}

/// An element may hold what was stored to it before, and a record what was
/// copied to it.
void Slicer::followRead(Operation *read, Value array, ArrayRef<Write> writes,
                        Slice &slice) {
  if (llvm::any_of(slice.reads,
                   [&](const Read &known) { return known.op == read; }))
    return;
  slice.reads.push_back({read, array, read});
  for (const Write &write : writes) {
    if (!objects.mayBeSame(write.array, array))
      continue;
    slice.values.insert_range(write.site->getOperands());
    if (auto call = dyn_cast<CallOp>(write.site))
      followCall(call, slice);
    else if (auto copy = dyn_cast<CopyRecordOp>(write.op))
      followRead(copy, copy.getSource(), writes, slice);
  }
}

void Slicer::followCall(CallOp call, Slice &slice) {
  for (const Read &read : getCalleeReads(objects.getCallee(call)))
    slice.reads.push_back({read.op, toCaller(read.array, call), call});
}

/// Any value returned stands for all.
ArrayRef<Read> Slicer::getCalleeReads(FuncOp callee) {
  auto [known, isNew] = calleeReads.try_emplace(callee);
  if (isNew) {
    known->second = std::make_unique<SmallVector<Read>>();
    SmallVector<Value> start;
    for (Operation *exit : getExits(callee)) {
      llvm::append_range(start, exit->getOperands());
      llvm::append_range(start, getConditions(exit, callee));
    }
    *calleeReads[callee] = std::move(slice(callee, start).reads);
  }
  return *calleeReads[callee];
}
