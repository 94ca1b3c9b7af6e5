// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From py statements to scf and pyk control flow.
//
// Statements whose exits can all be nested become scf: after `if c: return`,
// the rest of the function stands in the other arm, and the arms yield what is
// returned. Where that would duplicate code, or an exit leaves a loop in its
// middle, pyk.if, pyk.for and pyk.loop with exits are built.

#include "Statements.h"
#include "Arrays.h"
#include "Calls.h"
#include "Checks.h"
#include "Debugger.h"
#include "Expressions.h"
#include "Loops.h"
#include "Operators.h"
#include "Records.h"
#include "Scalars.h"
#include "Variables.h"
#include "Wrappers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Exits
//===----------------------------------------------------------------------===//

Exits StatementLowering::getExits(Block &block) {
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
void StatementLowering::addExits(LoopOp op, bool isEntered, bool ends,
                                 Exits &result) {
  result.falls = ends;
  if (ends && !op.getOrelse().empty())
    result = getExits(op.getOrelse().front());
  if (!isEntered)
    return;
  Exits body = getExits(op.getBody().front());
  result.returns |= body.returns;
  result.falls |= body.breaks;
}

Exits StatementLowering::getExits(Operation &op) {
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
    Type iterable = loop.getIterable().getType();
    addExits(loop, !isEmptyTuple(iterable), endsLoop(loop), result);
  }
  return result;
}

bool StatementLowering::endsLoop(py::ForOp op) {
  if (!op.getItem())
    return true;
  Exits body = getExits(op.getBody().front());
  return body.falls || body.continues;
}

