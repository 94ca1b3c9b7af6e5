// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that call each other in a circle are left out: of what they give
// back something would have to be known first.

#include "ReturnedRanges.h"

using namespace mlir;
using namespace pyk;

ReturnedRanges::ReturnedRanges(Operation *root) {
  if (auto module = dyn_cast<ModuleOp>(root))
    for (auto function : module.getOps<FuncOp>())
      order(function);
}

void ReturnedRanges::order(FuncOp function) {
  if (function.isExternal() || !ordered.insert(function).second)
    return;
  function.walk([&](CallOp call) {
    auto callee =
        symbols.lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
    if (!callee)
      return;
    callees[call] = callee;
    order(callee);
  });
  functions.push_back(function);
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
