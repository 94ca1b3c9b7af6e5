// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow is structured: what surely comes between two ops stands in a
// block that holds both.

#include "pyk/Dialect/Pyk/Analysis/Barriers.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"

using namespace mlir;
using namespace pyk;

/// True if an exit may stand before `op` in its block, a part of `scope`.
static bool isSkipped(Operation *op, Operation *scope,
                      bool bringsNextIteration) {
  return llvm::any_of(getExits(scope), [&](Operation *exit) {
    if (bringsNextIteration && !isRepeating(exit))
      return false;
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*exit);
    return !ancestor || !op->isBeforeInBlock(ancestor);
  });
}

bool pyk::isAlwaysReached(Operation *op, Operation *scope) {
  for (; op->getParentOp() != scope; op = op->getParentOp())
    if (Operation *parent = op->getParentOp();
        !isCountedLoop(parent) ||
        isSkipped(op, parent, /*bringsNextIteration=*/false))
      return false;
  return !isSkipped(op, scope, /*bringsNextIteration=*/!isa<FuncOp>(scope));
}

bool pyk::isReachedByBlock(Operation *op) {
  while (isCountedLoop(op->getParentOp()) &&
         getExits(op->getParentOp()).empty())
    op = op->getParentOp();
  auto function = dyn_cast<FuncOp>(op->getParentOp());
  return function && function.getKernel();
}

bool pyk::areApart(Operation *a, Operation *b) {
  Block *block = a->getBlock();
  while (block && !block->findAncestorOpInBlock(*b))
    block = block->getParentOp()->getBlock();
  if (!block)
    return false;
  a = block->findAncestorOpInBlock(*a);
  b = block->findAncestorOpInBlock(*b);
  if (a == b || !isReachedByBlock(a))
    return false;
  if (b->isBeforeInBlock(a))
    std::swap(a, b);
  bool between = false, around = !isLoop(block->getParentOp());
  for (auto barrier : block->getOps<BarrierOp>()) {
    bool inside = a->isBeforeInBlock(barrier) && barrier->isBeforeInBlock(b);
    (inside ? between : around) = true;
  }
  return between && around;
}