bool StatementLowering::canNest(Frame frame, Tail tail) {
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
// Statement lists
//===----------------------------------------------------------------------===//

void StatementLowering::addDeadTerminator() {
  Location loc = lowering.getSource().getLoc();
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto makeValues = [&](TypeRange types) {
    return llvm::map_to_vector(
        types, [&](Type type) { return makeZero(builder, type, loc); });
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
    pyk::ReturnOp::create(builder, loc,
                          makeValues(lowering.getFunction().getResultTypes()));
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

void StatementLowering::lowerFunction(Block &body) {
  Location loc = lowering.getSource().getLoc();
  Frame frame{body.begin(), body.end()};
  if (canNest(frame, Tail::Return)) {
    SmallVector<Value> values = lowerTail(frame, Tail::Return);
    pyk::ReturnOp::create(builder, loc, values);
  } else if (lowerBlock(body)) {
    pyk::ReturnOp::create(builder, loc, makeEndResult());
  }
}

bool StatementLowering::lowerBlock(Block &block) {
  return lowerStatements(block.begin(), block.end());
}

bool StatementLowering::lowerStatements(Block::iterator current,
                                        Block::iterator end) {
  for (; current != end; ++current) {
    bool falls = true;
    if (isa<py::ReturnOp, py::BreakOp, py::ContinueOp>(*current))
      falls = lowerExit(*current);
    else if (auto branch = dyn_cast<py::IfOp>(*current))
      falls = lowerIf(branch);
    else if (auto inner = dyn_cast<py::WhileOp>(*current))
      falls = lowering.loops().lowerWhile(inner);
    else if (auto inner = dyn_cast<py::ForOp>(*current))
      falls = lowering.loops().lowerFor(inner);
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

/// Lets messages call arrays that a function makes as its program does: by the
/// first variable that holds one.
static void nameArrays(const Binding &binding, StringAttr name) {
  for (Value part : binding.parts) {
    Operation *op = part.getDefiningOp();
    if (isa_and_present<AllocOp, DynamicSharedOp, LaunchSharedOp,
                        ConstantArrayOp>(op) &&
        !isa<NameLoc>(op->getLoc()))
      op->setLoc(NameLoc::get(name, op->getLoc()));
  }
}

void StatementLowering::lower(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](py::SetOp set) {
        Type type =
            set.getType() ? *set.getType() : lowering.get(set.getValue()).type;
        Binding value =
            lowering.convert(lowering.get(set.getValue()), type, op.getLoc());
        nameArrays(value, set.getNameAttr());
        tellDebugger(lowering, set.getNameAttr(), value, op.getLoc());
        lowering.variables().set(set.getNameAttr(), std::move(value));
      })
      .Case([&](RaiseOp raise) { lowering.checks().lower(raise); })
      .Case([&](SetSubscriptOp store) { lowering.arrays().lower(store); })
      .Case([&](SetAttributeOp store) { lowering.records().lower(store); })
      .Case([&](UnpackOp unpack) { lowering.expressions().lower(unpack); })
      .Case([&](py::IfOp branch) { lowerIf(branch); })
      .Case([&](py::ForOp inner) { lowering.loops().lowerFor(inner); })
      .Case([&](py::WhileOp inner) { lowering.loops().lowerWhile(inner); })
      .Case<BinaryOp, UnaryOp, CompareOp>([&](auto expression) {
        lowering.set(expression, lowering.operators().evaluate(expression));
      })
      .Case<CallOp, ClosureOp>([&](auto expression) {
        lowering.set(expression, lowering.calls().evaluate(expression));
      })
      .Case([&](SliceOp slice) {
        lowering.set(slice, lowering.arrays().evaluate(slice));
      })
      .Case([&](UnwrapOp unwrap) {
        lowering.set(unwrap, lowering.wrappers().evaluate(unwrap));
      })
      .Case<ConstantOp, GetOp, LogicalOp, ConditionalOp, AttributeOp,
            SubscriptOp, TupleOp>([&](auto expression) {
        lowering.set(expression, lowering.expressions().evaluate(expression));
      })
      .Default([](Operation *) {
        llvm_unreachable("inference refuses the statement");
      });
}

/// True if `block` does nothing but leave: an exit, perhaps with a constant.
static bool isExitOnly(Block &block) {
  return !block.empty() &&
         isa<py::ReturnOp, py::BreakOp, py::ContinueOp>(block.back()) &&
         llvm::all_of(llvm::drop_end(block), llvm::IsaPred<py::ConstantOp>);
}

SmallVector<Value> StatementLowering::lowerTail(Frame frame, Tail tail) {
  for (; frame.current != frame.end; ++frame.current) {
    Operation &op = *frame.current;
    if (auto ret = dyn_cast<py::ReturnOp>(op))
      return getReturned(ret);
    if (isa<py::ContinueOp>(op))
      return gatherCarried(op.getLoc());
    if (isa<py::BreakOp>(op))
      return lowering.loops().gatherLeft(lowering.loops().getInnermost(),
                                         /*byBreak=*/true, op.getLoc());
    auto branch = dyn_cast<py::IfOp>(op);
    if (!branch || (!branch.getTaken() && !getExits(op).any())) {
      lower(op);
      if (getExits(op).falls)
        continue;
      // An endless loop: what follows is never reached.
      return llvm::map_to_vector(getTailTypes(tail), [&](Type type) {
        return makeZero(builder, type, op.getLoc());
      });
    }
    Frame rest{std::next(frame.current), frame.end, frame.next};
    auto lowerArm = [&](Region &region) {
      Block &arm = region.front();
      return lowerTail({arm.begin(), arm.end(), &rest}, tail);
    };
    if (std::optional<bool> taken = branch.getTaken())
      return lowerArm(*taken ? branch.getThenRegion() : branch.getElseRegion());
    SmallVector<Type> types = getTailTypes(tail);
    Value condition =
        lowering.expressions().testCondition(branch.getCondition());
    Block &guarded = branch.getThenRegion().front();
    // `if c: return` reads best as a condition on the rest.
    bool isGuard = types.empty() && isExitOnly(guarded);
    if (isGuard)
      condition = builder.createOrFold<arith::XOrIOp>(
          op.getLoc(), condition,
          makeInteger(builder, 1, builder.getI1Type(), op.getLoc()));
    auto nested = scf::IfOp::create(builder, op.getLoc(), types, condition,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/!isGuard);
    auto fill = [&](Region &arm, Region &region) {
      OpBuilder::InsertionGuard guard(builder);
      startArm(builder, region);
      Variables::Bindings saved = lowering.variables().save();
      SmallVector<Value> results = lowerArm(arm);
      scf::YieldOp::create(builder, op.getLoc(), results);
      lowering.variables().restore(std::move(saved));
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
                              : gatherCarried(lowering.getSource().getLoc());
}

SmallVector<Type> StatementLowering::getTailTypes(Tail tail) {
  if (tail == Tail::Return)
    return SmallVector<Type>(lowering.getFunction().getResultTypes());
  if (tail == Tail::Leave)
    return lowering.loops().getLeftTypes(lowering.loops().getInnermost());
  return getPartTypes(
      llvm::map_to_vector(lowering.loops().getInnermost().carried,
                          [](const Slot &slot) { return slot.type; }));
}

SmallVector<Value> StatementLowering::gatherCarried(Location loc) {
  const LoweredLoop &innermost = lowering.loops().getInnermost();
  if (innermost.runsOnce)
    return lowering.loops().gatherLeft(innermost, /*byBreak=*/false, loc);
  return lowering.variables().gather(lowering.loops().getInnermost().carried,
                                     loc);
}

SmallVector<Value> StatementLowering::getReturned(py::ReturnOp op) {
  return llvm::to_vector(lowering
                             .convert(lowering.get(op.getValue()),
                                      *lowering.getSource().getResult(),
                                      op.getLoc())
                             .parts);
}

SmallVector<Value> StatementLowering::makeEndResult() {
  Binding none{NoneType::get(context), {}};
  return llvm::to_vector(lowering
                             .convert(none, *lowering.getSource().getResult(),
                                      lowering.getSource().getLoc())
                             .parts);
}

bool StatementLowering::lowerExit(Operation &op) {
  Location loc = op.getLoc();
  if (auto ret = dyn_cast<py::ReturnOp>(op)) {
    pyk::ReturnOp::create(builder, loc, getReturned(ret));
  } else if (isa<py::BreakOp>(op)) {
    pyk::BreakOp::create(
        builder, loc,
        lowering.loops().gatherLeft(lowering.loops().getInnermost(),
                                    /*byBreak=*/true, loc));
  } else {
    lowering.loops().makeContinue(loc);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

bool StatementLowering::lowerIf(py::IfOp op) {
  if (std::optional<bool> taken = op.getTaken())
    return lowerBlock(
        (*taken ? op.getThenRegion() : op.getElseRegion()).front());
  Exits own = getExits(*op);
  SmallVector<Slot> slots;
  if (own.falls)
    slots = lowering.variables().getSlotsAfter(op, op.getSlotsAttr());
  auto lowerArm = [&](Region &region) {
    return [this, &block = region.front()] { return lowerBlock(block); };
  };
  auto orelse = lowerArm(op.getElseRegion());
  buildIf(op.getLoc(), lowering.expressions().testCondition(op.getCondition()),
          own.any(), slots, lowerArm(op.getThenRegion()),
          op.getElseRegion().front().empty() ? function_ref<bool()>() : orelse);
  return own.falls;
}

void StatementLowering::buildIf(Location loc, Value condition, bool hasExits,
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
    Variables::Bindings saved = lowering.variables().save();
    bool falls = !arm || arm();
    if (!hasExits)
      scf::YieldOp::create(builder, loc,
                           lowering.variables().gather(slots, loc));
    else if (falls)
      pyk::YieldOp::create(builder, loc,
                           lowering.variables().gather(slots, loc));
    lowering.variables().restore(std::move(saved));
  }
  lowering.variables().bind(slots, nested->getResults());
}
