// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow is structured, so what hands a value on is found by looking at
// the op that holds it. Arrays are told apart by where they come from: two
// arguments of a kernel count as different arrays, although a launch may pass
// the same one twice.

#include "Origins.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Loops and conditions
//===----------------------------------------------------------------------===//

SmallVector<Operation *> pyk::getExits(Operation *loop) {
  SmallVector<Operation *> exits;
  loop->walk([&](Operation *op) {
    if (isa<ReturnOp>(op) ||
        (isa<BreakOp, ContinueOp>(op) && getExitedLoop(op) == loop))
      exits.push_back(op);
  });
  return exits;
}

SmallVector<Value> pyk::getConditions(Operation *op, Operation *scope) {
  SmallVector<Value> conditions;
  for (Operation *parent = op->getParentOp(); parent != scope;
       parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<IfOp>(parent))
      conditions.push_back(branch.getCondition());
    else if (auto branch = dyn_cast<scf::IfOp>(parent))
      conditions.push_back(branch.getCondition());
    else
      llvm::append_range(conditions, getExitConditions(parent));
  }
  return conditions;
}

SmallVector<Value> pyk::getExitConditions(Operation *loop) {
  if (auto whileLoop = dyn_cast<scf::WhileOp>(loop))
    return {whileLoop.getConditionOp().getCondition()};
  if (auto count = dyn_cast<scf::ForOp>(loop))
    return {count.getLowerBound(), count.getUpperBound(), count.getStep()};
  SmallVector<Value> conditions;
  if (auto count = dyn_cast<ForOp>(loop))
    conditions = {count.getLowerBound(), count.getUpperBound(),
                  count.getStep()};
  if (isa<ForOp, LoopOp>(loop))
    for (Operation *exit : getExits(loop))
      llvm::append_range(conditions, getConditions(exit, loop));
  return conditions;
}

/// Adds what the exits of `loop` of type `Exit` give as operand `index`.
template <typename Exit>
static void addExits(Operation *loop, unsigned index, Origins &origins) {
  for (Operation *exit : getExits(loop)) {
    if (!isa<Exit>(exit))
      continue;
    origins.values.push_back(exit->getOperand(index));
    llvm::append_range(origins.conditions, getConditions(exit, loop));
  }
}

static Origins getOrigins(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  Origins origins;
  if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
    if (argument.getOwner() == loop.getAfterBody())
      origins.values = {loop.getConditionOp().getArgs()[index]};
    else
      origins.values = {loop.getInits()[index],
                        loop.getYieldOp().getOperand(index)};
  } else if (auto count = dyn_cast<scf::ForOp>(owner)) {
    if (index == 0)
      origins.values = {count.getLowerBound(), count.getUpperBound(),
                        count.getStep()};
    else
      origins.values = {count.getInitArgs()[index - 1],
                        count.getYieldedValues()[index - 1]};
  } else if (auto count = dyn_cast<ForOp>(owner)) {
    if (index == 0) {
      origins.values = {count.getLowerBound(), count.getUpperBound(),
                        count.getStep()};
    } else {
      origins.values = {count.getInitialValues()[index - 1]};
      addExits<ContinueOp>(count, index - 1, origins);
    }
  } else if (auto loop = dyn_cast<LoopOp>(owner)) {
    origins.values = {loop.getInitialValues()[index]};
    addExits<ContinueOp>(loop, index, origins);
  }
  return origins;
}

/// Adds what the arms of a condition yield as result `index`.
static void addArms(Operation *branch, unsigned index, Origins &origins) {
  for (Region &arm : branch->getRegions())
    if (Operation *end = arm.empty() ? nullptr : arm.front().getTerminator();
        isa_and_present<YieldOp, scf::YieldOp>(end))
      origins.values.push_back(end->getOperand(index));
}

