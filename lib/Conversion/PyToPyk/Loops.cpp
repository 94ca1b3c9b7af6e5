// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From py loops to scf.for, scf.while, pyk.for and pyk.loop.
//
// A loop leaves behind the variables that are read after it. If it has an
// `else` that a break passes by, the first of its results says which way
// control came, and each of the others has a value on one way, or on both.

#include "Loops.h"
#include "Expressions.h"
#include "Iterators.h"
#include "Ranges.h"
#include "Scalars.h"
#include "Statements.h"
#include "Tuples.h"
#include "Variables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// True if `op` has an `else` that may run.
template <typename LoopOp>
bool LoopLowering::hasElse(LoopOp op) {
  bool ends;
  if constexpr (std::is_same_v<LoopOp, py::WhileOp>)
    ends = op.getTaken() != true;
  else
    ends = lowering.statements().endsLoop(op);
  return ends && !op.getOrelse().empty();
}

/// Sets what `inner`, the loop that `op` becomes, carries and leaves behind;
/// true if it leaves behind what it carries.
template <typename LoopOp>
bool LoopLowering::setSlots(LoopOp op, LoweredLoop &inner) {
  inner.outer = innermost;
  if (!inner.runsOnce)
    inner.carried = lowering.variables().getSlots(
        op.getSlotsAttr(),
        lowering.variables().getLiveness().getLiveAtHead(op));
  auto find = [](auto &slots, const Slot &slot) {
    return llvm::find_if(slots, [&](const Slot &other) {
      return other.name == slot.name && other.type == slot.type;
    });
  };
  bool breaks = lowering.statements().getExits(op.getBody().front()).breaks;
  SmallVector<Slot> after =
      lowering.variables().getSlotsAfter(op, op.getAfterAttr());
  if (hasElse(op)) {
    Exits orelse = lowering.statements().getExits(op.getOrelse().front());
    inner.isFlagged = breaks || !orelse.falls || orelse.any();
    for (const Slot &slot : lowering.variables().getSlots(
             op.getElseSlotsAttr(),
             lowering.variables().getLiveness().getLiveAtEnd(op)))
      inner.left.push_back({slot, /*byBreak=*/false, /*atEnd=*/true});
    if (!breaks)
      after.clear();
  }
  for (const Slot &slot : after) {
    auto *known = find(inner.left, slot);
    if (known != inner.left.end())
      known->byBreak = true;
    else
      inner.left.push_back({slot, /*byBreak=*/true, /*atEnd=*/!hasElse(op)});
  }
  bool isCarried = llvm::all_of(inner.left, [&](const Slot &slot) {
    return find(inner.carried, slot) != inner.carried.end();
  });
  if (isCarried)
    inner.left = llvm::map_to_vector(inner.carried, [&](const Slot &slot) {
      const auto *known = find(inner.left, slot);
      return known != inner.left.end()
                 ? *known
                 : LeftSlot{slot, /*byBreak=*/false, /*atEnd=*/false};
    });
  return isCarried;
}

SmallVector<Type> LoopLowering::getLeftTypes(const LoweredLoop &inner) {
  SmallVector<Type> types = getPartTypes(llvm::map_to_vector(
      inner.left, [](const Slot &slot) { return slot.type; }));
  if (inner.isFlagged)
    types.insert(types.begin(), builder.getI1Type());
  return types;
}

SmallVector<Value> LoopLowering::gatherLeft(const LoweredLoop &inner,
                                            bool byBreak, Location loc) {
  SmallVector<Value> result;
  if (inner.isFlagged)
    result.push_back(makeInteger(builder, !byBreak, builder.getI1Type(), loc));
  for (const LeftSlot &slot : inner.left) {
    if (byBreak ? slot.byBreak : slot.atEnd)
      llvm::append_range(result, lowering.variables().gather(Slot(slot), loc));
    else
      llvm::append_range(result, makeUndefined(builder, slot.type, loc).parts);
  }
  return result;
}

/// Lowers the `else` of a loop whose body never runs.
template <typename LoopOp>
bool LoopLowering::lowerOnlyElse(LoopOp op) {
  if (op.getOrelse().empty())
    return true;
  LoweredLoop inner;
  Exits orelse = lowering.statements().getExits(op.getOrelse().front());
  inner.isFlagged = !orelse.falls || orelse.any();
  return lowerElse(op, inner,
                   makeInteger(builder, 1, builder.getI1Type(), op.getLoc()));
}

