// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds phases, and decides what becomes of values that several need: those
// that all threads share are there already, some are computed anew, the rest is
// kept in memory.

#include "Meetings.h"
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
/// Ops of a vector of a transposed access, about; rows of a part that has such
/// accesses, at least, and its strips at most.
static constexpr int64_t kTransposedOps = 9, kFewestRows = 4, kMostStrips = 4;
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

/// The array of `op`, if that is a transposed access; else null.
static Value getTransposed(Operation *op) {
  if (auto load = dyn_cast<SimdLoadOp>(op))
    return load.getTransposed() ? load.getArray() : Value();
  auto store = dyn_cast<SimdStoreOp>(op);
  return store && store.getTransposed() ? store.getArray() : Value();
}

/// The ops that `op` becomes, without those in it.
static int64_t countOp(Operation *op) {
  if (isa<arith::ConstantOp, vector::BroadcastOp, ElementOp>(op))
    return 0;
  Dimensions size = {1, 1, 1};
  for (Value value : op->getResults())
    size = join(size, getDimensions(value.getType()));
  if (op->getNumResults() == 0)
    for (Value value : op->getOperands())
      size = join(size, getDimensions(value.getType()));
  bool isOffset = op->getNumResults() == 1 &&
                  getElementTypeOrSelf(op->getResult(0)).isInteger(64);
  int64_t each = hasFormula(op) ? static_cast<int64_t>(kFormulaCost)
                 : isOffset     ? 0
                                : 1;
  // Elements here and there are read and written one by one.
  auto load = dyn_cast<SimdLoadOp>(op);
  auto store = dyn_cast<SimdStoreOp>(op);
  if (getTransposed(op))
    each *= kTransposedOps;
  else if ((load && !load.getContiguous() && !load.getStep()) ||
           (store && !store.getContiguous()))
    each *= size[2];
  return each * size[0] * size[1];
}

/// The ops that `op` becomes if it is written for the whole tile.
static int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *inner) { count += countOp(inner); });
  return count;
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
  if (countBytes(kept.getArrayRef()) <= kMostScratchBytes)
    return;
  phases.clear();
  phaseOf.clear();
  kept.clear();
  usesOutside.clear();
}

Split pyk::simd::choosePart(Dimensions tile, int64_t rowsTogether) {
  if (rowsTogether != 0 && tile[0] % rowsTogether == 0 &&
      tile[1] <= kMostStrips)
    return {tile, rowsTogether, tile[1]};
  if (tile[1] <= kVectorsOfPhase) {
    int64_t rows = std::min(tile[0], kVectorsOfPhase / tile[1]);
    while (tile[0] % rows != 0)
      --rows;
    return {tile, rows, tile[1]};
  }
  // As many as there should be, or else a few more.
  for (int64_t strips : {4, 3, 5, 7, 2})
    if (tile[1] % strips == 0)
      return {tile, 1, strips};
  return {tile, 1, 1};
}

int64_t pyk::simd::getRowsOfParts(Block &body) {
  int64_t rows = 0;
  body.walk([&](Operation *op) {
    Value array = getTransposed(op);
    if (!array)
      return;
    int64_t bits = 8 * cast<ArrayType>(array.getType()).getElementBytes();
    rows = std::max({rows, kFewestRows, kExchangedBits / bits});
  });
  return rows;
}

static int64_t countParts(const Split &split) {
  return split.countRowParts() * split.countStripParts();
}

/// As countOps, but loops by parts are as short as these.
static int64_t countWithLoops(Operation *op, Dimensions tile) {
  int64_t count = 0;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    auto loop = dyn_cast<scf::ForOp>(inner);
    std::optional<Split> split = loop ? chooseSplit(loop, tile) : std::nullopt;
    count += split ? countOps(loop) / countParts(*split) : countOp(inner);
    return split ? WalkResult::skip() : WalkResult::advance();
  });
  return count;
}

bool pyk::simd::isMoreCode(Block &body, Dimensions tile, int64_t most) {
  int64_t code = 0;
  for (Operation &op : body)
    code += countOps(&op);
  // Of most kernels nothing more has to be found out.
  if (code <= most)
    return false;
  code = 0;
  for (Operation &op : body)
    code += countWithLoops(&op, tile);
  const Split split = choosePart(tile, getRowsOfParts(body));
  PhasePlan plan(body, split);
  for (const Phase &phase : plan.getPhases())
    for (Operation *op : phase) {
      int64_t whole = countWithLoops(op, tile);
      code -= whole - whole / countParts(split);
    }
  return code > most;
}
