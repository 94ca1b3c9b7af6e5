// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: statements and loops, in source order.
//
// A statement takes the environment before it and leaves one for each way that
// control goes on. A loop is walked once in each walk over the function: its
// head joins what enters with what came around last time.

#include "Folding.h"
#include "Inference.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

void FunctionInference::record(Value value, const Fact &fact) {
  Fact &known = facts[value];
  Fact before = known;
  // The condition of a loop is at the head, where the IR has it; it is not
  // asked with what it has been in earlier walks. What is unwrapped has
  // accumulated already, and so has what a method is of.
  if (fact.type && (isInCondition || value.getDefiningOp<UnwrapOp>() ||
                    isa<MethodType>(fact.type))) {
    changed |= !(known == fact);
    known = fact;
    return;
  }
  if (!grow(known, fact))
    // No test: what an expression reads conflicts first, and is reported there.
    emitTypingError(value.getLoc())
        << "cannot unify " << describe(before.type) << " and "
        << describe(fact.type) << ", which this is in turn";
  else if (!known.type)
    untyped.push_back(value);
}

void FunctionInference::interpret(Block &block, Flow &flow) {
  // A starred unpacking is replaced.
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!flow.next || program.isHopeless())
      return;
    interpret(op, flow);
  }
}

void FunctionInference::interpret(Operation &op, Flow &flow) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case<IfOp, WhileOp, ForOp>(
          [&](auto statement) { interpret(statement, flow); })
      .Case([&](ReturnOp leave) {
        interpret(leave, *flow.next);
        flow.next.reset();
      })
      .Case([&](RaiseOp) { flow.next.reset(); })
      .Case([&](BreakOp) {
        flow.breaks.push_back(std::move(*flow.next));
        flow.next.reset();
      })
      .Case([&](ContinueOp) {
        flow.continues.push_back(std::move(*flow.next));
        flow.next.reset();
      })
      .Default([&](Operation *) { interpretSimple(op, *flow.next); });
}

static void refuse(UnsupportedOp op) {
  InFlightDiagnostic error = emitUnsupportedError(op.getLoc());
  error << op.getWhat() << " cannot be used in a kernel";
  if (std::optional<StringRef> remedy = op.getRemedy())
    error.attachNote() << *remedy;
}

/// Emits an error where a loop runs over a value of `type`.
static void refuseIterable(Location loc, Type type) {
  InFlightDiagnostic error = emitTypingError(loc);
  error << "expects a range, an array or a tuple of one type to iterate over "
           "but got "
        << describe(type);
  if (isText(type))
    error.attachNote() << "loop over a range of its len(...) and index it";
}

