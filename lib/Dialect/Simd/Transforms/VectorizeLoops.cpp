// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops. One that all threads leave at a time stays what it is. Another goes on
// as long as a thread does, and carries who is on; results are what threads had
// when they left.

#include "Vectorizer.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

bool Vectorizer::movesWithThreads(Value argument) const {
  LaneShape shape = shapes.getShape(argument);
  for (unsigned axis = 0; axis != LaneShape::kAxes; ++axis)
    if (const LaneStride &stride = shape.getStride(axis);
        !stride.isZero() && !stride.isVarying())
      return true;
  return false;
}

Value Vectorizer::keepOld(Value active, Value value, Value old, Value result) {
  Value reduced =
      reduceMask(active, tile.getVaryingDimensions(shapes.getShape(result)));
  return reduced ? makeSelect(reduced, value, old)
                 : stretch(value, getDimensions(old.getType()));
}

void Vectorizer::visitFor(scf::ForOp op) {
  if (isUniform(op.getLowerBound()) && isUniform(op.getUpperBound()) &&
      isUniform(op.getStep()))
    return visitUniformFor(op);

  Location loc = op.getLoc();
  Type counter = op.getInductionVar().getType();
  Type counterType = getTypeWith(counter, getExpected(op.getInductionVar()));
  SmallVector<Value> initial;
  for (auto [argument, value] :
       llvm::zip(op.getRegionIterArgs(), op.getInitArgs()))
    initial.push_back(stretch(get(value), getExpected(argument)));
  auto [first, active, isLastTurn] = visitWholeTurns(op, initial);
  if (isLastTurn)
    return visitLastTurn(op, first, active, initial);
  Value bound = get(op.getUpperBound()), step = get(op.getStep());
  Dimensions deciding =
      join(getDimensions(counterType), getDimensions(bound.getType()));
  deciding = join(deciding, getDimensions(step.getType()));
  if (mask)
    deciding = join(deciding, getDimensions(mask.getType()));
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    Dimensions both =
        join(getDimensions(a.getType()), getDimensions(b.getType()));
    Value left = stretch(a, both), right = stretch(b, both);
    return arith::CmpIOp::create(builder, loc, predicate, left, right);
  };
  first = stretch(first, counterType);
  if (!active)
    active = makeAnd(mask, compare(arith::CmpIPredicate::slt, first, bound));
  active = stretch(active, deciding);

  // The counter, who is on, what the loop carries, and, of what threads that
  // are on have in common, what those have that are off.
  SmallVector<Value> state = {first, active};
  SmallVector<bool> keepsOwn;
  llvm::append_range(state, initial);
  for (auto [argument, value, result] :
       llvm::zip(op.getRegionIterArgs(), initial, op.getResults())) {
    Dimensions size = getExpected(argument), whole = getExpected(result);
    keepsOwn.push_back((size != whole || movesWithThreads(argument)) &&
                       !result.use_empty());
    if (keepsOwn.back())
      state.push_back(stretch(value, whole));
  }
  SmallVector<Type> types;
  for (Value value : state)
    types.push_back(value.getType());
  auto loop = scf::WhileOp::create(builder, loc, types, state);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), loc);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  Value some =
      AnyOp::create(builder, loc, builder.getI1Type(), before->getArgument(1));
  scf::ConditionOp::create(builder, loc, some, before->getArguments());
  Block *body = builder.createBlock(&loop.getAfter(), {}, types, locations);
  set(op.getInductionVar(), body->getArgument(0));
  size_t carried = op.getNumRegionIterArgs();
  for (auto [index, argument] : llvm::enumerate(op.getRegionIterArgs()))
    set(argument, body->getArgument(2 + index));
  Value outer = mask;
  mask = active = body->getArgument(1);
  visitBlock(*op.getBody());
  mask = outer;
  Value last = body->getArgument(0);
  // The counter may be at the end of its range.
  Dimensions span =
      join(getDimensions(last.getType()), getDimensions(bound.getType()));
  Value from = stretch(last, span), to = stretch(bound, span);
  Value left = arith::SubIOp::create(builder, loc, to, from);
  Value goesOn = compare(arith::CmpIPredicate::ugt, left, step);
  Value by = stretch(step, counterType);
  SmallVector<Value> next = {arith::AddIOp::create(builder, loc, last, by),
                             stretch(makeAnd(active, goesOn), deciding)};
  size_t own = 2 + carried;
  SmallVector<Value> kept;
  for (auto [index, yield] :
       llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
    Value old = body->getArgument(2 + index), result = op.getResult(index);
    Value value = stretch(get(yield), old.getType());
    if (keepsOwn[index]) {
      kept.push_back(keepOld(active, value, body->getArgument(own++), result));
      next.push_back(value);
    } else if (result.use_empty()) {
      next.push_back(value);
    } else {
      next.push_back(keepOld(active, value, old, result));
    }
  }
  llvm::append_range(next, kept);
  scf::YieldOp::create(builder, loc, next);
  own = 2 + carried;
  for (auto [index, result] : llvm::enumerate(op.getResults()))
    set(result, loop.getResult(keepsOwn[index] ? own++ : 2 + index));
}

