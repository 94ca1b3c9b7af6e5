// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions. Those that all threads decide alike stay what they are. Of others
// the arms run one after the other, each under the mask of its threads and only
// if there are any: what is the same for all threads is computed without a look
// at masks.

#include "ConditionVectorizer.h"
#include "LaneMath.h"
#include "Meetings.h"
#include "Plan.h"
#include "Vectorizer.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// Arms of no more ops than this run for all threads, if they may.
static constexpr unsigned kMaxSelectedOps = 8;
/// Kernels of more conditions have one form of each (decision 14).
static constexpr size_t kMostConditionsTwice = 64;

/// Whether to run `arm` for all threads does no harm and costs no more than
/// `budget` ops, from which it is subtracted.
static bool isCheap(Region &arm, unsigned &budget) {
  if (arm.empty())
    return true;
  for (Operation &op : arm.front().without_terminator()) {
    // Extents of arrays are parameters of the kernel.
    if (op.hasTrait<OpTrait::ConstantLike>() || isa<DimOp>(op))
      continue;
    // What `a and b and c` is made of.
    if (auto inner = dyn_cast<scf::IfOp>(op)) {
      if (!isCheap(inner.getThenRegion(), budget) ||
          !isCheap(inner.getElseRegion(), budget))
        return false;
      continue;
    }
    if (op.getNumRegions() != 0 || !isPure(&op) || !hasVectorForm(&op) ||
        hasFormula(&op) || budget == 0)
      return false;
    --budget;
  }
  return true;
}

/// Whether both arms of `op` are that, each.
static bool isCheap(scf::IfOp op) {
  return llvm::all_of(op->getRegions(), [](Region &arm) {
    unsigned budget = kMaxSelectedOps;
    return isCheap(arm, budget);
  });
}

static SmallVector<Value> getYields(Region &arm) {
  return SmallVector<Value>(arm.front().getTerminator()->getOperands());
}

