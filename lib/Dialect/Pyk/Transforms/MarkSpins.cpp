// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loops that only another thread can end.
//
// Starting from the conditions that decide how a turn ends, the values that
// they are computed from are followed backwards within the loop. If all end in
// values from outside, values carried unchanged, and reads of arrays at such
// indices, the loop does nothing to end itself. A counter is no such value: it
// ends in itself. Loops that count (scf.for, pyk.for) end anyway and are left
// alone.

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"

namespace pyk {
#define GEN_PASS_DEF_MARKSPINSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Exits that end a turn of `loop`, or leave it from within a loop inside.
static SmallVector<Operation *> getExits(LoopOp loop) {
  SmallVector<Operation *> exits;
  loop.getBody().walk([&](Operation *op) {
    if (isa<ReturnOp>(op) ||
        (isa<BreakOp, ContinueOp>(op) && getExitedLoop(op) == loop))
      exits.push_back(op);
  });
  return exits;
}

namespace {

/// Decides whether the values that end a loop come from outside or memory.
class SpinFinder {
public:
  explicit SpinFinder(Operation *loop) : loop(loop) {}

  /// True if the loop is a spin; `loads` then holds what it waits for.
  bool isSpin() {
    SmallVector<Value> conditions;
    if (auto whileLoop = dyn_cast<scf::WhileOp>(loop))
      conditions.push_back(whileLoop.getConditionOp().getCondition());
    else if (!collectConditions(conditions))
      return false;
    return llvm::all_of(conditions,
                        [&](Value value) { return isSteady(value); }) &&
           !loads.empty();
  }

  SetVector<LoadOp> loads;

private:
  /// Conditions on which it depends how a turn of a pyk.loop ends.
  bool collectConditions(SmallVectorImpl<Value> &conditions) {
    bool canLeave = false;
    for (Operation *exit : getExits(cast<LoopOp>(loop))) {
      canLeave |= !isa<ContinueOp>(exit);
      for (Operation *parent = exit->getParentOp(); parent != loop;
           parent = parent->getParentOp())
        if (auto condition = dyn_cast<IfOp>(parent))
          conditions.push_back(condition.getCondition());
    }
    return canLeave;
  }

  /// True if nothing that the loop computes from turn to turn decides `value`.
  bool isSteady(Value value) {
    if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
      return true;
    if (!active.insert(value).second)
      return false;
    bool steady = false;
    if (auto argument = dyn_cast<BlockArgument>(value))
      steady = isSteadyArgument(argument);
    else if (auto load = value.getDefiningOp<LoadOp>())
      steady = isSteadyLoad(load);
    else if (auto branch = value.getDefiningOp<scf::IfOp>())
      steady = isSteadyBranch(cast<OpResult>(value), branch);
    else if (Operation *op = value.getDefiningOp(); isPure(op))
      steady = llvm::all_of(op->getOperands(),
                            [&](Value operand) { return isSteady(operand); });
    active.erase(value);
    return steady;
  }

  bool isSteadyLoad(LoadOp load) {
    Space space = load.getArray().getType().getSpace();
    if (space == Space::Local || space == Space::Constant)
      return false;
    if (!llvm::all_of(load->getOperands(),
                      [&](Value operand) { return isSteady(operand); }))
      return false;
    loads.insert(load);
    return true;
  }

  bool isSteadyBranch(OpResult result, scf::IfOp branch) {
    unsigned index = result.getResultNumber();
    return isSteady(branch.getCondition()) &&
           isSteady(branch.thenYield().getOperand(index)) &&
           isSteady(branch.elseYield().getOperand(index));
  }

  /// A carried value is steady if each turn hands on itself or steady values.
  bool isSteadyArgument(BlockArgument argument) {
    Operation *owner = argument.getOwner()->getParentOp();
    unsigned index = argument.getArgNumber();
    if (owner != loop)
      return false;
    auto handsOn = [&](Value next) {
      return next == argument || getOrigin(next) == argument || isSteady(next);
    };
    if (auto whileLoop = dyn_cast<scf::WhileOp>(loop)) {
      if (argument.getOwner() == whileLoop.getAfterBody())
        return isSteady(whileLoop.getConditionOp().getArgs()[index]);
      return handsOn(whileLoop.getYieldOp().getOperand(index));
    }
    return llvm::all_of(getExits(cast<LoopOp>(loop)), [&](Operation *exit) {
      return !isa<ContinueOp>(exit) || handsOn(exit->getOperand(index));
    });
  }

  /// What the first region of an scf.while handed to `value` in the second.
  Value getOrigin(Value value) {
    auto whileLoop = dyn_cast<scf::WhileOp>(loop);
    auto argument = dyn_cast<BlockArgument>(value);
    if (!whileLoop || !argument ||
        argument.getOwner() != whileLoop.getAfterBody())
      return value;
    return whileLoop.getConditionOp().getArgs()[argument.getArgNumber()];
  }

  Operation *loop;
  /// Values whose decision is under way: one that needs itself is not steady.
  DenseSet<Value> active;
};

} // namespace

/// Adds a hint on the way from each turn of `loop` to the next.
static void addSpinHints(Operation *loop) {
  OpBuilder builder(loop);
  if (auto whileLoop = dyn_cast<scf::WhileOp>(loop)) {
    builder.setInsertionPointToStart(whileLoop.getAfterBody());
    SpinHintOp::create(builder, loop->getLoc());
    return;
  }
  for (Operation *exit : getExits(cast<LoopOp>(loop)))
    if (isa<ContinueOp>(exit)) {
      builder.setInsertionPoint(exit);
      SpinHintOp::create(builder, loop->getLoc());
    }
}

namespace {

struct MarkSpinsPass : pyk::impl::MarkSpinsPassBase<MarkSpinsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isa<scf::WhileOp, LoopOp>(op))
        return;
      SpinFinder finder(op);
      if (!finder.isSpin())
        return;
      for (LoadOp load : finder.loads)
        load.setIsVolatile(true);
      addSpinHints(op);
    });
  }
};

} // namespace
