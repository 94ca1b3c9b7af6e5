// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From py statements to scf and pyk control flow.
//
// Statements whose exits can all be nested become scf: after `if c: return`,
// the rest of the function stands in the other arm, and the arms yield what is
// returned. Where that would duplicate code, or an exit leaves a loop in its
// middle, pyk.if, pyk.for and pyk.loop with exits are built.

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Exits
//===----------------------------------------------------------------------===//

FunctionLowering::Exits FunctionLowering::getExits(Block &block) {
  auto [known, isNew] = exits.try_emplace(&block);
  if (!isNew)
    return known->second;
  Exits result;
  for (Operation &op : block) {
    Exits inner = getExits(op);
    result.breaks |= inner.breaks;
    result.continues |= inner.continues;
    result.returns |= inner.returns;
    result.falls = inner.falls;
    // What follows never runs.
    if (!result.falls)
      break;
  }
  return exits[&block] = result;
}

template <typename LoopOp>
void FunctionLowering::addExits(LoopOp op, bool turns, bool ends,
                                Exits &result) {
  result.falls = ends;
  if (ends && !op.getOrelse().empty())
    result = getExits(op.getOrelse().front());
  if (!turns)
    return;
  Exits body = getExits(op.getBody().front());
  result.returns |= body.returns;
  result.falls |= body.breaks;
}

FunctionLowering::Exits FunctionLowering::getExits(Operation &op) {
  Exits result;
  if (isa<py::ReturnOp>(op)) {
    result.returns = true;
    result.falls = false;
  } else if (isa<py::BreakOp>(op)) {
    result.breaks = true;
    result.falls = false;
  } else if (isa<py::ContinueOp>(op)) {
    result.continues = true;
    result.falls = false;
  } else if (isa<py::RaiseOp>(op)) {
    // It ends the thread, but no structure: what follows is just not reached.
    result.falls = false;
  } else if (auto branch = dyn_cast<py::IfOp>(op)) {
    result.falls = false;
    for (auto [region, isReached] :
         {std::pair(&branch.getThenRegion(), branch.getTaken() != false),
          std::pair(&branch.getElseRegion(), branch.getTaken() != true)}) {
      if (!isReached)
        continue;
      Exits arm = getExits(region->front());
      result.falls |= arm.falls;
      result.breaks |= arm.breaks;
      result.continues |= arm.continues;
      result.returns |= arm.returns;
    }
  } else if (auto loop = dyn_cast<py::WhileOp>(op)) {
    addExits(loop, loop.getTaken() != false, loop.getTaken() != true, result);
  } else if (auto loop = dyn_cast<py::ForOp>(op)) {
    addExits(loop, !isEmptyTuple(loop.getIterable().getType()), true, result);
  }
  return result;
}

bool FunctionLowering::canNest(Frame frame, Tail tail) {
  for (; frame.current != frame.end; ++frame.current) {
    Operation &op = *frame.current;
    Exits inner = getExits(op);
    auto branch = dyn_cast<py::IfOp>(op);
    if (!branch) {
      if (!inner.onlyAs(tail) || (inner.any() && op.getNumRegions() != 0))
        return false;
      if (!inner.falls)
        return true;
      continue;
    }
    if (!inner.any()) {
      if (!inner.falls)
        return true;
      continue;
    }
    if (!inner.onlyAs(tail))
      return false;
    Frame rest{std::next(frame.current), frame.end, frame.next};
    auto canNestArm = [&](Region &region) {
      Block &arm = region.front();
      return canNest({arm.begin(), arm.end(), &rest}, tail);
    };
    if (std::optional<bool> taken = branch.getTaken())
      return canNestArm(*taken ? branch.getThenRegion()
                               : branch.getElseRegion());
    // Were both arms to fall through, the rest would stand twice.
    if (getExits(branch.getThenRegion().front()).falls &&
        getExits(branch.getElseRegion().front()).falls)
      return false;
    return canNestArm(branch.getThenRegion()) &&
           canNestArm(branch.getElseRegion());
  }
  return !frame.next || canNest(*frame.next, tail);
}

//===----------------------------------------------------------------------===//
// Variables where control meets
//===----------------------------------------------------------------------===//

SmallVector<FunctionLowering::Slot>
FunctionLowering::getSlots(DictionaryAttr slots, const Names &live) {
  SmallVector<Slot> result;
  if (slots)
    for (NamedAttribute entry : slots)
      if (live.contains(entry.getName()))
        result.push_back(
            {entry.getName(), cast<TypeAttr>(entry.getValue()).getValue()});
  return result;
}

SmallVector<Value> FunctionLowering::gather(ArrayRef<Slot> slots,
                                            Location loc) {
  SmallVector<Value> result;
  for (const Slot &slot : slots) {
    auto found = variables.find(slot.name);
    Binding binding = found == variables.end()
                          ? makeUndefined(slot.type, loc)
                          : convert(found->second, slot.type, loc);
    llvm::append_range(result, binding.parts);
  }
  return result;
}

