// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that all threads leave at a time stays what it is. Another goes on as
// long as a thread does, and carries who is on; results are what threads had
// when they left.

#include "WhileVectorizer.h"
#include "LaneMath.h"
#include "Vectorizer.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

void WhileVectorizer::visit(scf::WhileOp op) {
  Value condition = op.getConditionOp().getCondition();
  if (values.getShapes().getShape(condition).hasNoAxis() ||
      isScalar(values.getExpected(condition)))
    return visitUniform(op);
  visitMasked(op);
}

/// The types of what the condition of `op` hands on.
SmallVector<Type> WhileVectorizer::getForwardedTypes(scf::WhileOp op) const {
  SmallVector<Type> types;
  for (auto [forwarded, after] :
       llvm::zip(op.getConditionOp().getArgs(), op.getAfterArguments()))
    types.push_back(
        getTypeWith(forwarded.getType(), join(values.getExpected(forwarded),
                                              values.getExpected(after))));
  return types;
}

void WhileVectorizer::visitUniform(scf::WhileOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> state =
      values.getFor(op.getBeforeArguments(), op.getInits());
  SmallVector<Type> types(ValueRange(state).getTypes());
  SmallVector<Type> forwardedTypes = getForwardedTypes(op);
  scf::ConditionOp condition = op.getConditionOp();
  auto loop = scf::WhileOp::create(builder, loc, forwardedTypes, state);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), loc);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  values.set(op.getBeforeArguments(), before->getArguments());
  walk.visitBlock(*op.getBeforeBody());
  SmallVector<Value> forwarded;
  for (auto [value, type] : llvm::zip(condition.getArgs(), forwardedTypes))
    forwarded.push_back(values.stretch(values.get(value), type));
  scf::ConditionOp::create(builder, loc, values.get(condition.getCondition()),
                           forwarded);
  locations.assign(forwardedTypes.size(), loc);
  Block *body =
      builder.createBlock(&loop.getAfter(), {}, forwardedTypes, locations);
  values.set(op.getAfterArguments(), body->getArguments());
  SmallVector<Value> yields = walk.visitArm(op.getAfter(), types);
  scf::YieldOp::create(builder, loc, yields);
  values.set(op.getResults(), loop.getResults());
}

/// Says of the results of `op` where they are from. Adds to `state`, which
/// begins with what the loop carries, room for those that it carries besides.
SmallVector<WhileVectorizer::Result>
WhileVectorizer::addResults(scf::WhileOp op, SmallVectorImpl<Value> &state) {
  SmallVector<Result> results;
  for (auto [result, forwarded] :
       llvm::zip(op.getResults(), op.getConditionOp().getArgs())) {
    Dimensions whole = values.getExpected(result);
    auto argument = dyn_cast<BlockArgument>(forwarded);
    bool isHandedOn =
        argument && argument.getOwner() == op.getBeforeBody() &&
        !values.movesWithThreads(argument) &&
        getDimensions(state[argument.getArgNumber()].getType()) == whole;
    bool keepsOwn = !isHandedOn && !result.use_empty();
    results.push_back(
        {isHandedOn ? std::optional(argument.getArgNumber()) : std::nullopt,
         keepsOwn});
    if (keepsOwn)
      state.push_back(
          makeZero(builder, op.getLoc(), getTypeWith(result.getType(), whole)));
  }
  return results;
}

/// Writes `op` as a loop that goes on while any thread does.
void WhileVectorizer::visitMasked(scf::WhileOp op) {
  Location loc = op.getLoc();
  Dimensions deciding =
      masks.joinWith(values.getExpected(op.getConditionOp().getCondition()));
  Value active = masks.get() ? values.stretch(masks.get(), deciding)
                             : makeConstant(builder, true, deciding);

  // What the loop carries, who is on, and the results.
  SmallVector<Value> state =
      values.getFor(op.getBeforeArguments(), op.getInits());
  size_t carried = state.size();
  state.push_back(active);
  SmallVector<Result> results = addResults(op, state);
  SmallVector<Type> types(ValueRange(state).getTypes());
  SmallVector<Type> forwardedTypes = getForwardedTypes(op);
  llvm::append_range(forwardedTypes, ArrayRef(types).drop_front(carried));
  auto loop = scf::WhileOp::create(builder, loc, forwardedTypes, state);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), loc);
  builder.createBlock(&loop.getBefore(), {}, types, locations);
  writeCondition(op, loop, results);
  locations.assign(forwardedTypes.size(), loc);
  builder.createBlock(&loop.getAfter(), {}, forwardedTypes, locations);
  writeIteration(op, loop, results);

  size_t own = op.getNumResults() + 1;
  for (auto [index, result] : llvm::enumerate(op.getResults()))
    values.set(result, loop.getResult(results[index].keepsOwn ? own++ : index));
}

/// Writes which threads go on, and what they and the others have then.
void WhileVectorizer::writeCondition(scf::WhileOp op, scf::WhileOp loop,
                                     ArrayRef<Result> results) {
  Location loc = op.getLoc();
  scf::ConditionOp condition = op.getConditionOp();
  ValueRange arguments = loop.getBeforeArguments();
  values.set(op.getBeforeArguments(), arguments);
  size_t own = op.getBeforeArguments().size();
  Value active = arguments[own++];
  {
    Masks::Scope threads(masks, active);
    walk.visitBlock(*op.getBeforeBody());
  }
  Value goesOn = values.stretch(
      masks.makeAnd(active, values.get(condition.getCondition())),
      active.getType());
  SmallVector<Value> forwarded;
  for (auto [value, type] :
       llvm::zip(condition.getArgs(), loop.getResultTypes()))
    forwarded.push_back(values.stretch(values.get(value), type));
  forwarded.push_back(goesOn);
  for (auto [index, value] : llvm::enumerate(condition.getArgs()))
    if (results[index].keepsOwn)
      forwarded.push_back(masks.keepOld(active, values.get(value),
                                        arguments[own++], op.getResult(index)));
  Value some = AnyOp::create(builder, loc, builder.getI1Type(), goesOn);
  scf::ConditionOp::create(builder, loc, some, forwarded);
}

/// Writes what threads do that go on.
void WhileVectorizer::writeIteration(scf::WhileOp op, scf::WhileOp loop,
                                     ArrayRef<Result> results) {
  ValueRange arguments = loop.getAfterArguments();
  values.set(op.getAfterArguments(), arguments);
  size_t forwardedCount = op.getAfterArguments().size();
  Value active = arguments[forwardedCount];
  {
    Masks::Scope threads(masks, active);
    walk.visitBlock(*op.getAfterBody());
  }
  SmallVector<Value> next;
  for (auto [index, yield] : llvm::enumerate(op.getYieldOp().getOperands())) {
    Value value = values.stretch(values.get(yield),
                                 loop.getBeforeArguments()[index].getType());
    // Where it is handed on, those that are off keep theirs.
    for (auto [position, from] : llvm::enumerate(results))
      if (from.argument == index && !op.getResult(position).use_empty()) {
        value = masks.keepOld(active, value, arguments[position],
                              op.getResult(position));
        break;
      }
    next.push_back(value);
  }
  llvm::append_range(next, arguments.drop_front(forwardedCount));
  scf::YieldOp::create(builder, op.getLoc(), next);
}