void Vectorizer::visitUniformFor(scf::ForOp op) {
  SmallVector<Value> initial;
  SmallVector<Type> types;
  for (auto [argument, value] :
       llvm::zip(op.getRegionIterArgs(), op.getInitArgs())) {
    initial.push_back(stretch(get(value), getExpected(argument)));
    types.push_back(initial.back().getType());
  }
  auto loop =
      scf::ForOp::create(builder, op.getLoc(), get(op.getLowerBound()),
                         get(op.getUpperBound()), get(op.getStep()), initial);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = loop.getBody();
  // One that carries nothing ends already.
  if (types.empty())
    body->getTerminator()->erase();
  builder.setInsertionPointToEnd(body);
  set(op.getInductionVar(), loop.getInductionVar());
  for (auto [old, argument] :
       llvm::zip(op.getRegionIterArgs(), loop.getRegionIterArgs()))
    set(old, argument);
  SmallVector<Value> yields = visitArm(op.getRegion(), types);
  scf::YieldOp::create(builder, op.getLoc(), yields);
  for (auto [old, result] : llvm::zip(op.getResults(), loop.getResults()))
    set(old, result);
}

void Vectorizer::visitWhile(scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  if (shapes.getShape(condition.getCondition()).hasNoAxis() ||
      isScalar(getExpected(condition.getCondition())))
    return visitUniformWhile(op);

  Location loc = op.getLoc();
  Dimensions deciding = getExpected(condition.getCondition());
  if (mask)
    deciding = join(deciding, getDimensions(mask.getType()));
  Value active = mask ? stretch(mask, deciding) : makeConstant(true, deciding);

  // What the loop carries, who is on, and the results.
  SmallVector<Value> state;
  for (auto [argument, initial] :
       llvm::zip(op.getBeforeArguments(), op.getInits()))
    state.push_back(stretch(get(initial), getExpected(argument)));
  size_t carried = state.size();
  state.push_back(active);
  // By result, whether it needs a value of its own; an argument that is handed
  // on as it is holds what threads have that are off.
  SmallVector<bool> keepsOwn;
  SmallVector<std::optional<unsigned>> argumentOf;
  for (auto [result, forwarded, after] : llvm::zip(
           op.getResults(), condition.getArgs(), op.getAfterArguments())) {
    Dimensions whole = getExpected(result);
    auto argument = dyn_cast<BlockArgument>(forwarded);
    bool isHandedOn =
        argument && argument.getOwner() == op.getBeforeBody() &&
        !movesWithThreads(argument) &&
        getDimensions(state[argument.getArgNumber()].getType()) == whole;
    argumentOf.push_back(isHandedOn ? std::optional(argument.getArgNumber())
                                    : std::nullopt);
    keepsOwn.push_back(!isHandedOn && !result.use_empty());
    if (keepsOwn.back())
      state.push_back(makeZero(loc, getTypeWith(result.getType(), whole)));
  }
  SmallVector<Type> types;
  for (Value value : state)
    types.push_back(value.getType());
  SmallVector<Type> forwardedTypes;
  for (auto [forwarded, after] :
       llvm::zip(condition.getArgs(), op.getAfterArguments()))
    forwardedTypes.push_back(getTypeWith(
        forwarded.getType(), join(getExpected(forwarded), getExpected(after))));
  size_t forwardedCount = forwardedTypes.size();
  llvm::append_range(forwardedTypes, ArrayRef(types).drop_front(carried));
  auto loop = scf::WhileOp::create(builder, loc, forwardedTypes, state);
  OpBuilder::InsertionGuard guard(builder);
  Value outer = mask;

  SmallVector<Location> locations(types.size(), loc);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  for (auto [old, argument] :
       llvm::zip(op.getBeforeArguments(), before->getArguments()))
    set(old, argument);
  mask = active = before->getArgument(carried);
  visitBlock(*op.getBeforeBody());
  Value goesOn =
      stretch(makeAnd(active, get(condition.getCondition())), deciding);
  SmallVector<Value> forwarded;
  for (auto [value, type] : llvm::zip(condition.getArgs(), forwardedTypes))
    forwarded.push_back(stretch(get(value), type));
  forwarded.push_back(goesOn);
  size_t own = carried + 1;
  for (auto [index, value] : llvm::enumerate(condition.getArgs()))
    if (keepsOwn[index]) {
      Value kept = before->getArgument(own++);
      forwarded.push_back(
          keepOld(active, get(value), kept, op.getResult(index)));
    }
  Value some = AnyOp::create(builder, loc, builder.getI1Type(), goesOn);
  scf::ConditionOp::create(builder, loc, some, forwarded);

  locations.assign(forwardedTypes.size(), loc);
  Block *body =
      builder.createBlock(&loop.getAfter(), {}, forwardedTypes, locations);
  for (auto [old, argument] :
       llvm::zip(op.getAfterArguments(), body->getArguments()))
    set(old, argument);
  mask = active = body->getArgument(forwardedCount);
  visitBlock(*op.getAfterBody());
  mask = outer;
  SmallVector<Value> next;
  for (auto [index, yield] : llvm::enumerate(op.getYieldOp().getOperands())) {
    Value value = stretch(get(yield), types[index]);
    // Where it is handed on, those that are off keep theirs.
    for (auto [position, argument] : llvm::enumerate(argumentOf))
      if (argument == index && !op.getResult(position).use_empty()) {
        value = keepOld(active, value, body->getArgument(position),
                        op.getResult(position));
        break;
      }
    next.push_back(value);
  }
  llvm::append_range(next, body->getArguments().drop_front(forwardedCount));
  scf::YieldOp::create(builder, loc, next);

  own = forwardedCount + 1;
  for (auto [index, result] : llvm::enumerate(op.getResults()))
    set(result, loop.getResult(keepsOwn[index] ? own++ : index));
}

