// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows differences from conditions over a part's threads to all that depends
// on them.

#include "PartDifferences.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

PartDifferences::PartDifferences(ArrayRef<Operation *> ops, const Split &split)
    : split(split) {
  // What loops carry comes back to where they begin.
  for (size_t before = 0;;) {
    for (Operation *op : ops)
      visit(op);
    if (values.size() == before)
      return;
    before = values.size();
  }
}

void PartDifferences::add(Value value) {
  if (!split.isDivided(value.getType()))
    values.insert(value);
}

void PartDifferences::addAll(ValueRange some) {
  for (Value value : some)
    add(value);
}

void PartDifferences::join(Value from, Value to) {
  if (contains(from))
    add(to);
}

void PartDifferences::visitRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      visit(&inner);
}

void PartDifferences::visitIf(scf::IfOp op) {
  if (contains(op.getCondition()))
    addAll(op.getResults());
  if (op.getNumResults() == 0)
    return;
  for (auto [result, one, other] :
       llvm::zip(op.getResults(), op.thenYield().getOperands(),
                 op.elseYield().getOperands())) {
    join(one, result);
    join(other, result);
  }
}

void PartDifferences::visitFor(scf::ForOp op) {
  for (Value bound : {op.getLowerBound(), op.getUpperBound(), op.getStep()})
    if (contains(bound)) {
      add(op.getInductionVar());
      addAll(op.getResults());
    }
  for (auto [init, argument, yielded, result] :
       llvm::zip(op.getInitArgs(), op.getRegionIterArgs(),
                 op.getYieldedValues(), op.getResults())) {
    join(init, argument);
    join(yielded, argument);
    join(argument, result);
  }
}

void PartDifferences::visitWhile(scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  for (auto [init, yielded, argument] :
       llvm::zip(op.getInits(), op.getYieldOp().getOperands(),
                 op.getBeforeArguments())) {
    join(init, argument);
    join(yielded, argument);
  }
  for (auto [passed, argument, result] : llvm::zip(
           condition.getArgs(), op.getAfterArguments(), op.getResults())) {
    join(passed, argument);
    join(passed, result);
    // One part may leave the loop before another.
    if (contains(condition.getCondition()))
      add(result);
  }
}

void PartDifferences::visit(Operation *op) {
  visitRegions(op);
  if (auto condition = dyn_cast<scf::IfOp>(op))
    return visitIf(condition);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  // Of a vector's elements, such as whether any is true, a part knows its own.
  bool differs = llvm::any_of(op->getOperands(), [&](Value operand) {
    return split.isDivided(operand.getType()) || contains(operand);
  });
  op->walk([&](Operation *inner) {
    differs |= inner != op &&
               llvm::any_of(inner->getResults(),
                            [&](Value value) { return contains(value); });
  });
  if (differs)
    addAll(op->getResults());
}
