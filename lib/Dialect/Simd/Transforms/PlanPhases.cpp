// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds phases, and decides what becomes of values that several need: those
// that all threads share are there already, some are computed anew, the rest is
// kept in memory.

#include "Meetings.h"
#include "PartDifferences.h"
#include "Phases.h"
#include "PromotedArrays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;

/// Ops that a phase has to be, in code, to be written by parts.
static constexpr int64_t kFewestOps = 256;
/// What is computed anew in each phase that needs it, in ops at most.
static constexpr unsigned kMostAnew = 16;
static bool isCompactValue(Value value) { return isCompact(value.getType()); }

/// Whether `op` is about nothing but numbers that all threads share, none of
/// `own`.
static bool isShared(Operation *op, const DenseSet<Operation *> &own) {
  if (op->getNumRegions() != 0 || llvm::any_of(op->getOperands(), [&](Value v) {
        Operation *from = v.getDefiningOp();
        return isCompactValue(v) || (from && own.contains(from));
      }))
    return false;
  // Vectors of what all share are cheap to write by parts.
  return llvm::none_of(op->getResults(), isCompactValue);
}

/// Whether threads do `op`, which stands alone, without each other.
static bool isOwn(Operation *op) {
  if (isa<SimdLoadOp, SimdStoreOp, arith::ConstantOp, vector::BroadcastOp,
          vector::ExtractOp>(op))
    return true;
  if (isa<AnyOp, AllOp>(op))
    // Of one for each row, parts would have to have all.
    return !isCompactValue(op->getResult(0));
  if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return true;
  return op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op);
}

/// Whether `op` or what is in it is done once for all threads, or by threads
/// that wait for each other.
bool PhasePlan::needsOthers(Operation *op) const {
  if (hasMeeting(op))
    return true;
  auto visit = [&](Operation *inner) {
    // What is in there is of other parts.
    if (inner->hasAttr(kPartsAttrName))
      return WalkResult::interrupt();
    // What it does is done for each thread, and by one part.
    if (auto serial = dyn_cast<SerialOp>(inner))
      return llvm::any_of(serial->getOperandTypes(),
                          [&](Type type) { return split.isDivided(type); })
                 ? WalkResult::skip()
                 : WalkResult::interrupt();
    // An array in registers is one of the whole tile.
    bool isPromoted = llvm::any_of(inner->getOperands(), [&](Value operand) {
      return promoted.contains(operand);
    });
    if (isPromoted)
      return WalkResult::interrupt();
    bool isFine = isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::ConditionOp,
                      scf::YieldOp>(inner) ||
                  isOwn(inner) ||
                  (isPure(inner) && inner->getNumRegions() == 0 &&
                   llvm::none_of(inner->getOperands(), isCompactValue) &&
                   llvm::none_of(inner->getResults(), isCompactValue)) ||
                  isa<pyk::LoadOp>(inner);
    return isFine ? WalkResult::advance() : WalkResult::interrupt();
  };
  return op->walk<WalkOrder::PreOrder>(visit).wasInterrupted();
}

/// Whether `mask`, a constant, is true for few: the ops of others are none if
/// the tile is whole.
static bool isMaskOfFew(Value mask) {
  if (!getElementTypeOrSelf(mask).isInteger(1))
    return false;
  auto elements = *getConstantElements<bool>(mask);
  return llvm::count(elements, true) * 4 <
         static_cast<int64_t>(elements.size()) * 3;
}

/// Constants that `op` takes and whose elements parts do not find by steps.
static SmallVector<Value> getUneven(Operation *op, const Split &split) {
  SmallVector<Value> uneven;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      DenseElementsAttr constant;
      if (isCompactValue(operand) &&
          matchPattern(operand, m_Constant(&constant)) &&
          !divide(constant, split))
        uneven.push_back(operand);
    }
  });
  return uneven;
}

/// Whether `phase` can run by parts, and should.
bool PhasePlan::canBeSplit(const Phase &phase) const {
  int64_t count = 0;
  for (Operation *op : phase)
    count += countOps(op);
  if (count < kFewestOps)
    return false;
  unsigned number = phaseOf.lookup(phase.front());
  // A number that is needed elsewhere has to be found again.
  auto isOfPart = [&](Value value) {
    return !isCompactValue(value) && !isFoundAgain(value) &&
           llvm::any_of(value.getUsers(), [&](Operation *user) {
             Operation *outer = getOuter(user);
             return !outer || phaseOf.lookup(outer) != number;
           });
  };
  return llvm::all_of(phase, [&](Operation *op) {
    return canDividePositions(op, split) &&
           llvm::none_of(op->getResults(), isOfPart) &&
           llvm::none_of(getUneven(op, split), isMaskOfFew);
  });
}

void PhasePlan::close(Phase &phase) {
  if (phase.empty())
    return;
  for (Operation *op : phase)
    phaseOf[op] = static_cast<unsigned>(phases.size());
  if (canBeSplit(phase))
    phases.push_back(phase);
  else
    for (Operation *op : phase)
      phaseOf.erase(op);
  phase.clear();
}

