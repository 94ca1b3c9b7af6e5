// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow is structured: what surely comes between two ops stands in a
// block that holds both.

#include "Barriers.h"
#include "Origins.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pyk;

/// True if an exit may stand before `op` in its block, a part of `scope`.
static bool isSkipped(Operation *op, Operation *scope, bool bringsNextTurn) {
  return llvm::any_of(getExits(scope), [&](Operation *exit) {
    if (bringsNextTurn && !isa<ContinueOp>(exit))
      return false;
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*exit);
    return !ancestor || !op->isBeforeInBlock(ancestor);
  });
}

bool pyk::isAlwaysReached(Operation *op, Operation *scope) {
  for (; op->getParentOp() != scope; op = op->getParentOp())
    if (Operation *parent = op->getParentOp();
        !isa<scf::ForOp, ForOp>(parent) ||
        isSkipped(op, parent, /*bringsNextTurn=*/false))
      return false;
  if (isa<scf::WhileOp>(scope))
    return true;
  return !isSkipped(op, scope, /*bringsNextTurn=*/!isa<FuncOp>(scope));
}

bool pyk::isUniform(Operation *op) {
  while (isa<scf::ForOp>(op->getParentOp()))
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
  if (a == b || !isUniform(a))
    return false;
  if (b->isBeforeInBlock(a))
    std::swap(a, b);
  bool between = false, around = !isa<scf::ForOp>(block->getParentOp());
  for (auto barrier : block->getOps<BarrierOp>()) {
    bool inside = a->isBeforeInBlock(barrier) && barrier->isBeforeInBlock(b);
    (inside ? between : around) = true;
  }
  return between && around;
}
