// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a and b` asks for `b` only where `a` holds. If `b` is a few comparisons, it
// costs less to ask for both than to branch in between: a GPU combines
// conditions as it compares. LLVM does the same of what happens to stand in one
// block, but has moved what only `b` needs to it before it looks.
//
// What is computed in vain may be poison, since flags hold behind `a` only; a
// select does not look at it, as `andi` would.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace pyk {
#define GEN_PASS_DEF_SPECULATECONDITIONSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Instructions that may be done in vain: as many as the branch that they save
/// takes of a thread's time, or a few more. Two axes of bounds take six.
static constexpr unsigned kMaxCost = 8;

/// About how many instructions `op` takes; none if it must stay where it is.
static std::optional<unsigned> getCost(Operation *op) {
  if (!isPure(op) || op->getNumRegions() != 0 || op->getNumResults() != 1)
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<unsigned>>(op)
      .Case<arith::ConstantOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
            DimOp>([](auto) { return 0; })
      .Case<arith::AddIOp, arith::SubIOp, arith::AndIOp, arith::OrIOp,
            arith::XOrIOp, arith::CmpIOp, arith::SelectOp, arith::MulIOp>(
          [](Operation *op) -> std::optional<unsigned> {
            // Conditions are combined by who compares.
            if (!isa<arith::CmpIOp>(op) &&
                op->getResult(0).getType().isSignlessInteger(1))
              return 0;
            Type type = op->getOperands().back().getType();
            if (!type.isIntOrFloat())
              return std::nullopt;
            unsigned words = type.getIntOrFloatBitWidth() > 32 ? 2 : 1;
            return isa<arith::MulIOp>(op) ? words * words : words;
          })
      .Case<arith::CmpFOp>([](auto) { return 1; })
      .Default(std::nullopt);
}

/// Whether all that `condition` computes are other conditions, for little.
static bool isCheap(scf::IfOp condition) {
  if (condition->getNumResults() == 0 ||
      !llvm::all_of(condition.getResultTypes(),
                    [](Type type) { return type.isSignlessInteger(1); }))
    return false;
  unsigned sum = 0;
  for (Block *arm : {condition.thenBlock(), condition.elseBlock()})
    for (Operation &op : arm->without_terminator()) {
      std::optional<unsigned> cost = getCost(&op);
      if (!cost)
        return false;
      sum += *cost;
    }
  return sum <= kMaxCost;
}

static void speculate(scf::IfOp condition, RewriterBase &rewriter) {
  scf::YieldOp yields[] = {condition.thenYield(), condition.elseYield()};
  for (scf::YieldOp yield : yields)
    while (&yield->getBlock()->front() != yield)
      rewriter.moveOpBefore(&yield->getBlock()->front(), condition);
  rewriter.setInsertionPoint(condition);
  SmallVector<Value> chosen;
  for (auto [first, second] :
       llvm::zip(yields[0].getOperands(), yields[1].getOperands()))
    chosen.push_back(rewriter.createOrFold<arith::SelectOp>(
        condition.getLoc(), condition.getCondition(), first, second));
  rewriter.replaceOp(condition, chosen);
}

namespace {

struct SpeculateConditionsPass
    : pyk::impl::SpeculateConditionsPassBase<SpeculateConditionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Inner ones first: what they leave behind counts for the outer ones.
    getOperation()->walk([&](scf::IfOp condition) {
      if (isCheap(condition))
        speculate(condition, rewriter);
    });
  }
};

} // namespace
