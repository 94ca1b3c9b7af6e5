// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: statements and loops, in source order.
//
// A statement takes the environment before it and leaves one for each way that
// control goes on. A loop is walked once in each walk over the function: its
// head joins what enters with what came around last time.

#include "StatementWalker.h"
#include "Folding.h"
#include "LoopUnrolling.h"
#include "OperandTyping.h"
#include "ProgramInference.h"
#include "ResultTyping.h"
#include "StoreTyping.h"
#include "UnpackTyping.h"
#include "VariableTyping.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

void StatementWalker::interpret(Block &block, Flow &flow) {
  // A starred unpacking is replaced.
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!flow.next || inference.getProgram().isHopeless())
      return;
    interpret(op, flow);
  }
}

void StatementWalker::interpret(Operation &op, Flow &flow) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case<IfOp, WhileOp, ForOp>(
          [&](auto statement) { interpret(statement, flow); })
      .Case([&](ReturnOp leave) {
        inference.results().interpret(leave, *flow.next);
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

void StatementWalker::interpretRegion(Region &region,
                                      Environment &environment) {
  for (Operation &op : region.front().without_terminator())
    interpretSimple(op, environment);
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
  error << "expects a range, an array or a tuple to iterate over but got "
        << describe(type);
  if (isText(type))
    error.attachNote() << "loop over a range of its len(...) and index it";
}

/// Says for which item the body of a loop has been copied where an error is.
static std::string getItemNote(uint64_t item, Type type) {
  std::string note =
      "this is item " + std::to_string(item) + " of what the loop runs over";
  return type ? note + ", of type " + describe(type) : note;
}

void StatementWalker::interpretSimple(Operation &op, Environment &environment) {
  if (auto set = dyn_cast<SetOp>(op))
    return inference.variables().define(
        set, set.getNameAttr(), inference.get(set.getValue()), environment);
  if (walk.phase == Phase::Names) {
    walk.hasUnsupported |= isa<UnsupportedOp>(op);
    // Names and branches are within expressions; types play no part yet.
    (void)inference.evaluate(op, environment);
    return;
  }
  if (auto set = dyn_cast<SetSubscriptOp>(op))
    return (void)inference.stores().interpret(set);
  if (auto set = dyn_cast<SetAttributeOp>(op))
    return (void)inference.stores().interpret(set);
  if (auto unpack = dyn_cast<UnpackOp>(op))
    return inference.unpacking().interpret(unpack);
  if (auto unsupported = dyn_cast<UnsupportedOp>(op))
    return refuse(unsupported);
  FailureOr<Fact> fact = inference.evaluate(op, environment);
  if (succeeded(fact))
    inference.record(op.getResult(0), *fact);
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

void StatementWalker::interpret(IfOp op, Flow &flow) {
  Branches &branches = inference.getBranches();
  Value condition = op.getCondition();
  branches.reach(condition, op, Copy::Only);
  Paths paths = branches.getPaths(condition, op, Copy::Only);
  // `if True` is no branch for CPython.
  bool isBranch = !isLiteralText(condition);
  walk.nested += isBranch;
  SmallVector<Environment, 2> ends;
  for (auto [region, isReached] :
       {std::pair(&op.getThenRegion(), paths.ifTrue),
        std::pair(&op.getElseRegion(), paths.ifFalse)}) {
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
  walk.nested -= isBranch;
  flow.next = inference.variables().meet(
      op, DefinitionKind::Join,
      llvm::map_to_vector(ends, [](const Environment &end) { return &end; }));
  inference.getAnnotations().setSlots(
      op, getSlots(op->getRegions(), flow.next ? *flow.next : Environment(),
                   context));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The body of the loop `op` never runs, but its `else` does.
template <typename Loop>
void StatementWalker::passLoop(Loop op, Flow &flow) {
  if (op.getOrelse().empty())
    return;
  interpret(op.getOrelse().front(), flow);
  inference.getAnnotations().setAfter(
      op, getSlots(op->getRegions().take_back(),
                   flow.next ? *flow.next : Environment(), context));
}

/// Control leaves the loop `op` where its test fails, with `ended`, and goes
/// through its `else`, or by `breaks`, and goes past it.
template <typename Loop>
void StatementWalker::leaveLoop(Loop op, std::optional<Environment> ended,
                                ArrayRef<Environment> breaks, Flow &flow) {
  Flow orelse;
  orelse.next = std::move(ended);
  if (!op.getOrelse().empty()) {
    inference.getAnnotations().setElseSlots(
        op, getSlots(op->getRegions().drop_back(),
                     orelse.next ? *orelse.next : Environment(), context));
    walk.nested += !breaks.empty();
    interpret(op.getOrelse().front(), orelse);
    walk.nested -= !breaks.empty();
    llvm::move(orelse.breaks, std::back_inserter(flow.breaks));
    llvm::move(orelse.continues, std::back_inserter(flow.continues));
  }
  SmallVector<const Environment *> ends;
  if (orelse.next)
    ends.push_back(&*orelse.next);
  for (const Environment &environment : breaks)
    ends.push_back(&environment);
  flow.next = inference.variables().meet(op, DefinitionKind::After, ends);
  inference.getAnnotations().setAfter(
      op, getSlots(op->getRegions(), flow.next ? *flow.next : Environment(),
                   context));
}

void StatementWalker::test(WhileOp op, Environment &environment, Copy which) {
  walk.copy = which;
  walk.isInCondition = true;
  interpretRegion(op.getCondition(), environment);
  walk.isInCondition = false;
  walk.copy = Copy::Only;
  if (which != Copy::Only)
    inference.getBranches().reach(
        cast<YieldOp>(op.getCondition().front().back()).getValue(), op, which);
}

void StatementWalker::interpret(WhileOp op, Flow &flow) {
  Annotations &annotations = inference.getAnnotations();
  VariableTyping &variables = inference.variables();
  Branches &branches = inference.getBranches();
  Value condition = cast<YieldOp>(op.getCondition().front().back()).getValue();
  const Environment entry = *flow.next;
  if (walk.phase == Phase::Names) {
    Environment first = entry;
    test(op, first, Copy::First);
  }
  Paths first = branches.getPaths(condition, op, Copy::First);
  if (!first.ifTrue) {
    branches.setIterations(op, false);
    annotations.setTaken(op, false);
    test(op, *flow.next, Copy::Only);
    return passLoop(op, flow);
  }
  Environment head = variables.enterLoop(op, entry);
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
  ++walk.nested;
  interpret(op.getBody().front(), body);
  --walk.nested;

  SmallVector<const Environment *> ends;
  if (body.next)
    ends.push_back(&*body.next);
  for (const Environment &environment : body.continues)
    ends.push_back(&environment);
  std::optional<Environment> bottom =
      variables.meet(op, DefinitionKind::Bottom, ends);
  SmallVector<Environment, 2> exits;
  if (first.ifFalse)
    exits.push_back(leave(entry));
  branches.setIterations(op, bottom.has_value());
  if (bottom) {
    if (walk.phase == Phase::Names) {
      Environment again = *bottom;
      test(op, again, Copy::Again);
    }
    if (branches.getPaths(condition, op, Copy::Again).ifFalse)
      exits.push_back(leave(*bottom));
  }
  variables.closeLoop(op, entry,
                      bottom ? ArrayRef<const Environment *>{&*bottom}
                             : ArrayRef<const Environment *>());

  annotations.setTaken(op, exits.empty() ? std::optional(true) : std::nullopt);
  annotations.setSlots(op,
                       getSlots(op->getRegions().drop_back(), head, context));
  leaveLoop(
      op,
      variables.meet(op, DefinitionKind::Exit,
                     llvm::map_to_vector(exits,
                                         [](const Environment &environment) {
                                           return &environment;
                                         })),
      body.breaks, flow);
}

void StatementWalker::interpret(ForOp op, Flow &flow) {
  VariableTyping &variables = inference.variables();
  Fact iterable = inference.operands().getPlain(op.getIterableMutable());
  if (isEmptyTuple(iterable.type))
    return passLoop(op, flow);
  // Of what is copied for each item, items have no type before.
  bool isCopied =
      walk.phase == Phase::Types && inference.unrolling().mustUnroll(op);
  bool runsOnce = op.getItem().has_value();
  Type element =
      iterable.type && !isCopied ? getElementOf(iterable.type) : Type();
  if (iterable.type && !isCopied && !element)
    refuseIterable(op.getIterable().getLoc(), iterable.type);
  if (walk.phase == Phase::Types)
    inference.record(op.getBody().getArgument(0),
                     element && runsOnce ? getTupleItem(iterable, 0)
                                         : makeTyped(element));
  const Environment entry = *flow.next;
  Environment head = runsOnce ? entry : variables.enterLoop(op, entry);
  Flow body;
  body.next = head;
  auto interpretBody = [&] {
    ++walk.nested;
    interpret(op.getBody().front(), body);
    --walk.nested;
  };
  if (std::optional<uint64_t> item = op.getItem())
    inference.interpretCopy(op.getBody().getArgument(0).getLoc(),
                            getItemNote(*item, element), interpretBody);
  else
    interpretBody();
  SmallVector<const Environment *> around;
  if (body.next)
    around.push_back(&*body.next);
  for (const Environment &environment : body.continues)
    around.push_back(&environment);
  if (runsOnce)
    return leaveLoop(op, variables.meet(op, DefinitionKind::Bottom, around),
                     body.breaks, flow);
  variables.closeLoop(op, entry, around);
  inference.getAnnotations().setSlots(
      op, getSlots(op->getRegions().drop_back(), head, context));
  // Control leaves from the head.
  leaveLoop(op, std::move(head), body.breaks, flow);
}