void FunctionLowering::bind(ArrayRef<Slot> slots, ValueRange values) {
  for (const Slot &slot : slots) {
    SmallVector<Type> parts;
    appendPartTypes(slot.type, parts);
    ValueRange own = values.take_front(parts.size());
    variables[slot.name] = {slot.type, {own.begin(), own.end()}};
    values = values.drop_front(parts.size());
  }
}

SmallVector<Type> py::getPartTypes(ArrayRef<Type> types) {
  SmallVector<Type> parts;
  for (Type type : types)
    appendPartTypes(type, parts);
  return parts;
}

//===----------------------------------------------------------------------===//
// Statement lists
//===----------------------------------------------------------------------===//

void FunctionLowering::addDeadTerminator() {
  Location loc = source.getLoc();
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto makeValues = [&](TypeRange types) {
    return llvm::map_to_vector(types,
                               [&](Type type) { return makeZero(type, loc); });
  };
  // An arm of scf.if gets its terminator in any case.
  if (isa<scf::IfOp>(parent))
    return;
  if (auto branch = dyn_cast<pyk::IfOp>(parent))
    pyk::YieldOp::create(builder, loc, makeValues(branch.getResultTypes()));
  else if (auto inner = dyn_cast<pyk::ForOp>(parent))
    pyk::ContinueOp::create(
        builder, loc,
        makeValues(TypeRange(ValueRange(inner.getCarriedValues()))));
  else if (auto inner = dyn_cast<pyk::LoopOp>(parent))
    pyk::ContinueOp::create(
        builder, loc,
        makeValues(TypeRange(ValueRange(inner.getCarriedValues()))));
  else
    pyk::ReturnOp::create(builder, loc, makeValues(function.getResultTypes()));
}

/// True if the block that `builder` fills has its terminator.
static bool isTerminated(OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  return !block->empty() && block->back().hasTrait<OpTrait::IsTerminator>();
}

/// Sets the insertion point to the empty block of an arm of scf.if, which the
/// op's builder has terminated where there is nothing to yield.
static void startArm(OpBuilder &builder, Region &arm) {
  arm.front().clear();
  builder.setInsertionPointToEnd(&arm.front());
}

bool FunctionLowering::lowerBlock(Block &block) {
  return lowerStatements(block.begin(), block.end());
}

bool FunctionLowering::lowerStatements(Block::iterator current,
                                       Block::iterator end) {
  for (; current != end; ++current) {
    bool falls = true;
    if (isa<py::ReturnOp, py::BreakOp, py::ContinueOp>(*current))
      falls = lowerExit(*current);
    else if (auto branch = dyn_cast<py::IfOp>(*current))
      falls = lowerIf(branch);
    else if (auto inner = dyn_cast<py::WhileOp>(*current))
      falls = lowerWhile(inner);
    else if (auto inner = dyn_cast<py::ForOp>(*current))
      falls = lowerFor(inner);
    else
      lower(*current);
    if (isa<py::RaiseOp>(*current))
      falls = false;
    if (falls)
      continue;
    if (!isTerminated(builder))
      addDeadTerminator();
    return false;
  }
  return true;
}

/// True if `block` does nothing but leave: an exit, perhaps with a constant.
static bool isExitOnly(Block &block) {
  return !block.empty() && isa<py::ReturnOp, py::ContinueOp>(block.back()) &&
         llvm::all_of(llvm::drop_end(block), llvm::IsaPred<py::ConstantOp>);
}