/// Binds what the loop has left behind, its `results`, and lowers its `else`;
/// true if control goes on behind it.
template <typename LoopOp>
bool LoopLowering::lowerElse(LoopOp op, const LoweredLoop &inner,
                             ValueRange results) {
  auto bindLeft = [&](bool byBreak) {
    ValueRange values = results.drop_front(inner.isFlagged);
    for (const LeftSlot &slot : inner.left) {
      SmallVector<Type> parts;
      appendPartTypes(slot.type, parts);
      if (byBreak ? slot.byBreak : slot.atEnd)
        lowering.variables().bind(Slot(slot), values.take_front(parts.size()));
      values = values.drop_front(parts.size());
    }
  };
  if (!inner.isFlagged) {
    bindLeft(/*byBreak=*/false);
    if (hasElse(op))
      lowering.statements().lowerBlock(op.getOrelse().front());
    return lowering.statements().getExits(*op).falls;
  }
  Exits own = lowering.statements().getExits(*op);
  SmallVector<Slot> slots;
  if (own.falls)
    slots = lowering.variables().getSlotsAfter(op, op.getAfterAttr());
  Block &orelse = op.getOrelse().front();
  lowering.statements().buildIf(
      op.getLoc(), results.front(),
      lowering.statements().getExits(orelse).any(), slots,
      [&] {
        bindLeft(/*byBreak=*/false);
        return lowering.statements().lowerBlock(orelse);
      },
      [&] {
        bindLeft(/*byBreak=*/true);
        return true;
      });
  return own.falls;
}

/// Ends the pyk.loop that `inner` becomes where its test fails.
void LoopLowering::endUnless(Value goesOn, const LoweredLoop &inner,
                             Location loc) {
  auto test = pyk::IfOp::create(builder, loc, TypeRange(), goesOn);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&test.getThenRegion());
  pyk::YieldOp::create(builder, loc, ValueRange());
  builder.createBlock(&test.getElseRegion());
  pyk::BreakOp::create(builder, loc, gatherLeft(inner, /*byBreak=*/false, loc));
}

void LoopLowering::makeContinue(Location loc) {
  if (innermost->runsOnce) {
    pyk::BreakOp::create(builder, loc,
                         gatherLeft(*innermost, /*byBreak=*/false, loc));
    return;
  }
  SmallVector<Value> operands;
  if (innermost->leading)
    operands.push_back(innermost->leading());
  llvm::append_range(operands,
                     lowering.variables().gather(innermost->carried, loc));
  pyk::ContinueOp::create(builder, loc, operands);
}

/// Lowers the body of `inner`, which may leave it from its middle.
void LoopLowering::lowerBody(Block &body, LoweredLoop &inner) {
  innermost = &inner;
  if (lowering.statements().lowerBlock(body))
    makeContinue(lowering.getSource().getLoc());
  innermost = inner.outer;
}

/// Lowers the body of `inner`, all of whose exits can nest; yields what it
/// carries on, or leaves behind if `tail` is that it leaves the loop.
SmallVector<Value>
LoopLowering::lowerNestedBody(Block &body, LoweredLoop &inner, Tail tail) {
  innermost = &inner;
  SmallVector<Value> results =
      lowering.statements().lowerTail({body.begin(), body.end()}, tail);
  innermost = inner.outer;
  return results;
}

/// True if `body` can be that of a loop of scf.
bool LoopLowering::canNestBody(Block &body) {
  Exits exits = lowering.statements().getExits(body);
  return !exits.breaks && !exits.returns &&
         lowering.statements().canNest({body.begin(), body.end()},
                                       Tail::Continue);
}

/// What a `for` runs over, and how its variable gets an element.
struct LoopLowering::Iteration {
  FunctionLowering &lowering;
  ForOp op;
  Location loc;
  Binding iterable;
  /// True if elements are taken from an iterator, of which the body may take
  /// some, too.
  bool isMoving;
  CountedRange range = {};

