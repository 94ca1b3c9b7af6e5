// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which each thread counts from a number of its own, and by steps that
// all share: the iterations that all take need no mask.

#include "IterationVectorizer.h"
#include "Vectorizer.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// Writes an iteration of `op` that all threads take, as one of `loop`, whose
/// counter is that of the last of them; `steps` is how far each is ahead.
void IterationVectorizer::writeIteration(scf::ForOp op, scf::ForOp loop,
                                         Value steps) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value counter = loop.getInductionVar(), step = loop.getStep();
  auto size = cast<VectorType>(steps.getType());
  Value wide = vector::BroadcastOp::create(builder, loc, size, counter);
  values.set(op.getInductionVar(),
             arith::AddIOp::create(builder, loc, wide, steps));
  values.set(op.getRegionIterArgs(), loop.getRegionIterArgs());
  SmallVector<Type> types(
      loop.getResults().take_front(op.getNumResults()).getTypes());
  SmallVector<Value> next = walk.visitArm(op.getRegion(), types);
  // Where the next iteration begins, and whether it does.
  Value rest = arith::SubIOp::create(builder, loc,
                                     values.get(op.getUpperBound()), counter);
  llvm::append_values(next, arith::AddIOp::create(builder, loc, counter, step),
                      arith::CmpIOp::create(
                          builder, loc, arith::CmpIPredicate::ugt, rest, step));
  scf::YieldOp::create(builder, loc, next);
}

RemainingIterations
IterationVectorizer::visitWhole(scf::ForOp op,
                                SmallVectorImpl<Value> &carried) {
  Value lower = values.get(op.getLowerBound());
  const LaneShape &shape = values.getShapes().getShape(op.getLowerBound());
  std::optional<Dimensions> least =
      values.getTile().getCorner(shape, /*greatest=*/false);
  if (masks.get() || !least || values.isUniform(op.getLowerBound()) ||
      !values.isUniform(op.getUpperBound()) || !values.isUniform(op.getStep()))
    return {lower, {}, false};

  Location loc = op.getLoc();
  Type type = op.getInductionVar().getType();
  Value end = values.get(op.getUpperBound()), step = values.get(op.getStep());
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  // How far each thread is ahead of the last one, and the first.
  DenseIntElementsAttr ahead = values.getTile().getSteps(type, shape, *least);
  Value steps = arith::ConstantOp::create(builder, loc, ahead);
  SmallVector<int64_t> position;
  for (auto [dimension, low] :
       llvm::zip(getDimensions(steps.getType()), *least))
    position.push_back(dimension == 1 ? 0 : low);
  Value begin = vector::ExtractOp::create(builder, loc, lower, position);
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

  // Beside what it carries, where the next iteration begins, and whether it
  // does.
  SmallVector<Value> state(carried.begin(), carried.end());
  llvm::append_values(state, begin, some);
  auto loop = scf::ForOp::create(builder, loc, begin, wholeEnd, step, state);
  writeIteration(op, loop, steps);
  for (auto [value, result] : llvm::zip(carried, loop.getResults()))
    value = result;
  Value next = loop.getResult(carried.size());
  Value goesOn = loop.getResult(carried.size() + 1);
  auto stretchTo = [&](Value value) {
    return values.stretch(value, getDimensions(steps.getType()));
  };
  Value rest = stretchTo(arith::SubIOp::create(builder, loc, end, next));
  Value isLeft = compare(arith::CmpIPredicate::ult, steps, rest);
  Value active = arith::AndIOp::create(builder, loc, stretchTo(goesOn), isLeft);
  // Iterations are further from each other than threads.
  APInt stride;
  bool isLastIteration =
      matchPattern(step, m_ConstantInt(&stride)) && stride.ugt(span);
  return {arith::AddIOp::create(builder, loc, stretchTo(next), steps), active,
          isLastIteration};
}

void IterationVectorizer::visitLast(scf::ForOp op,
                                    const RemainingIterations &rest,
                                    ArrayRef<Value> carried) {
  Location loc = op.getLoc();
  SmallVector<Value> old;
  SmallVector<Type> types;
  for (auto [value, result] : llvm::zip(carried, op.getResults())) {
    old.push_back(values.stretch(value, values.getExpected(result)));
    types.push_back(old.back().getType());
  }
  auto iteration =
      scf::IfOp::create(builder, loc, types, masks.makeAny(rest.active),
                        /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&iteration.getThenRegion().front());
  values.set(op.getInductionVar(), rest.counter);
  values.set(op.getRegionIterArgs(), carried);
  {
    Masks::Scope threads(masks, rest.active);
    walk.visitBlock(*op.getBody());
  }
  if (types.empty())
    return;
  SmallVector<Value> next;
  for (auto [yield, before, result] : llvm::zip(
           op.getBody()->getTerminator()->getOperands(), old, op.getResults()))
    next.push_back(
        masks.keepOld(rest.active, values.get(yield), before, result));
  scf::YieldOp::create(builder, loc, next);
  builder.setInsertionPointToStart(&iteration.getElseRegion().front());
  scf::YieldOp::create(builder, loc, old);
  values.set(op.getResults(), iteration.getResults());
}