/// Whether the first arm of `op` is all that its kernel does, and threads may
/// do it in any order: then those of a tile may as well go vector by vector.
/// Loops stay, of which the vectors of a tile share what they load.
static bool isWholeKernel(scf::IfOp op) {
  Region &otherwise = op.getElseRegion();
  if (!otherwise.empty() && !otherwise.front().without_terminator().empty())
    return false;
  if (op.getNumResults() != 0 || !isa<gpu::GPUFuncOp>(op->getParentOp()) ||
      !op->getNextNode()->hasTrait<OpTrait::IsTerminator>())
    return false;
  // What comes before is done again for each vector.
  for (Operation &before : *op->getBlock()) {
    if (&before == op)
      break;
    auto condition = dyn_cast<scf::IfOp>(before);
    bool isShort = condition
                       ? isCheap(condition)
                       : before.getNumRegions() == 0 && !hasFormula(&before);
    if (!isShort || !isMemoryEffectFree(&before))
      return false;
  }
  return !op.walk([](Operation *inner) {
              bool mayGo =
                  (inner->getNumRegions() == 0 || isa<scf::IfOp>(inner)) &&
                  !isOfWarp(inner) && !isa<BarrierOp, AllocOp>(inner);
              return mayGo ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

/// Writes the kernel of which `op` is all, for those threads of the tile for
/// which its condition holds: a loop over single vectors, since few tiles lie
/// at an edge, and code takes time to compile.
void ConditionVectorizer::visitByVectors(scf::IfOp op) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  auto some = scf::IfOp::create(builder, loc,
                                masks.makeAny(values.get(op.getCondition())));
  builder.setInsertionPointToStart(&some.getThenRegion().front());
  auto goFrom = [&](Value first, int64_t count) {
    if (count == 1)
      return first;
    Value length =
        arith::ConstantIntOp::create(builder, loc, first.getType(), count);
    Value end = arith::AddIOp::create(builder, loc, first, length,
                                      arith::IntegerOverflowFlags::nsw |
                                          arith::IntegerOverflowFlags::nuw);
    return beginLoop(builder, loc, first, end, /*step=*/1);
  };
  Tile vector = values.getTile();
  TilePosition own = position;
  own.row = goFrom(position.row, vector.getDimensions()[0]);
  own.strip = goFrom(position.strip, vector.getDimensions()[1]);
  vector.setSize(1, 1);
  Vectorizer inner(vector, own, values.getShapes(), builder, /*isEdge=*/true);
  Obstacle found = inner.run(*op->getBlock());
  if (found && !obstacle)
    obstacle = found;
}

SmallVector<Type> ConditionVectorizer::getTypes(scf::IfOp op) const {
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(values.getExpectedType(result));
  return types;
}

void ConditionVectorizer::begin(Block &body) {
  size_t count = 0;
  body.walk([&](scf::IfOp) { ++count; });
  writesTwice &= count <= kMostConditionsTwice;
}

void ConditionVectorizer::visit(scf::IfOp op) {
  if (values.isUniform(op.getCondition()))
    return visitUniform(op);
  if (isCheap(op))
    return selectArms(op);
  Value condition = values.get(op.getCondition());
  // Most blocks lie within the bounds that kernels ask about; of what depends
  // on data, that is not worth the code.
  Value isWhole;
  if (!masks.get() && writesTwice && !matchPattern(condition, m_Constant()))
    isWhole = masks.makeAll(condition, /*onlyAtCorners=*/true);
  if (isWhole)
    return visitTwice(op, isWhole);
  values.set(op.getResults(), visitMasked(op, getTypes(op)));
}

/// Writes the first arm of `op` without masks, for tiles of which `isWhole`
/// says that all threads are in it, and all of `op` with masks for others.
void ConditionVectorizer::visitTwice(scf::IfOp op, Value isWhole) {
  SmallVector<Type> types = getTypes(op);
  auto whole = scf::IfOp::create(builder, op.getLoc(), types, isWhole,
                                 /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&whole.getThenRegion().front());
  SmallVector<Value> yields = walk.visitArm(op.getThenRegion(), types);
  if (!types.empty())
    scf::YieldOp::create(builder, op.getLoc(), yields);
  builder.setInsertionPointToStart(&whole.getElseRegion().front());
  const Tile &tile = values.getTile();
  bool isOneVector =
      tile.getDimensions()[0] == 1 && tile.getDimensions()[1] == 1;
  if (!isOneVector && !tile.isLinear() && tile.mayHaveRows(1) &&
      isWholeKernel(op))
    visitByVectors(op);
  else
    yields = visitMasked(op, types);
  if (!types.empty())
    scf::YieldOp::create(builder, op.getLoc(), yields);
  values.set(op.getResults(), whole.getResults());
}

void ConditionVectorizer::visitUniform(scf::IfOp op) {
  SmallVector<Type> types = getTypes(op);
  auto copy = scf::IfOp::create(builder, op.getLoc(), types,
                                values.get(op.getCondition()),
                                !op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] :
       {std::pair(&op.getThenRegion(), &copy.getThenRegion()),
        std::pair(&op.getElseRegion(), &copy.getElseRegion())}) {
    if (from->empty())
      continue;
    builder.setInsertionPointToStart(&to->front());
    SmallVector<Value> yields = walk.visitArm(*from, types);
    if (!types.empty())
      scf::YieldOp::create(builder, op.getLoc(), yields);
  }
  values.set(op.getResults(), copy.getResults());
}

void ConditionVectorizer::selectArms(scf::IfOp op) {
  for (Region *arm : {&op.getThenRegion(), &op.getElseRegion()})
    if (!arm->empty())
      walk.visitBlock(arm->front());
  if (op.getNumResults() == 0)
    return;
  SmallVector<Value> yields = getYields(op.getThenRegion());
  SmallVector<Value> others = getYields(op.getElseRegion());
  for (auto [result, yield, other] : llvm::zip(op.getResults(), yields, others))
    values.set(result, choose(values.get(op.getCondition()), yield, other,
                              values.get(yield), values.get(other)));
}

static bool isPoison(Value value) {
  return value.getDefiningOp<ub::PoisonOp>() != nullptr;
}

/// What threads get of two arms that yield `yield` and `other`, as `ifTrue` and
/// `ifFalse`; where one is poison, all may get the other.
Value ConditionVectorizer::choose(Value condition, Value yield, Value other,
                                  Value ifTrue, Value ifFalse) {
  // What both have is the same for all threads if it was before.
  if (yield == other && values.contains(yield))
    return values.get(yield);
  if (isPoison(other))
    return ifTrue;
  return isPoison(yield) ? ifFalse
                         : values.makeSelect(condition, ifTrue, ifFalse);
}

/// Runs `arm` for the threads of `mask` if there are any, which `some` says.
SmallVector<Value> ConditionVectorizer::runUnder(Value some, Value mask,
                                                 Region &arm,
                                                 ArrayRef<Type> types) {
  Location loc = mask.getLoc();
  auto makeNone = [&] {
    SmallVector<Value> none;
    for (Type type : types)
      none.push_back(makeZero(builder, loc, type));
    return none;
  };
  Masks::Scope threads(masks, mask);
  APInt known;
  if (matchPattern(some, m_ConstantInt(&known)))
    return known.isZero() ? makeNone() : walk.visitArm(arm, types);
  auto condition = scf::IfOp::create(builder, loc, types, some,
                                     /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&condition.getThenRegion().front());
  SmallVector<Value> yields = walk.visitArm(arm, types);
  if (!types.empty()) {
    scf::YieldOp::create(builder, loc, yields);
    builder.setInsertionPointToStart(&condition.getElseRegion().front());
    scf::YieldOp::create(builder, loc, makeNone());
  }
  return SmallVector<Value>(condition.getResults());
}

/// Whether the address of `access` has a mask of its own for each thread. An
/// access to one element for all threads has none: it relies on a branch.
bool ConditionVectorizer::takesMask(AccessOpInterface access) const {
  auto address = findAddress(access.getArray(), values.getShapes());
  if (!address)
    return false;
  if (address->isLocal)
    return true;
  Value offset = address->offset;
  return offset && !isScalar(values.getExpected(offset)) &&
         !(values.contains(offset) && values.isUniform(offset));
}

/// Whether `op` checks an access with a mask, which is all that its first arm
/// does, and reports threads that would leave memory. Nearly always all threads
/// are within memory: whether any is within it is not worth a branch.
bool ConditionVectorizer::checksMaskedAccess(scf::IfOp op) const {
  if (op.getElseRegion().empty() || !isTold(op.getElseRegion().front()))
    return false;
  return llvm::all_of(op.getThenRegion().front().without_terminator(),
                      [&](Operation &inner) {
                        if (isa<pyk::LoadOp, pyk::StoreOp>(inner))
                          return takesMask(cast<AccessOpInterface>(inner));
                        return isa<ElementOp>(inner) ||
                               (inner.getNumRegions() == 0 && isPure(&inner) &&
                                hasVectorForm(&inner) && !hasFormula(&inner));
                      });
}

/// Writes one arm of `op` after the other, each for its threads, of those that
/// are on.
SmallVector<Value> ConditionVectorizer::visitMasked(scf::IfOp op,
                                                    ArrayRef<Type> types) {
  Value mask = masks.get(), condition = values.get(op.getCondition());
  Value thenMask = masks.makeAnd(mask, condition);
  Value some =
      checksMaskedAccess(op)
          ? arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1).getResult()
          : masks.makeAny(thenMask);
  SmallVector<Value> results =
      runUnder(some, thenMask, op.getThenRegion(), types);
  Region &otherwise = op.getElseRegion();
  bool hasElse =
      !otherwise.empty() &&
      (!types.empty() || !otherwise.front().without_terminator().empty());
  if (!hasElse)
    return results;
  Value negated = makeNot(builder, condition);
  Value elseMask = masks.makeAnd(mask, negated);
  SmallVector<Value> others =
      runUnder(masks.makeAny(elseMask), elseMask, otherwise, types);
  if (types.empty())
    return results;
  SmallVector<Value> yields = getYields(op.getThenRegion());
  SmallVector<Value> otherYields = getYields(otherwise);
  for (auto [result, other, yield, otherYield, type] :
       llvm::zip(results, others, yields, otherYields, types))
    result = values.stretch(choose(condition, yield, otherYield, result, other),
                            type);
  return results;
}
