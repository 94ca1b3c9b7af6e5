// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that call each other in a circle are left out: of what they give
// back something would have to be known first.

#include "ReturnedRanges.h"
#include "mlir/Analysis/CallGraph.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace pyk;

ReturnedRanges::ReturnedRanges(Operation *root) {
  if (!isa<ModuleOp>(root))
    return;
  const mlir::CallGraph graph(root);
  SymbolTableCollection symbols;
  for (auto circle = llvm::scc_begin(&graph); !circle.isAtEnd(); ++circle)
    for (CallGraphNode *node : *circle) {
      if (node->isExternal())
        continue;
      node->getCallableRegion()->walk([&](CallOp call) {
        CallGraphNode *callee = graph.resolveCallable(call, symbols);
        if (!callee->isExternal())
          callees[call] =
              cast<FuncOp>(callee->getCallableRegion()->getParentOp());
      });
      if (auto function =
              dyn_cast<FuncOp>(node->getCallableRegion()->getParentOp()))
        functions.push_back(function);
    }
}

void ReturnedRanges::add(ReturnOp end, const RangeEnvironment &known) {
  auto function = end->getParentOfType<FuncOp>();
  if (!function || end->getParentOfType<ScopeOp>())
    return;
  auto &ranges = results[function];
  ranges.resize(end->getNumOperands());
  for (auto [range, value] : llvm::zip_equal(ranges, end->getOperands()))
    range = IntegerValueRange::join(range, known.find(value));
}

void ReturnedRanges::define(CallOp call, RangeEnvironment &known) const {
  FuncOp callee = callees.lookup(call);
  auto ranges = results.find(callee);
  bool isKnown = finished.contains(callee) && ranges != results.end();
  for (auto [index, result] : llvm::enumerate(call->getResults()))
    known.define(result, isKnown ? ranges->second[index] : IntegerValueRange());
}
