// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All calls name their callee, so the graph is what the module says.

#include "pyk/Dialect/Pyk/IR/PykCalls.h"

using namespace mlir;
using namespace pyk;

CallGraph::CallGraph(ModuleOp module) {
  module.walk([&](CallOp call) {
    auto caller = call->getParentOfType<FuncOp>();
    callees[caller.getSymNameAttr()].insert(call.getCalleeAttr().getAttr());
  });
}

bool CallGraph::leadsTo(FuncOp from, FuncOp to) const {
  llvm::SetVector<StringAttr> reached = callees.lookup(from.getSymNameAttr());
  for (size_t next = 0; next < reached.size(); ++next) {
    llvm::SetVector<StringAttr> further = callees.lookup(reached[next]);
    reached.insert(further.begin(), further.end());
  }
  return reached.contains(to.getSymNameAttr());
}
