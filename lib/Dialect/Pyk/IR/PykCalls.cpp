// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All calls name their callee, so the graph is what the module says.

#include "pyk/Dialect/Pyk/IR/PykCalls.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"

using namespace mlir;
using namespace pyk;

SmallVector<CallOp> pyk::getCalls(ModuleOp module) {
  SmallVector<CallOp> calls;
  for (auto function : module.getOps<FuncOp>())
    function.walk([&](CallOp call) { calls.push_back(call); });
  return calls;
}

CallGraph::CallGraph(ModuleOp module) {
  for (CallOp call : getCalls(module)) {
    auto caller = call->getParentOfType<FuncOp>();
    callees[caller.getSymNameAttr()].insert(call.getCalleeAttr().getAttr());
  }
}

bool CallGraph::leadsTo(FuncOp from, FuncOp to) const {
  llvm::SetVector<StringAttr> reached = callees.lookup(from.getSymNameAttr());
  for (size_t next = 0; next < reached.size(); ++next) {
    llvm::SetVector<StringAttr> further = callees.lookup(reached[next]);
    reached.insert(further.begin(), further.end());
  }
  return reached.contains(to.getSymNameAttr());
}

void pyk::eraseUnlaunchedChildren(Operation *module) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> reached;
  SmallVector<Operation *> children;
  for (Operation &op : module->getRegion(0).front())
    if (kChild.isOn(&op))
      children.push_back(&op);
    else if (isa<SymbolOpInterface>(op))
      reached.insert(&op);
  for (size_t next = 0; next < reached.size(); ++next)
    reached[next]->walk([&](LaunchOp launch) {
      if (Operation *kernel = symbols.lookup(launch.getKernel()))
        reached.insert(kernel);
    });
  for (Operation *child : children)
    if (!reached.contains(child))
      child->erase();
}
