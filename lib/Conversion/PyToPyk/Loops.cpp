// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From py loops to scf.for, scf.while, pyk.for and pyk.loop.
//
// A loop leaves behind the variables that are read after it. If it has an
// `else` that a break passes by, the first of its results says which way
// control came, and each of the others has a value on one way, or on both.

#include "Lowering.h"
#include "Ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// True if `op` has an `else` that may run.
template <typename LoopOp>
static bool hasElse(LoopOp op) {
  if constexpr (std::is_same_v<LoopOp, py::WhileOp>)
    if (op.getTaken() == true)
      return false;
  return !op.getOrelse().empty();
}

/// Sets what `inner`, the loop that `op` becomes, carries and leaves behind;
/// true if it leaves behind what it carries.
template <typename LoopOp>
bool FunctionLowering::setSlots(LoopOp op, Loop &inner) {
  inner.outer = loop;
  inner.carried = getSlots(op.getSlotsAttr(), liveness.getLiveAtHead(op));
  auto find = [](auto &slots, const Slot &slot) {
    return llvm::find_if(slots, [&](const Slot &other) {
      return other.name == slot.name && other.type == slot.type;
    });
  };
  bool breaks = getExits(op.getBody().front()).breaks;
  SmallVector<Slot> after =
      getSlots(op.getAfterAttr(), liveness.getLiveAfter(op));
  if (hasElse(op)) {
    Exits orelse = getExits(op.getOrelse().front());
    inner.isFlagged = breaks || !orelse.falls || orelse.any();
    for (const Slot &slot :
         getSlots(op.getElseSlotsAttr(), liveness.getLiveAtEnd(op)))
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

SmallVector<Type> FunctionLowering::getLeftTypes(const Loop &inner) {
  SmallVector<Type> types = getPartTypes(llvm::map_to_vector(
      inner.left, [](const Slot &slot) { return slot.type; }));
  if (inner.isFlagged)
    types.insert(types.begin(), builder.getI1Type());
  return types;
}

/// What the loop `inner` leaves behind by a break, or at its end.
SmallVector<Value> FunctionLowering::gatherLeft(const Loop &inner, bool byBreak,
                                                Location loc) {
  SmallVector<Value> result;
  if (inner.isFlagged)
    result.push_back(makeInteger(!byBreak, builder.getI1Type(), loc));
  for (const LeftSlot &slot : inner.left) {
    if (byBreak ? slot.byBreak : slot.atEnd)
      llvm::append_range(result, gather(Slot(slot), loc));
    else
      llvm::append_range(result, makeUndefined(slot.type, loc).parts);
  }
  return result;
}

void FunctionLowering::forget(Operation *op) {
  for (Region &region : op->getRegions().drop_back())
    region.walk([&](SetOp set) { variables.erase(set.getNameAttr()); });
}

/// Lowers the `else` of a loop whose body never runs.
template <typename LoopOp>
bool FunctionLowering::lowerOnlyElse(LoopOp op) {
  if (op.getOrelse().empty())
    return true;
  Loop inner;
  Exits orelse = getExits(op.getOrelse().front());
  inner.isFlagged = !orelse.falls || orelse.any();
  return lowerElse(op, inner, makeInteger(1, builder.getI1Type(), op.getLoc()));
}

/// Binds what the loop has left behind, its `results`, and lowers its `else`;
/// true if control goes on behind it.
template <typename LoopOp>
bool FunctionLowering::lowerElse(LoopOp op, const Loop &inner,
                                 ValueRange results) {
  auto bindLeft = [&](bool byBreak) {
    ValueRange values = results.drop_front(inner.isFlagged);
    for (const LeftSlot &slot : inner.left) {
      SmallVector<Type> parts;
      appendPartTypes(slot.type, parts);
      if (byBreak ? slot.byBreak : slot.atEnd)
        bind(Slot(slot), values.take_front(parts.size()));
      values = values.drop_front(parts.size());
    }
  };
  if (!inner.isFlagged) {
    bindLeft(/*byBreak=*/false);
    if (hasElse(op))
      lowerBlock(op.getOrelse().front());
    return getExits(*op).falls;
  }
  Exits own = getExits(*op);
  SmallVector<Slot> slots;
  if (own.falls)
    slots = getSlots(op.getAfterAttr(), liveness.getLiveAfter(op));
  Block &orelse = op.getOrelse().front();
  buildIf(
      op.getLoc(), results.front(), getExits(orelse).any(), slots,
      [&] {
        bindLeft(/*byBreak=*/false);
        return lowerBlock(orelse);
      },
      [&] {
        bindLeft(/*byBreak=*/true);
        return true;
      });
  return own.falls;
}

/// Ends the pyk.loop that `inner` becomes where its test fails.
void FunctionLowering::endUnless(Value goesOn, const Loop &inner,
                                 Location loc) {
  auto test = pyk::IfOp::create(builder, loc, TypeRange(), goesOn);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&test.getThenRegion());
  pyk::YieldOp::create(builder, loc, ValueRange());
  builder.createBlock(&test.getElseRegion());
  pyk::BreakOp::create(builder, loc, gatherLeft(inner, /*byBreak=*/false, loc));
}

void FunctionLowering::lowerBody(Block &body, Loop &inner) {
  loop = &inner;
  if (lowerBlock(body)) {
    SmallVector<Value> operands;
    if (inner.leading)
      operands.push_back(inner.leading());
    llvm::append_range(operands, gather(inner.carried, source.getLoc()));
    pyk::ContinueOp::create(builder, source.getLoc(), operands);
  }
  loop = inner.outer;
}

bool FunctionLowering::lowerFor(py::ForOp op) {
  Location loc = op.getLoc();
  const Binding iterable = get(op.getIterable());
  // Inference has not looked at a body that never runs.
  if (isEmptyTuple(iterable.type))
    return lowerOnlyElse(op);
  Block &body = op.getBody().front();
  Loop inner;
  bool isCarried = setSlots(op, inner);
  // Of iterators the body may take elements, too.
  bool isMoving = hasIterator(iterable);
  Type wide = builder.getI64Type();
  CountedRange range;
  if (isMoving)
    range = {makeInteger(0, wide, loc), {}, makeInteger(1, wide, loc), {}, {}};
  else
    range = count(iterable, loc);
  SmallVector<Value> initial = gather(inner.carried, loc);
  Bindings saved = variables;
  Value flag;
  if (inner.isFlagged)
    flag = makeInteger(1, builder.getI1Type(), loc);
  auto setElement = [&](const Binding &element) {
    // Elements of a range that was unsigned in an earlier turn are floats.
    values[body.getArgument(0)] =
        convert(element, body.getArgument(0).getType(), loc);
  };
  auto enter = [&](Value induction, ValueRange carried) {
    bind(inner.carried, carried);
    setElement(getElement(iterable, range, induction, loc));
  };
  Exits exits = getExits(body);
  SmallVector<Value> results;
  if (!isMoving && !exits.breaks && !exits.returns &&
      canNest({body.begin(), body.end()}, Tail::Continue)) {
    auto nested = scf::ForOp::create(builder, loc, range.start, range.stop,
                                     range.step, initial);
    OpBuilder::InsertionGuard guard(builder);
    // Without carried values, the builder has made the terminator.
    nested.getBody()->clear();
    builder.setInsertionPointToEnd(nested.getBody());
    loop = &inner;
    enter(nested.getInductionVar(), nested.getRegionIterArgs());
    scf::YieldOp::create(builder, loc,
                         lowerTail({body.begin(), body.end()}, Tail::Continue));
    loop = inner.outer;
    results = nested.getResults();
    if (flag)
      results.insert(results.begin(), flag);
  } else if (isCarried && !isMoving) {
    if (flag) {
      initial.insert(initial.begin(), flag);
      inner.leading = [&] { return flag; };
    }
    auto nested = pyk::ForOp::create(builder, loc, range.start, range.stop,
                                     range.step, initial);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&nested.getBody().front());
    enter(nested.getInductionValue(),
          ValueRange(nested.getCarriedValues()).drop_front(inner.isFlagged));
    lowerBody(body, inner);
    results = nested.getResults();
  } else {
    // A break leaves with other variables than a turn begins with, or with
    // wider types; or the end is where an iterator's is.
    SmallVector<Value> operands{range.start};
    llvm::append_range(operands, initial);
    auto nested =
        pyk::LoopOp::create(builder, loc, operands, getLeftTypes(inner));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&nested.getBody().front());
    Value induction = nested.getCarriedValues().front();
    bind(inner.carried, nested.getBody().getArguments().drop_front());
    auto leave = [&](Value goesOn) { endUnless(goesOn, inner, loc); };
    if (isMoving)
      setElement(takeElement(iterable, induction, leave, loc));
    else
      leave(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                  induction, range.stop));
    inner.leading = [&] { return makeNextCounter(induction, range, loc); };
    if (!isMoving)
      enter(induction, nested.getBody().getArguments().drop_front());
    lowerBody(body, inner);
    results = nested.getResults();
  }
  variables = std::move(saved);
  forget(op);
  return lowerElse(op, inner, results);
}