  Iteration(FunctionLowering &lowering, ForOp op)
      : lowering(lowering), op(op), loc(op.getLoc()),
        iterable(lowering.get(op.getIterable())),
        isMoving(lowering.iterators().hasIterator(iterable)) {
    if (!isMoving) {
      range = lowering.ranges().count(iterable, loc);
      return;
    }
    OpBuilder &builder = lowering.getBuilder();
    Type wide = builder.getI64Type();
    range.start = makeInteger(builder, 0, wide, loc);
    range.step = makeInteger(builder, 1, wide, loc);
  }

  Block &getBody() { return op.getBody().front(); }

  void setElement(const Binding &element) {
    // Elements of a range that was unsigned in an earlier iteration are floats.
    BlockArgument variable = getBody().getArgument(0);
    lowering.set(variable, lowering.convert(element, variable.getType(), loc));
  }
  void setElementAt(Value counter) {
    setElement(lowering.ranges().getElement(iterable, range, counter, loc));
  }
};

SmallVector<Value> LoopLowering::buildScfFor(Iteration &iteration,
                                             LoweredLoop &inner,
                                             ValueRange initial) {
  const CountedRange &range = iteration.range;
  auto nested = scf::ForOp::create(builder, iteration.loc, range.start,
                                   range.stop, range.step, initial);
  OpBuilder::InsertionGuard guard(builder);
  // Without carried values, the builder has made the terminator.
  nested.getBody()->clear();
  builder.setInsertionPointToEnd(nested.getBody());
  lowering.variables().bind(inner.carried, nested.getRegionIterArgs());
  iteration.setElementAt(nested.getInductionVar());
  scf::YieldOp::create(
      builder, iteration.loc,
      lowerNestedBody(iteration.getBody(), inner, Tail::Continue));
  return nested.getResults();
}

SmallVector<Value> LoopLowering::buildFor(Iteration &iteration,
                                          LoweredLoop &inner,
                                          ValueRange initial, Value flag) {
  const CountedRange &range = iteration.range;
  SmallVector<Value> operands(initial);
  if (flag) {
    operands.insert(operands.begin(), flag);
    inner.leading = [flag] { return flag; };
  }
  auto nested = pyk::ForOp::create(builder, iteration.loc, range.start,
                                   range.stop, range.step, operands);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&nested.getBody().front());
  lowering.variables().bind(
      inner.carried,
      ValueRange(nested.getCarriedValues()).drop_front(inner.isFlagged));
  iteration.setElementAt(nested.getInductionValue());
  lowerBody(iteration.getBody(), inner);
  return nested.getResults();
}

SmallVector<Value> LoopLowering::buildLoop(Iteration &iteration,
                                           LoweredLoop &inner,
                                           ValueRange initial) {
  Location loc = iteration.loc;
  SmallVector<Value> operands{iteration.range.start};
  llvm::append_range(operands, initial);
  auto nested =
      pyk::LoopOp::create(builder, loc, operands, getLeftTypes(inner));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&nested.getBody().front());
  Value counter = nested.getCarriedValues().front();
  lowering.variables().bind(inner.carried,
                            nested.getBody().getArguments().drop_front());
  auto leave = [&](Value goesOn) { endUnless(goesOn, inner, loc); };
  if (iteration.isMoving)
    iteration.setElement(lowering.iterators().takeElement(iteration.iterable,
                                                          counter, leave, loc));
  else
    leave(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                counter, iteration.range.stop));
  inner.leading = [&iteration, counter] {
    return iteration.lowering.ranges().makeNextCounter(counter, iteration.range,
                                                       iteration.loc);
  };
  if (!iteration.isMoving)
    iteration.setElementAt(counter);
  lowerBody(iteration.getBody(), inner);
  return nested.getResults();
}

bool LoopLowering::lowerFor(py::ForOp op) {
  Location loc = op.getLoc();
  // Inference has not looked at a body that never runs.
  if (isEmptyTuple(op.getIterable().getType()))
    return lowerOnlyElse(op);
  if (op.getItem())
    return lowerOnce(op);
  LoweredLoop inner;
  bool isCarried = setSlots(op, inner);
  Iteration iteration(lowering, op);
  SmallVector<Value> initial = lowering.variables().gather(inner.carried, loc);
  Variables::Bindings saved = lowering.variables().save();
  Value flag;
  if (inner.isFlagged)
    flag = makeInteger(builder, 1, builder.getI1Type(), loc);
  SmallVector<Value> results;
  if (!iteration.isMoving && canNestBody(iteration.getBody())) {
    results = buildScfFor(iteration, inner, initial);
    if (flag)
      results.insert(results.begin(), flag);
  } else if (isCarried && !iteration.isMoving) {
    results = buildFor(iteration, inner, initial, flag);
  } else {
    // A break leaves with other variables than an iteration begins with, or
    // with wider types; or the end is where an iterator's is.
    results = buildLoop(iteration, inner, initial);
  }
  lowering.variables().restore(std::move(saved));
  lowering.variables().forget(op);
  return lowerElse(op, inner, results);
}

