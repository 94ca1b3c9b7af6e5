// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `while i < n: ...; i += step` is a loop that counts, if nothing wraps. What
// runs a block knows more of those: how many iterations all threads take.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_COUNTLOOPSPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;
using arith::CmpIPredicate;

/// Moves what the condition of `loop` is made of, and is the same in all
/// iterations, before it.
static void hoistOutOfCondition(scf::WhileOp loop) {
  moveLoopInvariantCode(
      &loop.getBefore(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [](Operation *op, Region *) { return isPure(op); },
      [&](Operation *op, Region *) { op->moveBefore(loop); });
}

/// What `loop` adds in each iteration to the value that its condition asks
/// about, and what that is compared with; null if it is another loop.
static std::pair<Value, Value> findStepAndBound(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getType().isInteger(1))
    return {};
  Value counter = compare.getLhs(), bound = compare.getRhs();
  if (compare.getPredicate() == CmpIPredicate::sgt)
    std::swap(counter, bound);
  else if (compare.getPredicate() != CmpIPredicate::slt)
    return {};
  auto argument = dyn_cast<BlockArgument>(counter);
  if (!argument || argument.getOwner() != loop.getBeforeBody() ||
      !loop.isDefinedOutsideOfLoop(bound))
    return {};
  auto next = loop.getYieldOp()
                  .getOperand(argument.getArgNumber())
                  .getDefiningOp<arith::AddIOp>();
  if (!next)
    return {};
  Value step;
  for (auto [given, after, result] : llvm::zip(
           condition.getArgs(), loop.getAfterArguments(), loop.getResults())) {
    if (given != counter)
      continue;
    // Upstream's value of it behind the loop lacks the last step.
    if (!result.use_empty())
      return {};
    // The body has it where the condition hands it on.
    if (llvm::is_contained(next->getOperands(), after))
      step = next.getLhs() == after ? next.getRhs() : next.getLhs();
  }
  if (!step || !loop.isDefinedOutsideOfLoop(step))
    return {};
  return {step, bound};
}

/// Whether counting to `bound` by `step` ends before numbers do.
static bool isCount(Value step, Value bound) {
  if (!isKnownPositive(step))
    return false;
  bool wraps = false;
  (void)getKnownRange(bound).smax().sadd_ov(getKnownRange(step).smax(), wraps);
  return !wraps;
}

namespace {

struct CountLoopsPass : simd::impl::CountLoopsPassBase<CountLoopsPass> {
  void runOnOperation() override {
    // Inner ones first.
    SmallVector<scf::WhileOp> loops;
    getOperation()->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    bool isChanged = false;
    for (scf::WhileOp loop : loops) {
      hoistOutOfCondition(loop);
      auto [step, bound] = findStepAndBound(loop);
      if (!step || !isCount(step, bound))
        continue;
      rewriter.setInsertionPoint(loop);
      // Other forms stay what they are.
      isChanged |= succeeded(scf::upliftWhileToForLoop(rewriter, loop));
    }
    // It computes what counters end with, which nobody asks for.
    if (isChanged)
      (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};

} // namespace