void PhasePlan::collect(Block &block) {
  Phase phase;
  DenseSet<Operation *> own;
  bool writes = false;
  for (Operation &op : block.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    // What all share is read before the phase, if nothing may change it there.
    bool reads = !isMemoryEffectFree(&op);
    if (isShared(&op, own) &&
        (!reads || (isa<pyk::LoadOp, AllocOp>(op) && !writes)))
      continue;
    if (!needsOthers(&op)) {
      phase.push_back(&op);
      own.insert(&op);
      writes |= !isMemoryEffectFree(&op) && !isa<SimdLoadOp>(op);
      continue;
    }
    close(phase);
    own.clear();
    writes = false;
    if (!op.hasAttr(kPartsAttrName) && !isa<SerialOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          collect(inner);
  }
  close(phase);
}

/// The ancestor of `op` that is in a phase; null if none is.
Operation *PhasePlan::getOuter(Operation *op) const {
  for (; op && !isa<gpu::GPUFuncOp>(op); op = op->getParentOp())
    if (phaseOf.contains(op))
      return op;
  return nullptr;
}

bool PhasePlan::isComputedAnew(Value value, unsigned &budget) const {
  Operation *op = value.getDefiningOp();
  if (!isCompactValue(value) && (!op || !phaseOf.contains(op)))
    return true;
  if (!op || op->getNumRegions() != 0 || !isPure(op) || hasFormula(op) ||
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::DivFOp, math::SqrtOp>(op))
    return false;
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return divide(constant, split).has_value();
  if (!isOwn(op) || isa<AnyOp, AllOp>(op) || budget-- == 0 ||
      !canDividePositions(op, split))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isComputedAnew(operand, budget);
  });
}

bool PhasePlan::isComputedAnew(Value value) const {
  unsigned budget = kMostAnew;
  return isComputedAnew(value, budget);
}

/// Whether `value`, a number, is had from vectors and from numbers that all
/// threads share.
bool PhasePlan::isFoundAgain(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !phaseOf.contains(op))
    return true;
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isCompactValue(operand) || isFoundAgain(operand);
         });
}

/// Collects the vectors that `value` is had from, if it is needed elsewhere
/// than in the phase that makes it, and not computed anew.
void PhasePlan::collectKept(Value value) {
  if (isComputedAnew(value))
    return;
  if (isCompactValue(value)) {
    kept.insert(value);
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    collectKept(operand);
}

/// Finds what has to be in memory.
void PhasePlan::findKept() {
  for (unsigned number = 0; number < phases.size(); ++number)
    for (Operation *op : phases[number]) {
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          Operation *from = operand.getDefiningOp();
          Operation *outer =
              getOuter(from ? from : operand.getParentBlock()->getParentOp());
          if (!outer || phaseOf.lookup(outer) != number)
            collectKept(operand);
        }
      });
      for (Value result : op->getResults())
        for (OpOperand &use : result.getUses())
          if (!getOuter(use.getOwner()) && !isComputedAnew(result)) {
            collectKept(result);
            usesOutside[result].push_back(&use);
          }
    }
}

/// Removes the first phase that keeps a value on which parts disagree, so that
/// it is written for the whole tile. False if there is none.
bool PhasePlan::removeOne() {
  SmallVector<Operation *> all;
  for (const Phase &phase : phases)
    llvm::append_range(all, phase);
  const PartDifferences differences(all, split);
  for (const auto *phase = phases.begin(); phase != phases.end(); ++phase) {
    auto number = static_cast<unsigned>(phase - phases.begin());
    if (llvm::none_of(kept, [&](Value value) {
          Operation *from = value.getDefiningOp();
          return from && phaseOf.contains(from) &&
                 phaseOf.lookup(from) == number &&
                 !split.isDivided(value.getType()) &&
                 differences.contains(value);
        }))
      continue;
    for (Operation *op : *phase)
      phaseOf.erase(op);
    phases.erase(phase);
    for (auto [index, left] : llvm::enumerate(phases))
      for (Operation *op : left)
        phaseOf[op] = static_cast<unsigned>(index);
    return true;
  }
  return false;
}

ArrayRef<OpOperand *> PhasePlan::getUsesOutside(Value result) const {
  auto found = usesOutside.find(result);
  return found == usesOutside.end() ? ArrayRef<OpOperand *>() : found->second;
}

PhasePlan::PhasePlan(Block &body, const Split &split)
    : body(body), split(split) {
  // Those in memory are there from the beginning.
  SmallVector<Operation *> constants;
  body.walk([&](arith::ConstantOp op) {
    auto constant = dyn_cast<DenseElementsAttr>(op.getValue());
    if (constant && isCompactValue(op) && !divide(constant, split))
      constants.push_back(op);
  });
  for (Operation *constant : llvm::reverse(constants))
    constant->moveBefore(&body, body.begin());
  body.walk([&](AllocOp array) {
    if (isPromotable(array, split.tile[2]))
      promoted.insert(array.getResult());
  });
  collect(body);
  findKept();
  while (removeOne()) {
    kept.clear();
    usesOutside.clear();
    findKept();
  }
  if (countBytes(kept.getArrayRef()) <= kMostScratchBytes)
    return;
  phases.clear();
  phaseOf.clear();
  kept.clear();
  usesOutside.clear();
}