Origins pyk::getOrigins(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ::getOrigins(argument);
  Operation *op = value.getDefiningOp();
  unsigned index = cast<OpResult>(value).getResultNumber();
  Origins origins;
  if (auto branch = dyn_cast<IfOp>(op)) {
    addArms(op, index, origins);
    origins.conditions = {branch.getCondition()};
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    addArms(op, index, origins);
    origins.conditions = {branch.getCondition()};
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    origins.values = {select.getTrueValue(), select.getFalseValue()};
    origins.conditions = {select.getCondition()};
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    origins.values = {loop.getConditionOp().getArgs()[index]};
    origins.conditions = getExitConditions(op);
  } else if (auto count = dyn_cast<scf::ForOp>(op)) {
    origins.values = {count.getInitArgs()[index],
                      count.getYieldedValues()[index]};
    origins.conditions = getExitConditions(op);
  } else if (auto count = dyn_cast<ForOp>(op)) {
    origins.values = {count.getInitialValues()[index]};
    addExits<ContinueOp>(op, index, origins);
    addExits<BreakOp>(op, index, origins);
    llvm::append_range(origins.conditions, getExitConditions(op));
  } else if (isa<LoopOp>(op)) {
    addExits<BreakOp>(op, index, origins);
    llvm::append_range(origins.conditions, getExitConditions(op));
  }
  return origins;
}

//===----------------------------------------------------------------------===//
// Arrays and calls
//===----------------------------------------------------------------------===//

Value pyk::getViewedArray(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<ViewOp, TransposeOp, ReshapeOp, CastOp, FieldOp,
                      ReinterpretOp>(op))
    return op->getOperand(0);
  return {};
}

Value pyk::getStoredArray(Operation *op) {
  if (auto access = dyn_cast<AccessOpInterface>(op); access && !isa<LoadOp>(op))
    return access.getArray();
  if (auto copy = dyn_cast<CopyRecordOp>(op))
    return copy.getTarget();
  return {};
}

ModuleOrigins::ModuleOrigins(Operation *module) : symbols(module) {
  module->walk([&](Operation *op) {
    if (auto call = dyn_cast<CallOp>(op))
      callers[getCallee(call)].push_back(call);
    else if (auto shared = dyn_cast<DynamicSharedOp>(op); !dynamicShared)
      dynamicShared = shared;
  });
  module->walk([&](Operation *op) {
    if (Value array = getStoredArray(op))
      storedRoots.insert_range(getRoots(array));
  });
}

FuncOp ModuleOrigins::getCallee(CallOp call) const {
  return symbols.lookup<FuncOp>(call.getCallee());
}

llvm::SetVector<Value> ModuleOrigins::getRoots(Value array) const {
  llvm::SetVector<Value> roots, seen;
  seen.insert(array);
  for (unsigned i = 0; i < seen.size(); ++i) {
    Value value = seen[i];
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *op =
        argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    if (Origins origins = getOrigins(value); !origins.values.empty()) {
      seen.insert_range(origins.values);
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

bool ModuleOrigins::mayBeSame(Value a, Value b) const {
  llvm::SetVector<Value> roots = getRoots(a);
  return llvm::any_of(getRoots(b),
                      [&](Value root) { return roots.contains(root); });
}

bool ModuleOrigins::isStored(Value array) const {
  return llvm::any_of(getRoots(array),
                      [&](Value root) { return storedRoots.contains(root); });
}

Value pyk::toCaller(Value value, CallOp call) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<FuncOp>(argument.getOwner()->getParentOp()))
    return call.getOperands()[argument.getArgNumber()];
  return value;
}

SmallVector<Reached> ModuleOrigins::getStores(Operation *scope) {
  SmallVector<Reached> stores;
  scope->walk([&](Operation *op) {
    if (Value array = getStoredArray(op))
      stores.push_back({op, array, op});
    else if (auto call = dyn_cast<CallOp>(op))
      for (const Reached &store : getCalleeStores(getCallee(call)))
        stores.push_back({store.op, toCaller(store.array, call), op});
  });
  return stores;
}

ArrayRef<Reached> ModuleOrigins::getCalleeStores(FuncOp callee) {
  auto [known, isNew] = calleeStores.try_emplace(callee);
  if (isNew) {
    known->second = std::make_unique<SmallVector<Reached>>();
    SmallVector<Reached> stores = getStores(callee);
    *calleeStores[callee] = std::move(stores);
  }
  return *calleeStores[callee];
}
