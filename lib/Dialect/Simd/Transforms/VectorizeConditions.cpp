// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions. Those that all threads decide alike stay what they are. Of others
// the arms run one after the other, each under the mask of its threads and only
// if there are any: what is the same for all threads is computed without a look
// at masks.

#include "Meetings.h"
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

/// The terminator of `arm` if it is there, as values.
SmallVector<Value> Vectorizer::visitArm(Region &arm, ArrayRef<Type> types) {
  SmallVector<Value> yields;
  if (arm.empty())
    return yields;
  visitBlock(arm.front());
  for (auto [value, type] : llvm::zip(getYields(arm), types))
    yields.push_back(stretch(get(value), type));
  return yields;
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

/// Writes the kernel of which `op` is all, for those threads of the tile that
/// `condition` holds for: a loop over single vectors, since few tiles lie at an
/// edge, and code takes time to compile.
void Vectorizer::visitByVectors(scf::IfOp op, Value condition) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  auto some = scf::IfOp::create(builder, loc,
                                makeAny(condition, /*onlyAtCorners=*/false));
  builder.setInsertionPointToStart(&some.getThenRegion().front());
  auto makeNumber = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, row.getType(), number);
  };
  auto loop = [&](Value first, int64_t count) {
    if (count == 1)
      return first;
    Value end = arith::AddIOp::create(builder, loc, first, makeNumber(count),
                                      arith::IntegerOverflowFlags::nsw |
                                          arith::IntegerOverflowFlags::nuw);
    auto made = scf::ForOp::create(builder, loc, first, end, makeNumber(1));
    builder.setInsertionPointToStart(made.getBody());
    return made.getInductionVar();
  };
  Value ownRow = loop(row, tile.getDimensions()[0]);
  Value ownStrip = loop(strip, tile.getDimensions()[1]);
  Tile vector = tile;
  vector.setSize(1, 1);
  Vectorizer inner(vector, shapes, builder);
  inner.isEdge = true;
  Obstacle obstacle = inner.run(*op->getBlock(), ownRow, ownStrip, blockX);
  if (obstacle && !failure)
    failure = obstacle;
}

void Vectorizer::visitIf(scf::IfOp op) {
  if (isUniform(op.getCondition()))
    return visitUniformIf(op);
  if (isCheap(op))
    return selectArms(op);

  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(getTypeWith(result.getType(), getExpected(result)));
  Value condition = get(op.getCondition());
  SmallVector<Value> results;
  // Most blocks lie within the bounds that kernels ask about; of what depends
  // on data, that is not worth the code.
  Value all;
  if (!mask && !isEdge && !matchPattern(condition, m_Constant()))
    all = makeAll(condition, /*onlyAtCorners=*/true);
  if (!all) {
    results = visitMasked(op, condition, types);
  } else {
    auto whole = scf::IfOp::create(builder, op.getLoc(), types, all,
                                   /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&whole.getThenRegion().front());
    SmallVector<Value> yields = visitArm(op.getThenRegion(), types);
    if (!types.empty())
      scf::YieldOp::create(builder, op.getLoc(), yields);
    builder.setInsertionPointToStart(&whole.getElseRegion().front());
    bool isOneVector =
        tile.getDimensions()[0] == 1 && tile.getDimensions()[1] == 1;
    if (!isOneVector && !tile.isLinear() && tile.mayHaveRows(1) &&
        isWholeKernel(op))
      visitByVectors(op, condition);
    else
      yields = visitMasked(op, condition, types);
    if (!types.empty())
      scf::YieldOp::create(builder, op.getLoc(), yields);
    results.assign(whole.result_begin(), whole.result_end());
  }
  for (auto [old, result] : llvm::zip(op.getResults(), results))
    set(old, result);
}

