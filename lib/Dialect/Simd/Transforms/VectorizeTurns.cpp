// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which each thread counts from a number of its own, and by steps that
// all share: the turns that all take need no mask.

#include "Vectorizer.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// Where threads begin at steps from each other and share the rest, as in
/// `for i in range(threadIdx.x, n, blockDim.x)`, writes the turns that all of
/// them take, without masks. `carried` is what the loop carries, before and
/// behind these turns.
Vectorizer::RestOfTurns
Vectorizer::visitWholeTurns(scf::ForOp op, SmallVectorImpl<Value> &carried) {
  Value lower = get(op.getLowerBound());
  const LaneShape &shape = shapes.getShape(op.getLowerBound());
  std::optional<Dimensions> least = tile.getCorner(shape, /*greatest=*/false);
  if (mask || !least || isUniform(op.getLowerBound()) ||
      !isUniform(op.getUpperBound()) || !isUniform(op.getStep()))
    return {lower, {}, false};

  Location loc = op.getLoc();
  Type type = op.getInductionVar().getType();
  Value end = get(op.getUpperBound()), step = get(op.getStep());
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  // How far each thread is ahead of the last one, and the first.
  DenseIntElementsAttr ahead = tile.getSteps(type, shape, *least);
  Value steps = arith::ConstantOp::create(builder, loc, ahead);
  SmallVector<int64_t> place;
  for (auto [dimension, low] :
       llvm::zip(getDimensions(steps.getType()), *least))
    place.push_back(dimension == 1 ? 0 : low);
  Value begin = vector::ExtractOp::create(builder, loc, lower, place);
  APInt span = *llvm::max_element(
      ahead.getValues<APInt>(),
      [](const APInt &a, const APInt &b) { return a.ult(b); });
  Value most = arith::ConstantOp::create(builder, loc,
                                         builder.getIntegerAttr(type, span));

  // Nothing wraps: what is left is more than 0, whatever its sign.
  Value some = compare(arith::CmpIPredicate::slt, begin, end);
  Value left = arith::SubIOp::create(builder, loc, end, begin);
  Value isWhole = compare(arith::CmpIPredicate::ugt, left, most);
  isWhole = arith::AndIOp::create(builder, loc, some, isWhole);
  Value wholeEnd = arith::SelectOp::create(
      builder, loc, isWhole, arith::SubIOp::create(builder, loc, end, most),
      begin);

  // Beside what it carries, where the next turn begins, and whether it does.
  SmallVector<Value> state(carried.begin(), carried.end());
  llvm::append_values(state, begin, some);
  auto loop = scf::ForOp::create(builder, loc, begin, wholeEnd, step, state);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value counter = loop.getInductionVar();
    auto size = cast<VectorType>(steps.getType());
    set(op.getInductionVar(),
        arith::AddIOp::create(
            builder, loc,
            vector::BroadcastOp::create(builder, loc, size, counter), steps));
    for (auto [old, argument] :
         llvm::zip(op.getRegionIterArgs(), loop.getRegionIterArgs()))
      set(old, argument);
    SmallVector<Type> types;
    for (Value value : carried)
      types.push_back(value.getType());
    SmallVector<Value> next = visitArm(op.getRegion(), types);
    Value rest = arith::SubIOp::create(builder, loc, end, counter);
    llvm::append_values(next,
                        arith::AddIOp::create(builder, loc, counter, step),
                        compare(arith::CmpIPredicate::ugt, rest, step));
    scf::YieldOp::create(builder, loc, next);
  }
  for (auto [value, result] : llvm::zip(carried, loop.getResults()))
    value = result;
  Value next = loop.getResult(carried.size());
  Value goesOn = loop.getResult(carried.size() + 1);
  auto stretchTo = [&](Value value) {
    return stretch(value, getDimensions(steps.getType()));
  };
  Value rest = stretchTo(arith::SubIOp::create(builder, loc, end, next));
  Value isLeft = compare(arith::CmpIPredicate::ult, steps, rest);
  Value active = arith::AndIOp::create(builder, loc, stretchTo(goesOn), isLeft);
  // Turns are further from each other than threads.
  APInt turn;
  bool isLastTurn = matchPattern(step, m_ConstantInt(&turn)) && turn.ugt(span);
  return {arith::AddIOp::create(builder, loc, stretchTo(next), steps), active,
          isLastTurn};
}

/// Writes one turn for threads in `active`, if there are any, whose counter is
/// `counter`.
void Vectorizer::visitLastTurn(scf::ForOp op, Value counter, Value active,
                               ArrayRef<Value> carried) {
  Location loc = op.getLoc();
  SmallVector<Value> old;
  SmallVector<Type> types;
  for (auto [value, result] : llvm::zip(carried, op.getResults())) {
    old.push_back(stretch(value, getExpected(result)));
    types.push_back(old.back().getType());
  }
  auto turn = scf::IfOp::create(builder, loc, types, makeAny(active),
                                /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&turn.getThenRegion().front());
  set(op.getInductionVar(), counter);
  for (auto [argument, value] : llvm::zip(op.getRegionIterArgs(), carried))
    set(argument, value);
  Value outer = std::exchange(mask, active);
  visitBlock(*op.getBody());
  mask = outer;
  if (types.empty())
    return;
  SmallVector<Value> next;
  for (auto [yield, before, result] : llvm::zip(
           op.getBody()->getTerminator()->getOperands(), old, op.getResults()))
    next.push_back(keepOld(active, get(yield), before, result));
  scf::YieldOp::create(builder, loc, next);
  builder.setInsertionPointToStart(&turn.getElseRegion().front());
  scf::YieldOp::create(builder, loc, old);
  for (auto [result, value] : llvm::zip(op.getResults(), turn.getResults()))
    set(result, value);
}