void FunctionInference::interpretSimple(Operation &op,
                                        Environment &environment) {
  if (auto set = dyn_cast<SetOp>(op))
    return interpret(set, environment);
  if (phase == Phase::Names) {
    hasUnsupported |= isa<UnsupportedOp>(op);
    // Names and branches are within expressions; types play no part yet.
    (void)evaluate(op, environment);
    return;
  }
  if (auto set = dyn_cast<SetSubscriptOp>(op))
    return (void)interpret(set);
  if (auto set = dyn_cast<SetAttributeOp>(op))
    return (void)interpret(set);
  if (auto unpack = dyn_cast<UnpackOp>(op))
    return interpret(unpack);
  if (auto unsupported = dyn_cast<UnsupportedOp>(op))
    return refuse(unsupported);
  FailureOr<Fact> fact = evaluate(op, environment);
  if (succeeded(fact))
    record(op.getResult(0), *fact);
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

void FunctionInference::interpret(IfOp op, Flow &flow) {
  Value condition = op.getCondition();
  branches.reach(condition, op, Copy::Only);
  Ways ways = branches.getWays(condition, op, Copy::Only);
  // `if True` is no branch for CPython.
  bool isBranch = !isLiteralText(condition);
  nested += isBranch;
  SmallVector<Environment, 2> ends;
  for (auto [region, isReached] :
       {std::pair(&op.getThenRegion(), ways.ifTrue),
        std::pair(&op.getElseRegion(), ways.ifFalse)}) {
    if (!isReached)
      continue;
    Flow arm;
    arm.next = flow.next;
    interpret(region->front(), arm);
    if (arm.next)
      ends.push_back(std::move(*arm.next));
    llvm::move(arm.breaks, std::back_inserter(flow.breaks));
    llvm::move(arm.continues, std::back_inserter(flow.continues));
  }
  nested -= isBranch;
  flow.next = meet(
      op, Place::Join,
      llvm::map_to_vector(ends, [](const Environment &end) { return &end; }));
  slots[op] =
      getSlots(op->getRegions(), flow.next ? *flow.next : Environment());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Environment FunctionInference::enterLoop(Operation *op,
                                         const Environment &entry) {
  auto [names, isNew] = loopNames.try_emplace(op);
  // What its `else` assigns does not come around.
  if (isNew)
    names->second = getAssigned(op->getRegions().drop_back());
  Environment head = entry;
  for (StringAttr name : names->second) {
    Definition *join = getDefinition(op, name, Place::Head);
    Definition *before = entry.lookup(name);
    // What came around last time stays; what enters comes first.
    llvm::erase(join->sources, before);
    if (before)
      join->sources.insert(join->sources.begin(), before);
    join->isPartial = !before;
    form(join);
    if (!join->sources.empty())
      head[name] = join;
  }
  return head;
}

void FunctionInference::closeLoop(Operation *op, const Environment &entry,
                                  ArrayRef<const Environment *> around) {
  for (StringAttr name : loopNames.lookup(op)) {
    Definition *join = getDefinition(op, name, Place::Head);
    llvm::SmallSetVector<Definition *, 4> sources;
    sources.insert(entry.lookup(name));
    for (const Environment *environment : around)
      sources.insert(environment->lookup(name));
    join->isPartial = sources.contains(nullptr);
    sources.remove(nullptr);
    sources.remove(join);
    if (!llvm::equal(sources, join->sources)) {
      join->sources.assign(sources.begin(), sources.end());
      changed = true;
    }
    if (join->isWanted)
      for (Definition *source : join->sources)
        want(source);
  }
}

/// The body of the loop `op` never runs, but its `else` does.
template <typename Loop>
void FunctionInference::passLoop(Loop op, Flow &flow) {
  if (op.getOrelse().empty())
    return;
  interpret(op.getOrelse().front(), flow);
  after[op] = getSlots(op->getRegions().take_back(),
                       flow.next ? *flow.next : Environment());
}

/// Control leaves the loop `op` where its test fails, with `ended`, and goes
/// through its `else`, or by `breaks`, and goes past it.
template <typename Loop>
void FunctionInference::leaveLoop(Loop op, std::optional<Environment> ended,
                                  ArrayRef<Environment> breaks, Flow &flow) {
  Flow orelse;
  orelse.next = std::move(ended);
  if (!op.getOrelse().empty()) {
    elseSlots[op] = getSlots(op->getRegions().drop_back(),
                             orelse.next ? *orelse.next : Environment());
    nested += !breaks.empty();
    interpret(op.getOrelse().front(), orelse);
    nested -= !breaks.empty();
    llvm::move(orelse.breaks, std::back_inserter(flow.breaks));
    llvm::move(orelse.continues, std::back_inserter(flow.continues));
  }
  SmallVector<const Environment *> ends;
  if (orelse.next)
    ends.push_back(&*orelse.next);
  for (const Environment &environment : breaks)
    ends.push_back(&environment);
  flow.next = meet(op, Place::After, ends);
  after[op] =
      getSlots(op->getRegions(), flow.next ? *flow.next : Environment());
}

void FunctionInference::test(WhileOp op, Environment &environment, Copy which) {
  copy = which;
  isInCondition = true;
  evaluateRegion(op.getCondition(), environment);
  isInCondition = false;
  copy = Copy::Only;
  if (which != Copy::Only)
    branches.reach(cast<YieldOp>(op.getCondition().front().back()).getValue(),
                   op, which);
}

void FunctionInference::interpret(WhileOp op, Flow &flow) {
  Value condition = cast<YieldOp>(op.getCondition().front().back()).getValue();
  const Environment entry = *flow.next;
  if (phase == Phase::Names) {
    Environment first = entry;
    test(op, first, Copy::First);
  }
  Ways first = branches.getWays(condition, op, Copy::First);
  if (!first.ifTrue) {
    branches.setTurns(op, false);
    loopTaken[op] = false;
    test(op, *flow.next, Copy::Only);
    return passLoop(op, flow);
  }
  Environment head = enterLoop(op, entry);
  Flow body;
  body.next = head;
  test(op, *body.next, Copy::Only);
  // What the condition itself assigns is the same on all ways out.
  Environment tested;
  op.getCondition().walk([&](SetOp set) {
    if (Definition *own = body.next->lookup(set.getNameAttr()))
      tested[set.getNameAttr()] = own;
  });
  auto leave = [&](Environment environment) {
    for (const auto &[name, definition] : tested)
      environment[name] = definition;
    return environment;
  };
  ++nested;
  interpret(op.getBody().front(), body);
  --nested;

  SmallVector<const Environment *> ends;
  if (body.next)
    ends.push_back(&*body.next);
  for (const Environment &environment : body.continues)
    ends.push_back(&environment);
  std::optional<Environment> bottom = meet(op, Place::Bottom, ends);
  SmallVector<Environment, 2> exits;
  if (first.ifFalse)
    exits.push_back(leave(entry));
  branches.setTurns(op, bottom.has_value());
  if (bottom) {
    if (phase == Phase::Names) {
      Environment again = *bottom;
      test(op, again, Copy::Again);
    }
    if (branches.getWays(condition, op, Copy::Again).ifFalse)
      exits.push_back(leave(*bottom));
  }
  closeLoop(op, entry,
            bottom ? ArrayRef<const Environment *>{&*bottom}
                   : ArrayRef<const Environment *>());

  loopTaken[op] = exits.empty() ? std::optional(true) : std::nullopt;
  slots[op] = getSlots(op->getRegions().drop_back(), head);
  leaveLoop(op,
            meet(op, Place::Exit,
                 llvm::map_to_vector(exits,
                                     [](const Environment &environment) {
                                       return &environment;
                                     })),
            body.breaks, flow);
}

void FunctionInference::interpret(ForOp op, Flow &flow) {
  Fact iterable = getPlain(op.getIterableMutable());
  if (isEmptyTuple(iterable.type))
    return passLoop(op, flow);
  Type element = iterable.type ? getElementOf(iterable.type) : Type();
  if (iterable.type && !element)
    refuseIterable(op.getIterable().getLoc(), iterable.type);
  if (phase == Phase::Types)
    record(op.getBody().getArgument(0), makeTyped(element));
  const Environment entry = *flow.next;
  Environment head = enterLoop(op, entry);
  Flow body;
  body.next = head;
  ++nested;
  interpret(op.getBody().front(), body);
  --nested;
  SmallVector<const Environment *> around;
  if (body.next)
    around.push_back(&*body.next);
  for (const Environment &environment : body.continues)
    around.push_back(&environment);
  closeLoop(op, entry, around);
  slots[op] = getSlots(op->getRegions().drop_back(), head);
  // Control leaves from the head.
  leaveLoop(op, std::move(head), body.breaks, flow);
}

//===----------------------------------------------------------------------===//
// Simple statements
//===----------------------------------------------------------------------===//

void FunctionInference::interpret(ReturnOp op, Environment &environment) {
  hasReturned = true;
  reachedReturns.insert(op);
  if (phase == Phase::Names)
    return;
  SmallVector<Attribute> around;
  FailureOr<Fact> value =
      capture(get(op.getValue()), environment, op.getValue().getLoc(), around);
  if (failed(value))
    return;
  Fact &result = returns[op];
  Fact before = result;
  if (!grow(result, *value))
    // No test: what it reads conflicts first, and is reported there.
    emitTypingError(op.getLoc())
        << "cannot unify " << describe(before.type) << " and "
        << describe(value->type) << ", which this returns in turn";
}

void FunctionInference::interpret(SetOp op, Environment &environment) {
  define(op, op.getNameAttr(), get(op.getValue()), environment);
}

LogicalResult FunctionInference::interpret(SetSubscriptOp op) {
  Fact value = getPlain(op.getValueMutable()),
       object = getPlain(op.getObjectMutable()),
       index = getIndex(op.getIndexMutable());
  if (!value.type || !object.type || !index.type)
    return success();
  if (auto flat = dyn_cast<FlatType>(object.type)) {
    auto array = cast<ArrayType>(flat.getArray());
    if (failed(checkWritable(op.getLoc(), array)) ||
        failed(checkFlatIndex(op.getIndex())))
      return failure();
    return checkStore(op.getValue(), array, array.getElement());
  }
  auto array = dyn_cast<ArrayType>(object.type);
  if (!array)
    return emitTypingError(op.getLoc())
           << "expects an array to assign to an element of but got "
           << describe(object.type);
  if (failed(checkWritable(op.getLoc(), array)))
    return failure();
  if (findArrayItem(index.type, array)) {
    value = getElement(op.getValueMutable());
    if (isNumberOrTime(value.type) || isText(value.type))
      return checkStore(op.getValue(), array, array.getElementType());
    return emitTypingError(op.getValue().getLoc())
           << "expects a number to store where an array says but got "
           << describe(value.type);
  }
  FailureOr<Type> target = getSelected(op, op.getIndex(), array);
  return failed(target) ? failure() : checkStore(op.getValue(), array, *target);
}