void Vectorizer::visitUniformIf(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(getTypeWith(result.getType(), getExpected(result)));
  auto copy =
      scf::IfOp::create(builder, op.getLoc(), types, get(op.getCondition()),
                        !op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] :
       {std::pair(&op.getThenRegion(), &copy.getThenRegion()),
        std::pair(&op.getElseRegion(), &copy.getElseRegion())}) {
    if (from->empty())
      continue;
    builder.setInsertionPointToStart(&to->front());
    SmallVector<Value> yields = visitArm(*from, types);
    if (!types.empty())
      scf::YieldOp::create(builder, op.getLoc(), yields);
  }
  for (auto [old, result] : llvm::zip(op.getResults(), copy.getResults()))
    set(old, result);
}

void Vectorizer::selectArms(scf::IfOp op) {
  for (Region *arm : {&op.getThenRegion(), &op.getElseRegion()})
    if (!arm->empty())
      visitBlock(arm->front());
  if (op.getNumResults() == 0)
    return;
  SmallVector<Value> yields = getYields(op.getThenRegion());
  SmallVector<Value> others = getYields(op.getElseRegion());
  for (auto [result, yield, other] : llvm::zip(op.getResults(), yields, others))
    set(result,
        choose(get(op.getCondition()), yield, other, get(yield), get(other)));
}

static bool isPoison(Value value) {
  return value.getDefiningOp<ub::PoisonOp>() != nullptr;
}

/// What threads get of two arms that yield `yield` and `other`, as `ifTrue` and
/// `ifFalse`; where one is poison, all may get the other.
Value Vectorizer::choose(Value condition, Value yield, Value other,
                         Value ifTrue, Value ifFalse) {
  // What both have is the same for all threads if it was before.
  if (yield == other && values.contains(yield))
    return get(yield);
  if (isPoison(other))
    return ifTrue;
  return isPoison(yield) ? ifFalse : makeSelect(condition, ifTrue, ifFalse);
}

/// Runs `arm` for the threads of `newMask` if there are any, which `some` says.
SmallVector<Value> Vectorizer::runUnder(Value some, Value newMask, Region &arm,
                                        ArrayRef<Type> types) {
  Location loc = newMask.getLoc();
  auto makeNone = [&] {
    SmallVector<Value> none;
    for (Type type : types)
      none.push_back(makeZero(loc, type));
    return none;
  };
  APInt known;
  if (matchPattern(some, m_ConstantInt(&known))) {
    if (known.isZero())
      return makeNone();
    Value outer = std::exchange(mask, newMask);
    SmallVector<Value> yields = visitArm(arm, types);
    mask = outer;
    return yields;
  }
  auto condition = scf::IfOp::create(builder, loc, types, some,
                                     /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(builder);
  Value outer = mask;
  mask = newMask;
  builder.setInsertionPointToStart(&condition.getThenRegion().front());
  SmallVector<Value> yields = visitArm(arm, types);
  mask = outer;
  if (!types.empty()) {
    scf::YieldOp::create(builder, loc, yields);
    builder.setInsertionPointToStart(&condition.getElseRegion().front());
    scf::YieldOp::create(builder, loc, makeNone());
  }
  return SmallVector<Value>(condition.getResults());
}

SmallVector<Value> Vectorizer::visitMasked(scf::IfOp op, Value condition,
                                           ArrayRef<Type> types) {
  Value thenMask = makeAnd(mask, condition);
  SmallVector<Value> results =
      runUnder(mask ? makeAny(thenMask) : makeAny(condition), thenMask,
               op.getThenRegion(), types);
  Region &otherwise = op.getElseRegion();
  bool hasElse =
      !otherwise.empty() &&
      (!types.empty() || !otherwise.front().without_terminator().empty());
  if (!hasElse)
    return results;
  Value negated = makeNot(condition);
  Value elseMask = makeAnd(mask, negated);
  SmallVector<Value> others = runUnder(
      mask ? makeAny(elseMask) : makeAny(negated), elseMask, otherwise, types);
  if (types.empty())
    return results;
  SmallVector<Value> yields = getYields(op.getThenRegion());
  SmallVector<Value> otherYields = getYields(otherwise);
  for (auto [result, other, yield, otherYield, type] :
       llvm::zip(results, others, yields, otherYields, types))
    result = stretch(choose(condition, yield, otherYield, result, other), type);
  return results;
}
