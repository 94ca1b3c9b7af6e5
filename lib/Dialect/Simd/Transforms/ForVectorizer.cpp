// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose bounds all threads share stays what it is. Another goes on as
// long as a thread does, and carries who is on; results are what threads had
// when they left.

#include "ForVectorizer.h"
#include "Vectorizer.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

void ForVectorizer::visit(scf::ForOp op) {
  if (values.isUniform(op.getLowerBound()) &&
      values.isUniform(op.getUpperBound()) && values.isUniform(op.getStep()))
    return visitUniform(op);
  SmallVector<Value> carried =
      values.getFor(op.getRegionIterArgs(), op.getInitArgs());
  RemainingIterations rest = iterations.visitWhole(op, carried);
  if (rest.isLastIteration)
    return iterations.visitLast(op, rest, carried);
  visitMasked(op, rest, carried);
}

void ForVectorizer::visitUniform(scf::ForOp op) {
  SmallVector<Value> initial =
      values.getFor(op.getRegionIterArgs(), op.getInitArgs());
  SmallVector<Type> types(ValueRange(initial).getTypes());
  auto loop = scf::ForOp::create(
      builder, op.getLoc(), values.get(op.getLowerBound()),
      values.get(op.getUpperBound()), values.get(op.getStep()), initial);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = loop.getBody();
  // One that carries nothing ends already.
  if (types.empty())
    body->getTerminator()->erase();
  builder.setInsertionPointToEnd(body);
  values.set(op.getInductionVar(), loop.getInductionVar());
  values.set(op.getRegionIterArgs(), loop.getRegionIterArgs());
  SmallVector<Value> yields = walk.visitArm(op.getRegion(), types);
  scf::YieldOp::create(builder, op.getLoc(), yields);
  values.set(op.getResults(), loop.getResults());
}

Value ForVectorizer::compare(Location loc, arith::CmpIPredicate predicate,
                             Value a, Value b) {
  Dimensions both =
      join(getDimensions(a.getType()), getDimensions(b.getType()));
  Value left = values.stretch(a, both), right = values.stretch(b, both);
  return arith::CmpIOp::create(builder, loc, predicate, left, right);
}

/// Where each thread begins, behind iterations that all have taken.
ForVectorizer::Iteration
ForVectorizer::makeFirst(scf::ForOp op, const RemainingIterations &rest) {
  Value bound = values.get(op.getUpperBound());
  Dimensions counted = values.getExpected(op.getInductionVar());
  Dimensions deciding =
      masks.joinWith(join(join(counted, values.getOwn(op.getUpperBound())),
                          values.getOwn(op.getStep())));
  Value first = values.stretch(rest.counter, counted), active = rest.active;
  if (!active)
    active = masks.makeAnd(
        masks.get(),
        compare(op.getLoc(), arith::CmpIPredicate::slt, first, bound));
  return {first, values.stretch(active, deciding)};
}

/// The iteration behind `iteration`.
ForVectorizer::Iteration ForVectorizer::makeNext(scf::ForOp op,
                                                 const Iteration &iteration) {
  Location loc = op.getLoc();
  Value bound = values.get(op.getUpperBound()), step = values.get(op.getStep());
  // The counter may be at the end of its range.
  Dimensions span = join(getDimensions(iteration.counter.getType()),
                         getDimensions(bound.getType()));
  Value from = values.stretch(iteration.counter, span),
        to = values.stretch(bound, span);
  Value left = arith::SubIOp::create(builder, loc, to, from);
  Value goesOn = compare(loc, arith::CmpIPredicate::ugt, left, step);
  Value by = values.stretch(step, iteration.counter.getType());
  Value next = arith::AddIOp::create(builder, loc, iteration.counter, by);
  return {next, values.stretch(masks.makeAnd(iteration.active, goesOn),
                               iteration.active.getType())};
}

/// Adds to `state`, which ends with what `op` carries, what threads that are
/// off have, by result of which iterations carry something else for those that
/// are on; returns of which.
SmallVector<bool> ForVectorizer::addKept(scf::ForOp op,
                                         SmallVectorImpl<Value> &state) {
  SmallVector<Value> carried(
      ArrayRef<Value>(state).take_back(op.getNumResults()));
  SmallVector<bool> keepsOwn;
  for (auto [argument, value, result] :
       llvm::zip(op.getRegionIterArgs(), carried, op.getResults())) {
    Dimensions size = values.getExpected(argument),
               whole = values.getExpected(result);
    keepsOwn.push_back((size != whole || values.movesWithThreads(argument)) &&
                       !result.use_empty());
    if (keepsOwn.back())
      state.push_back(values.stretch(value, whole));
  }
  return keepsOwn;
}

/// The counter and who is on come before what a loop carries.
static constexpr size_t kCarried = 2;

/// Writes `op` as a loop that goes on while any thread does.
void ForVectorizer::visitMasked(scf::ForOp op, const RemainingIterations &rest,
                                ArrayRef<Value> carried) {
  Location loc = op.getLoc();
  auto [first, active] = makeFirst(op, rest);
  SmallVector<Value> state = {first, active};
  llvm::append_range(state, carried);
  SmallVector<bool> keepsOwn = addKept(op, state);
  SmallVector<Type> types(ValueRange(state).getTypes());
  auto loop = scf::WhileOp::create(builder, loc, types, state);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), loc);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  Value some =
      AnyOp::create(builder, loc, builder.getI1Type(), before->getArgument(1));
  scf::ConditionOp::create(builder, loc, some, before->getArguments());
  builder.createBlock(&loop.getAfter(), {}, types, locations);
  writeIteration(op, loop, keepsOwn);
  size_t own = kCarried + carried.size();
  for (auto [index, result] : llvm::enumerate(op.getResults()))
    values.set(result,
               loop.getResult(keepsOwn[index] ? own++ : kCarried + index));
}

/// Writes what threads that are on do in an iteration of `op`, which has become
/// `loop`.
void ForVectorizer::writeIteration(scf::ForOp op, scf::WhileOp loop,
                                   ArrayRef<bool> keepsOwn) {
  ValueRange arguments = loop.getAfterArguments();
  Iteration iteration = {arguments[0], arguments[1]};
  values.set(op.getInductionVar(), iteration.counter);
  values.set(op.getRegionIterArgs(), arguments.drop_front(kCarried));
  {
    Masks::Scope threads(masks, iteration.active);
    walk.visitBlock(*op.getBody());
  }
  Iteration following = makeNext(op, iteration);
  SmallVector<Value> next = {following.counter, following.active}, kept;
  size_t own = kCarried + op.getNumResults();
  for (auto [index, yield] :
       llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
    Value old = arguments[kCarried + index], result = op.getResult(index);
    Value value = values.stretch(values.get(yield), old.getType());
    if (keepsOwn[index])
      kept.push_back(
          masks.keepOld(iteration.active, value, arguments[own++], result));
    else if (!result.use_empty())
      value = masks.keepOld(iteration.active, value, old, result);
    next.push_back(value);
  }
  llvm::append_range(next, kept);
  scf::YieldOp::create(builder, op.getLoc(), next);
}