bool FunctionLowering::lowerWhile(py::WhileOp op) {
  Location loc = op.getLoc();
  Block &body = op.getBody().front();
  Block &conditionBlock = op.getCondition().front();
  auto lowerCondition = [&] {
    for (Operation &statement : conditionBlock.without_terminator())
      lower(statement);
    return testCondition(cast<py::YieldOp>(conditionBlock.back()).getValue());
  };
  if (op.getTaken() == false) {
    lowerCondition();
    return lowerOnlyElse(op);
  }
  Exits exits = getExits(body);
  Loop inner;
  bool isCarried = setSlots(op, inner);
  SmallVector<Value> initial = gather(inner.carried, loc);
  SmallVector<Type> types = getPartTypes(
      llvm::map_to_vector(inner.carried, [](Slot slot) { return slot.type; }));
  Value flag;
  if (inner.isFlagged)
    flag = makeInteger(1, builder.getI1Type(), loc);
  Bindings saved = variables;
  SmallVector<Value> results;
  if (isCarried && op.getTaken() != true && !exits.breaks && !exits.returns &&
      canNest({body.begin(), body.end()}, Tail::Continue)) {
    auto nested = scf::WhileOp::create(builder, loc, types, initial);
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Location> locations(types.size(), loc);
    Block *before =
        builder.createBlock(&nested.getBefore(), {}, types, locations);
    bind(inner.carried, before->getArguments());
    Value condition = lowerCondition();
    scf::ConditionOp::create(builder, loc, condition,
                             gather(inner.carried, loc));
    Block *after =
        builder.createBlock(&nested.getAfter(), {}, types, locations);
    bind(inner.carried, after->getArguments());
    loop = &inner;
    scf::YieldOp::create(builder, loc,
                         lowerTail({body.begin(), body.end()}, Tail::Continue));
    loop = inner.outer;
    results = nested.getResults();
    if (flag)
      results.insert(results.begin(), flag);
  } else {
    auto nested =
        pyk::LoopOp::create(builder, loc, initial, getLeftTypes(inner));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&nested.getBody().front());
    bind(inner.carried, nested.getBody().getArguments());
    if (op.getTaken() != true)
      endUnless(lowerCondition(), inner, loc);
    lowerBody(body, inner);
    results = nested.getResults();
  }
  variables = std::move(saved);
  forget(op);
  return lowerElse(op, inner, results);
}