SmallVector<Value> FunctionLowering::lowerTail(Frame frame, Tail tail) {
  for (; frame.current != frame.end; ++frame.current) {
    Operation &op = *frame.current;
    if (auto ret = dyn_cast<py::ReturnOp>(op))
      return SmallVector<Value>(
          convert(get(ret.getValue()), *source.getResult(), op.getLoc()).parts);
    if (isa<py::ContinueOp>(op))
      return gather(loop->carried, op.getLoc());
    auto branch = dyn_cast<py::IfOp>(op);
    if (!branch || (!branch.getTaken() && !getExits(op).any())) {
      lower(op);
      if (getExits(op).falls)
        continue;
      // An endless loop: what follows is never reached.
      return llvm::map_to_vector(
          tail == Tail::Return
              ? SmallVector<Type>(function.getResultTypes())
              : getPartTypes(llvm::map_to_vector(
                    loop->carried, [](Slot slot) { return slot.type; })),
          [&](Type type) { return makeZero(type, op.getLoc()); });
    }
    Frame rest{std::next(frame.current), frame.end, frame.next};
    auto lowerArm = [&](Region &region) {
      Block &arm = region.front();
      return lowerTail({arm.begin(), arm.end(), &rest}, tail);
    };
    if (std::optional<bool> taken = branch.getTaken())
      return lowerArm(*taken ? branch.getThenRegion() : branch.getElseRegion());
    SmallVector<Type> types =
        tail == Tail::Return
            ? SmallVector<Type>(function.getResultTypes())
            : getPartTypes(llvm::map_to_vector(
                  loop->carried, [](Slot slot) { return slot.type; }));
    Value condition = testCondition(branch.getCondition());
    Block &guarded = branch.getThenRegion().front();
    // `if c: return` reads best as a condition on the rest.
    bool isGuard = types.empty() && isExitOnly(guarded);
    if (isGuard)
      condition = builder.createOrFold<arith::XOrIOp>(
          op.getLoc(), condition,
          makeInteger(1, builder.getI1Type(), op.getLoc()));
    auto nested = scf::IfOp::create(builder, op.getLoc(), types, condition,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/!isGuard);
    auto fill = [&](Region &arm, Region &region) {
      OpBuilder::InsertionGuard guard(builder);
      startArm(builder, region);
      Bindings saved = variables;
      SmallVector<Value> results = lowerArm(arm);
      scf::YieldOp::create(builder, op.getLoc(), results);
      variables = std::move(saved);
    };
    if (isGuard) {
      fill(branch.getElseRegion(), nested.getThenRegion());
    } else {
      fill(branch.getThenRegion(), nested.getThenRegion());
      fill(branch.getElseRegion(), nested.getElseRegion());
    }
    return SmallVector<Value>(nested.getResults());
  }
  if (frame.next)
    return lowerTail(*frame.next, tail);
  return tail == Tail::Return ? makeEndResult()
                              : gather(loop->carried, source.getLoc());
}

SmallVector<Value> FunctionLowering::makeEndResult() {
  Binding none{NoneType::get(context), {}};
  return llvm::to_vector(
      convert(none, *source.getResult(), source.getLoc()).parts);
}

bool FunctionLowering::lowerExit(Operation &op) {
  Location loc = op.getLoc();
  if (auto ret = dyn_cast<py::ReturnOp>(op)) {
    pyk::ReturnOp::create(
        builder, loc,
        convert(get(ret.getValue()), *source.getResult(), loc).parts);
  } else if (isa<py::BreakOp>(op)) {
    pyk::BreakOp::create(builder, loc,
                         gatherLeft(*loop, /*byBreak=*/true, loc));
  } else {
    SmallVector<Value> operands;
    if (loop->leading)
      operands.push_back(loop->leading());
    llvm::append_range(operands, gather(loop->carried, loc));
    pyk::ContinueOp::create(builder, loc, operands);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

Value FunctionLowering::testCondition(Value condition) {
  return getTruth(get(condition), condition.getLoc());
}

bool FunctionLowering::lowerIf(py::IfOp op) {
  if (std::optional<bool> taken = op.getTaken())
    return lowerBlock(
        (*taken ? op.getThenRegion() : op.getElseRegion()).front());
  Exits own = getExits(*op);
  SmallVector<Slot> slots;
  if (own.falls)
    slots = getSlots(op.getSlotsAttr(), liveness.getLiveAfter(op));
  auto lowerArm = [&](Region &region) {
    return [this, &block = region.front()] { return lowerBlock(block); };
  };
  auto orelse = lowerArm(op.getElseRegion());
  buildIf(op.getLoc(), testCondition(op.getCondition()), own.any(), slots,
          lowerArm(op.getThenRegion()),
          op.getElseRegion().front().empty() ? function_ref<bool()>() : orelse);
  return own.falls;
}

/// Builds a condition whose arms `ifTrue` and `ifFalse`, which may be null,
/// fill. They tell whether control reaches their end, where `slots` are bound.
void FunctionLowering::buildIf(Location loc, Value condition, bool hasExits,
                               ArrayRef<Slot> slots,
                               function_ref<bool()> ifTrue,
                               function_ref<bool()> ifFalse) {
  SmallVector<Type> types = getPartTypes(
      llvm::map_to_vector(slots, [](Slot slot) { return slot.type; }));
  Operation *nested;
  if (hasExits)
    nested = pyk::IfOp::create(builder, loc, types, condition);
  else
    nested = scf::IfOp::create(builder, loc, types, condition,
                               /*addThenBlock=*/true,
                               /*addElseBlock=*/ifFalse || !types.empty());
  for (auto [arm, region] : {std::pair(ifTrue, &nested->getRegion(0)),
                             std::pair(ifFalse, &nested->getRegion(1))}) {
    OpBuilder::InsertionGuard guard(builder);
    if (hasExits)
      builder.createBlock(region);
    else if (region->empty())
      continue;
    else
      startArm(builder, *region);
    Bindings saved = variables;
    bool falls = !arm || arm();
    if (!hasExits)
      scf::YieldOp::create(builder, loc, gather(slots, loc));
    else if (falls)
      pyk::YieldOp::create(builder, loc, gather(slots, loc));
    variables = std::move(saved);
  }
  bind(slots, nested->getResults());
}