void Vectorizer::visitUniformWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> state;
  SmallVector<Type> types, forwardedTypes;
  for (auto [argument, initial] :
       llvm::zip(op.getBeforeArguments(), op.getInits())) {
    state.push_back(stretch(get(initial), getExpected(argument)));
    types.push_back(state.back().getType());
  }
  scf::ConditionOp condition = op.getConditionOp();
  for (auto [value, argument] :
       llvm::zip(condition.getArgs(), op.getAfterArguments()))
    forwardedTypes.push_back(getTypeWith(
        value.getType(), join(getExpected(value), getExpected(argument))));
  auto loop = scf::WhileOp::create(builder, loc, forwardedTypes, state);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), loc);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  for (auto [old, argument] :
       llvm::zip(op.getBeforeArguments(), before->getArguments()))
    set(old, argument);
  visitBlock(*op.getBeforeBody());
  SmallVector<Value> forwarded;
  for (auto [value, type] : llvm::zip(condition.getArgs(), forwardedTypes))
    forwarded.push_back(stretch(get(value), type));
  scf::ConditionOp::create(builder, loc, get(condition.getCondition()),
                           forwarded);
  locations.assign(forwardedTypes.size(), loc);
  Block *body =
      builder.createBlock(&loop.getAfter(), {}, forwardedTypes, locations);
  for (auto [old, argument] :
       llvm::zip(op.getAfterArguments(), body->getArguments()))
    set(old, argument);
  SmallVector<Value> yields = visitArm(op.getAfter(), types);
  scf::YieldOp::create(builder, loc, yields);
  for (auto [old, result] : llvm::zip(op.getResults(), loop.getResults()))
    set(old, result);
}
