// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who is missing at a barrier is not waited for if it never comes to any: a
// thread outside the bounds of an array ends at once.

#include "Meetings.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

bool pyk::simd::isMeetingOfWarp(Operation *op) {
  return isa<ShuffleOp, VoteOp, BallotOp, WarpBarrierOp, MatchAnyOp,
             MatchAllOp>(op);
}

bool pyk::simd::isOfWarp(Operation *op) {
  return isa<gpu::LaneIdOp, LaneMaskOp, ActiveMaskOp>(op) ||
         isMeetingOfWarp(op);
}

Value pyk::simd::getLanesOfMeeting(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<ShuffleOp, VoteOp, BallotOp, WarpBarrierOp, MatchAnyOp, MatchAllOp>(
          [](auto meeting) { return meeting.getMask(); })
      .Default(Value());
}

bool pyk::simd::isWholeWarp(Value mask) {
  APInt lanes;
  return !mask ||
         (matchPattern(mask, m_ConstantInt(&lanes)) && lanes.isAllOnes());
}

bool pyk::simd::isWaitingForNoOther(Operation *op, Operation *inner) {
  Value lanes = getLanesOfMeeting(op);
  Operation *source = lanes ? lanes.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<BallotOp, ActiveMaskOp, MatchAnyOp, MatchAllOp>(source))
    return false;
  Operation *around = inner->getParentOp();
  if (around->isProperAncestor(source))
    return true;
  auto ballot = dyn_cast<BallotOp>(source);
  auto branch = dyn_cast<scf::IfOp>(around);
  return ballot && branch && branch.getCondition() == ballot.getPredicate() &&
         inner->getParentRegion() == &branch.getThenRegion();
}

bool pyk::simd::isOnlyOneOfItsLanes(Operation *op) {
  APInt lanes;
  Value mask = getLanesOfMeeting(op);
  if (!mask || !matchPattern(mask, m_ConstantInt(&lanes)) ||
      lanes.isAllOnes() || op->getParentOfType<LoopLikeOpInterface>())
    return false;
  bool isOnly = true;
  op->getParentOfType<gpu::GPUFuncOp>()->walk([&](Operation *other) {
    // Without a mask it waits for all lanes.
    Value named = getLanesOfMeeting(other);
    if (other == op || !named)
      return;
    APInt its;
    isOnly &= matchPattern(named, m_ConstantInt(&its)) && its != lanes;
  });
  return isOnly;
}

bool pyk::simd::partsThreads(Operation *around,
                             const LaneShapeAnalysis &shapes) {
  auto flow = dyn_cast<StructuredFlowOpInterface>(around);
  return !flow || llvm::any_of(flow.getConditions(), [&](Value value) {
    return !shapes.getShape(value).hasNoAxis();
  });
}

bool pyk::simd::hasMeeting(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<BarrierOp, GridBarrierOp>(inner) || isMeetingOfWarp(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool pyk::simd::isMissedForGood(Operation *inner) {
  Operation *parent = inner->getParentOp();
  if (!isLoop(parent))
    for (Region &region : parent->getRegions())
      if (&region != inner->getParentRegion() && !region.empty() &&
          llvm::any_of(region.front(),
                       [](Operation &op) { return hasMeeting(&op); }))
        return false;
  // What may follow, in loops around, too.
  for (Operation *around = parent; !isa<gpu::GPUFuncOp>(around);
       around = around->getParentOp()) {
    if (around != parent && isLoop(around))
      return false;
    for (Operation *next = around->getNextNode(); next;
         next = next->getNextNode())
      if (hasMeeting(next))
        return false;
  }
  return true;
}

bool pyk::simd::isMetByAll(Operation *barrier,
                           const LaneShapeAnalysis &shapes) {
  for (Operation *inner = barrier; !isa<gpu::GPUFuncOp>(inner->getParentOp());
       inner = inner->getParentOp()) {
    Operation *around = inner->getParentOp();
    if (partsThreads(around, shapes) &&
        (isLoop(around) || !isMissedForGood(inner)))
      return false;
  }
  return true;
}
