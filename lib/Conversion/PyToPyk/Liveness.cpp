// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backward over structured code. A loop is walked until the set at its head no
// longer grows, which takes two iterations for each level of nesting. One that
// runs once has no way back to its head.

#include "Liveness.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pyk::py;

static void add(Names &names, const Names &others) {
  names.insert(others.begin(), others.end());
}

/// True if a value of `type` has closures that are yet to be completed.
static bool hasClosure(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::any_of(tuple.getTypes(), hasClosure);
  auto closure = dyn_cast<ClosureType>(type);
  return closure && !closure.getCaptures();
}

Liveness::Liveness(FuncOp function) {
  function.walk([&](ClosureOp op) {
    if (auto closure = dyn_cast<ClosureType>(op.getType()))
      for (Attribute name : closure.getVariables())
        captured.insert(cast<StringAttr>(name));
  });
  before(function.getBody().front(), {}, {nullptr, nullptr});
}

Names Liveness::before(Block &block, Names live, Exits exits) {
  for (Operation &op : llvm::reverse(block))
    transfer(op, live, exits);
  return live;
}

template <typename Loop, typename Iteration>
void Liveness::transferLoop(Loop op, Names &live, Exits exits,
                            Iteration iteration) {
  Names end = op.getOrelse().empty()
                  ? live
                  : before(op.getOrelse().front(), live, exits);
  Names head = end;
  // `end` and `live` stay what they are while the head grows.
  for (size_t size = 0; size != head.size() + 1;) {
    size = head.size() + 1;
    add(head, iteration(head, end, Exits{&live, &head}));
  }
  liveAfter[op] = std::move(live);
  liveAtEnd[op] = std::move(end);
  liveAtHead[op] = head;
  live = std::move(head);
}

void Liveness::transfer(Operation &op, Names &live, Exits exits) {
  if (auto get = dyn_cast<GetOp>(op)) {
    live.insert(get.getNameAttr());
  } else if (auto set = dyn_cast<SetOp>(op)) {
    live.erase(set.getNameAttr());
  } else if (isa<RaiseOp>(op)) {
    live.clear();
  } else if (auto call = dyn_cast<CallOp>(op)) {
    if (llvm::any_of(call.getOperandTypes(), hasClosure))
      add(live, captured);
  } else if (auto ret = dyn_cast<ReturnOp>(op)) {
    live.clear();
    if (hasClosure(ret.getValue().getType()))
      add(live, captured);
  } else if (isa<BreakOp>(op)) {
    live = *exits.breaks;
  } else if (isa<ContinueOp>(op)) {
    live = *exits.continues;
  } else if (auto branch = dyn_cast<IfOp>(op)) {
    liveAfter[&op] = live;
    Names merged;
    if (branch.getTaken() != false)
      add(merged, before(branch.getThenRegion().front(), live, exits));
    if (branch.getTaken() != true)
      add(merged, before(branch.getElseRegion().front(), live, exits));
    live = std::move(merged);
  } else if (auto loop = dyn_cast<WhileOp>(op)) {
    transferLoop(loop, live, exits,
                 [&](const Names &head, const Names &end, Exits inner) {
                   Names names = before(loop.getBody().front(), head, inner);
                   add(names, end);
                   return before(loop.getCondition().front(), names, inner);
                 });
  } else if (auto loop = dyn_cast<ForOp>(op); loop && loop.getItem()) {
    Names end = loop.getOrelse().empty()
                    ? live
                    : before(loop.getOrelse().front(), live, exits);
    Names head = before(loop.getBody().front(), end, {&live, &end});
    liveAfter[&op] = std::move(live);
    liveAtEnd[&op] = std::move(end);
    live = std::move(head);
  } else if (auto loop = dyn_cast<ForOp>(op)) {
    transferLoop(loop, live, exits,
                 [&](const Names &head, const Names &, Exits inner) {
                   return before(loop.getBody().front(), head, inner);
                 });
  } else {
    // The regions of 'and', 'or' and conditional expressions may run or not.
    if (op.hasAttr("slots"))
      liveAfter[&op] = live;
    for (Region &region : op.getRegions())
      add(live, before(region.front(), live, exits));
  }
}
