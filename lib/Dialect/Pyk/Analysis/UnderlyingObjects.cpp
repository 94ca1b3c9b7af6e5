// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays are told apart by where they come from: two arguments of a kernel
// count as different arrays, although a launch may pass the same one twice.

#include "pyk/Dialect/Pyk/Analysis/UnderlyingObjects.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"

using namespace mlir;
using namespace pyk;

Value pyk::getViewedArray(Value value) {
  auto view = value.getDefiningOp<ViewLikeOpInterface>();
  return view ? view.getViewSource() : Value();
}

Value pyk::getWholeArray(Value array) {
  while (Value viewed = getViewedArray(array))
    array = viewed;
  return array;
}

Value pyk::getStoredArray(Operation *op) {
  if (auto access = dyn_cast<AccessOpInterface>(op); access && !isa<LoadOp>(op))
    return access.getArray();
  if (auto copy = dyn_cast<CopyRecordOp>(op))
    return copy.getTarget();
  return {};
}

SmallVector<Value> pyk::getStoredArrays(Operation *op) {
  if (auto call = dyn_cast<ForeignCallOp>(op))
    return llvm::filter_to_vector(call.getOperands(), [](Value operand) {
      return isa<ArrayType>(operand.getType());
    });
  Value array = getStoredArray(op);
  return array ? SmallVector<Value>{array} : SmallVector<Value>();
}

UnderlyingObjects::UnderlyingObjects(Operation *module) : symbols(module) {
  // Modules in this one have names of their own.
  auto walkOwn = [&](llvm::function_ref<void(Operation *)> visit) {
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != module && isa<ModuleOp>(op))
        return WalkResult::skip();
      visit(op);
      return WalkResult::advance();
    });
  };
  walkOwn([&](Operation *op) {
    if (auto call = dyn_cast<CallOp>(op))
      callers[getCallee(call)].push_back(call);
    else if (auto shared = dyn_cast<DynamicSharedOp>(op); !dynamicShared)
      dynamicShared = shared;
  });
  walkOwn([&](Operation *op) {
    for (Value array : getStoredArrays(op))
      storedRoots.insert_range(getRoots(array));
  });
}

ArrayRef<CallOp> UnderlyingObjects::getCallers(FuncOp callee) const {
  auto found = callers.find(callee);
  return found == callers.end() ? ArrayRef<CallOp>() : found->second;
}

FuncOp UnderlyingObjects::getCallee(CallOp call) const {
  return symbols.lookup<FuncOp>(call.getCallee());
}

llvm::SetVector<Value> UnderlyingObjects::getRoots(Value array) const {
  llvm::SetVector<Value> roots, seen;
  seen.insert(array);
  for (unsigned i = 0; i < seen.size(); ++i) {
    Value value = seen[i];
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *op =
        argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    if (IncomingValues incoming = getIncomingValues(value);
        !incoming.values.empty()) {
      seen.insert_range(incoming.values);
    } else if (Value viewed = getViewedArray(value)) {
      seen.insert(viewed);
    } else if (auto call = dyn_cast<CallOp>(op)) {
      unsigned index = cast<OpResult>(value).getResultNumber();
      getCallee(call).walk(
          [&](ReturnOp exit) { seen.insert(exit.getOperand(index)); });
    } else if (auto calls = callers.find(op);
               argument && calls != callers.end()) {
      for (CallOp call : calls->second)
        seen.insert(call.getOperands()[argument.getArgNumber()]);
    } else {
      roots.insert(isa<DynamicSharedOp>(op) ? dynamicShared->getResult(0)
                                            : value);
    }
  }
  return roots;
}

bool UnderlyingObjects::mayBeSame(Value a, Value b) const {
  llvm::SetVector<Value> roots = getRoots(a);
  return llvm::any_of(getRoots(b),
                      [&](Value root) { return roots.contains(root); });
}

bool UnderlyingObjects::isStored(Value array) const {
  return llvm::any_of(getRoots(array),
                      [&](Value root) { return storedRoots.contains(root); });
}

Value pyk::toCaller(Value value, CallOp call) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<FuncOp>(argument.getOwner()->getParentOp()))
    return call.getOperands()[argument.getArgNumber()];
  return value;
}

SmallVector<Reached> UnderlyingObjects::getStores(Operation *scope) {
  SmallVector<Reached> stores;
  scope->walk([&](Operation *op) {
    for (Value array : getStoredArrays(op))
      stores.push_back({op, array, op});
    if (auto call = dyn_cast<CallOp>(op))
      for (const Reached &store : getCalleeStores(getCallee(call)))
        stores.push_back({store.op, toCaller(store.array, call), op});
  });
  return stores;
}

ArrayRef<Reached> UnderlyingObjects::getCalleeStores(FuncOp callee) {
  auto [known, isNew] = calleeStores.try_emplace(callee);
  if (isNew) {
    known->second = std::make_unique<SmallVector<Reached>>();
    SmallVector<Reached> stores = getStores(callee);
    *calleeStores[callee] = std::move(stores);
  }
  return *calleeStores[callee];
}