/// Lowers a loop that runs once, for one item: its body, where it stands. Only
/// a body that control leaves from its middle needs a loop, which ends after
/// it.
bool LoopLowering::lowerOnce(py::ForOp op) {
  Location loc = op.getLoc();
  Block &body = op.getBody().front();
  BlockArgument variable = body.getArgument(0);
  lowering.set(variable,
               lowering.convert(getItem(lowering.get(op.getIterable()), 0),
                                variable.getType(), loc));
  Exits exits = lowering.statements().getExits(body);
  if (!exits.breaks && !exits.continues && (exits.falls || exits.returns))
    return lowering.statements().lowerBlock(body) && lowerOnlyElse(op);
  LoweredLoop inner;
  inner.runsOnce = true;
  setSlots(op, inner);
  Variables::Bindings saved = lowering.variables().save();
  SmallVector<Value> results;
  if (lowering.statements().canNest({body.begin(), body.end()}, Tail::Leave)) {
    results = lowerNestedBody(body, inner, Tail::Leave);
  } else {
    auto nested =
        pyk::LoopOp::create(builder, loc, ValueRange(), getLeftTypes(inner));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&nested.getBody().front());
    lowerBody(body, inner);
    results = nested.getResults();
  }
  lowering.variables().restore(std::move(saved));
  lowering.variables().forget(op);
  return lowerElse(op, inner, results);
}

bool LoopLowering::lowerWhile(py::WhileOp op) {
  Location loc = op.getLoc();
  Block &body = op.getBody().front();
  Block &conditionBlock = op.getCondition().front();
  auto lowerCondition = [&] {
    for (Operation &statement : conditionBlock.without_terminator())
      lowering.statements().lower(statement);
    return lowering.expressions().testCondition(
        cast<py::YieldOp>(conditionBlock.back()).getValue());
  };
  if (op.getTaken() == false) {
    lowerCondition();
    return lowerOnlyElse(op);
  }
  LoweredLoop inner;
  bool isCarried = setSlots(op, inner);
  SmallVector<Value> initial = lowering.variables().gather(inner.carried, loc);
  SmallVector<Type> types = getPartTypes(
      llvm::map_to_vector(inner.carried, [](Slot slot) { return slot.type; }));
  Value flag;
  if (inner.isFlagged)
    flag = makeInteger(builder, 1, builder.getI1Type(), loc);
  Variables::Bindings saved = lowering.variables().save();
  SmallVector<Value> results;
  if (isCarried && op.getTaken() != true && canNestBody(body)) {
    auto nested = scf::WhileOp::create(builder, loc, types, initial);
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Location> locations(types.size(), loc);
    Block *before =
        builder.createBlock(&nested.getBefore(), {}, types, locations);
    lowering.variables().bind(inner.carried, before->getArguments());
    Value condition = lowerCondition();
    scf::ConditionOp::create(builder, loc, condition,
                             lowering.variables().gather(inner.carried, loc));
    Block *after =
        builder.createBlock(&nested.getAfter(), {}, types, locations);
    lowering.variables().bind(inner.carried, after->getArguments());
    scf::YieldOp::create(builder, loc,
                         lowerNestedBody(body, inner, Tail::Continue));
    results = nested.getResults();
    if (flag)
      results.insert(results.begin(), flag);
  } else {
    auto nested =
        pyk::LoopOp::create(builder, loc, initial, getLeftTypes(inner));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&nested.getBody().front());
    lowering.variables().bind(inner.carried, nested.getBody().getArguments());
    if (op.getTaken() != true)
      endUnless(lowerCondition(), inner, loc);
    lowerBody(body, inner);
    results = nested.getResults();
  }
  lowering.variables().restore(std::move(saved));
  lowering.variables().forget(op);
  return lowerElse(op, inner, results);
}
