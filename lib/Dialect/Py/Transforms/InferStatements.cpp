// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: statements, joins and loops, in source order.
//
// A statement takes the environment before it and leaves one for each way that
// control goes on. A loop is interpreted until what its head knows no longer
// grows; chains of types are short, so that is two or three turns.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Most turns of a loop. Types grow a few times at most; reaching this is a
/// mistake in the rules.
static constexpr unsigned kMaxTurns = 64;

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

Fact py::join(const Fact &a, const Fact &b) {
  if (a == b || !b.type)
    return a;
  if (!a.type)
    return b;
  if (a.conflict || b.conflict)
    return a.conflict ? a : b;
  Fact result;
  result.type = unify(a.type, b.type);
  if (!result.type) {
    result = a;
    result.constant = {};
    result.decides = false;
    result.conflict = b.type;
    result.conflictDefinition = b.definition;
    return result;
  }
  if (a.constant == b.constant)
    result.constant = a.constant;
  if (a.definition == b.definition) {
    result.definition = a.definition;
    result.decides = result.constant && a.decides && b.decides;
    result.isComparison = a.isComparison || b.isComparison;
  }
  return result;
}

Environment py::join(const Environment &a, const Environment &b) {
  Environment result;
  for (const auto &[name, fact] : a) {
    auto other = b.find(name);
    // A variable that one path does not give a value has that of the other.
    Fact met = other == b.end() ? fact : join(fact, other->second);
    if (other == b.end())
      met.decides = false;
    result.insert({name, met});
  }
  for (const auto &[name, fact] : b)
    if (!a.contains(name)) {
      Fact met = fact;
      met.decides = false;
      result.insert({name, met});
    }
  return result;
}

std::optional<Environment> py::join(const std::optional<Environment> &a,
                                    const std::optional<Environment> &b) {
  if (!a || !b)
    return a ? a : b;
  return join(*a, *b);
}

static bool isSame(const Environment &a, const Environment &b) {
  return a.size() == b.size() && llvm::all_of(a, [&](const auto &entry) {
           auto other = b.find(entry.first);
           return other != b.end() && other->second == entry.second;
         });
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

FailureOr<Type> FunctionInference::run(ArrayRef<Fact> arguments) {
  Environment environment;
  for (auto [name, fact] : llvm::zip(
           function.getParameters().getAsRange<StringAttr>(), arguments)) {
    Fact argument = fact;
    // Branches on None are pruned where a parameter is known to be None; a
    // literal argument is a constant, but prunes nothing.
    argument.decides = isa<NoneType>(argument.type);
    if (argument.decides)
      argument.constant = NoneAttr::get(context);
    else if (isa_and_present<FloatAttr>(argument.constant))
      argument.constant = {};
    argument.definition = function;
    environment.insert({name, argument});
    ++assignments[name];
  }
  function.walk([&](SetOp op) { ++assignments[op.getNameAttr()]; });

  Flow flow;
  flow.next = environment;
  if (failed(interpret(function.getBody().front(), flow)))
    return failure();
  fallsOff = flow.next.has_value();
  writeTypes();
  return getResult();
}

FailureOr<Type> FunctionInference::getResult() {
  SmallVector<std::pair<Type, Operation *>> results;
  bool isComplete = true;
  for (auto &[op, type] : returns)
    if (type)
      results.push_back({type, op});
    else
      isComplete = false;
  auto none = NoneType::get(context);
  if (fallsOff)
    results.push_back({none, function});
  if (results.empty()) {
    if (!isComplete)
      return Type();
    results.push_back({none, function});
  }
  // Narrow types first: the order matters where three types meet.
  SmallVector<unsigned> order = sortByWidth(
      llvm::map_to_vector(results, [](auto entry) { return entry.first; }));
  Type result;
  Operation *first = results[order.front()].second;
  for (unsigned position : order) {
    auto [type, op] = results[position];
    if (Type unified = unify(result, type)) {
      result = unified;
      continue;
    }
    bool isMissing = isa<NoneType>(result) || isa<NoneType>(type);
    InFlightDiagnostic error = emitTypingError(op->getLoc());
    if (isMissing)
      error << "'" << function.getSymName()
            << "' returns a value on some paths and None on others";
    else
      error << "cannot unify the types that '" << function.getSymName()
            << "' returns: " << describe(result) << " and " << describe(type);
    error.attachNote(first->getLoc())
        << "returns " << describe(result) << " here";
    return error;
  }
  function.setResultAttr(TypeAttr::get(result));
  return result;
}

DictionaryAttr FunctionInference::getSlots(Operation *op,
                                           const Environment &environment) {
  SmallVector<NamedAttribute> entries;
  llvm::SmallPtrSet<Attribute, 8> seen;
  op->walk([&](SetOp set) {
    auto found = environment.find(set.getNameAttr());
    if (found != environment.end() && found->second.type &&
        !found->second.conflict && seen.insert(set.getNameAttr()).second)
      entries.emplace_back(set.getNameAttr(),
                           TypeAttr::get(found->second.type));
  });
  return DictionaryAttr::get(context, entries);
}

void FunctionInference::writeTypes() {
  auto object = ObjectType::get(context);
  auto typeOf = [&](Value value) {
    Type type = facts.lookup(value).type;
    return type ? type : object;
  };
  function.getBody().walk([&](Operation *op) {
    for (Value result : op->getResults())
      result.setType(typeOf(result));
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setType(typeOf(argument));
    std::optional<bool> way = taken.lookup(op);
    auto wayAttr = way ? BoolAttr::get(context, *way) : BoolAttr();
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](SetOp set) {
          Type type = assigned.lookup(op);
          set.setTypeAttr(type ? TypeAttr::get(type) : TypeAttr());
        })
        .Case([&](IfOp branch) {
          branch.setTakenAttr(wayAttr);
          branch.setSlotsAttr(slots.lookup(op));
        })
        .Case([&](ConditionalOp conditional) {
          conditional.setTakenAttr(wayAttr);
        })
        .Case([&](WhileOp loop) {
          loop.setTakenAttr(wayAttr);
          loop.setSlotsAttr(slots.lookup(op));
          loop.setAfterAttr(after.lookup(op));
        })
        .Case([&](ForOp loop) {
          loop.setSlotsAttr(slots.lookup(op));
          loop.setAfterAttr(after.lookup(op));
        })
        .Case([&](SubscriptOp subscript) {
          auto position = positions.find(op);
          subscript.setPositionAttr(
              position == positions.end()
                  ? IntegerAttr()
                  : IntegerAttr::get(IntegerType::get(context, 64),
                                     position->second));
        })
        .Case([&](CallOp call) {
          FuncOp target = targets.lookup(op);
          call.setTargetAttr(target ? FlatSymbolRefAttr::get(target)
                                    : FlatSymbolRefAttr());
        });
  });
}

LogicalResult FunctionInference::record(Value value, Fact fact) {
  Fact &known = facts[value];
  if (!fact.type)
    return success();
  if (!known.type || known.type == fact.type) {
    if (known.type && known.constant != fact.constant)
      fact.constant = {};
    known = fact;
    return success();
  }
  Type unified = unify(known.type, fact.type);
  if (!unified)
    return emitTypingError(value.getLoc())
           << "cannot unify " << describe(known.type) << " and "
           << describe(fact.type) << ", which this has on different turns";
  known = makeTyped(unified);
  return success();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult FunctionInference::interpret(Block &block, Flow &flow) {
  for (Operation &op : block) {
    if (!flow.next)
      return success();
    if (failed(interpret(op, flow)))
      return failure();
  }
  return success();
}

LogicalResult FunctionInference::interpret(Operation &op, Flow &flow) {
  if (auto branch = dyn_cast<IfOp>(op))
    return interpret(branch, flow);
  if (auto loop = dyn_cast<WhileOp>(op))
    return interpret(loop, flow);
  if (auto loop = dyn_cast<ForOp>(op))
    return interpret(loop, flow);
  if (auto ret = dyn_cast<ReturnOp>(op))
    return interpret(ret, flow);
  if (auto set = dyn_cast<SetOp>(op))
    return interpret(set, *flow.next);
  if (auto set = dyn_cast<SetSubscriptOp>(op))
    return interpret(set);
  if (auto unpack = dyn_cast<UnpackOp>(op))
    return interpret(unpack);
  if (isa<BreakOp, ContinueOp>(op)) {
    std::optional<Environment> &way =
        isa<BreakOp>(op) ? flow.breaks : flow.continues;
    way = join(way, flow.next);
    flow.next.reset();
    return success();
  }
  if (auto unsupported = dyn_cast<UnsupportedOp>(op))
    return emitUnsupportedError(op.getLoc())
           << unsupported.getWhat() << " cannot be used in a kernel";
  FailureOr<Fact> fact = evaluate(op, *flow.next);
  return failed(fact) ? failure() : record(op.getResult(0), *fact);
}

LogicalResult FunctionInference::interpret(IfOp op, Flow &flow) {
  Fact condition = get(op.getCondition());
  std::optional<bool> way;
  if (condition.decides)
    way = getTruth(condition.constant);
  taken[op] = way;
  Flow thenFlow, elseFlow;
  if (way != false) {
    thenFlow.next = flow.next;
    if (failed(interpret(op.getThenRegion().front(), thenFlow)))
      return failure();
  }
  if (way != true) {
    elseFlow.next = flow.next;
    if (failed(interpret(op.getElseRegion().front(), elseFlow)))
      return failure();
  }
  flow.next = join(thenFlow.next, elseFlow.next);
  flow.breaks = join(flow.breaks, join(thenFlow.breaks, elseFlow.breaks));
  flow.continues =
      join(flow.continues, join(thenFlow.continues, elseFlow.continues));
  slots[op] = getSlots(op, flow.next ? *flow.next : Environment());
  return success();
}

LogicalResult FunctionInference::interpretLoop(
    Operation *op, Flow &flow,
    function_ref<LogicalResult(Environment, Flow &,
                               std::optional<Environment> &)>
        turn) {
  Environment head = *flow.next;
  for (unsigned turns = 0; turns != kMaxTurns; ++turns) {
    Flow body;
    std::optional<Environment> done;
    if (failed(turn(head, body, done)))
      return failure();
    std::optional<Environment> around = join(body.next, body.continues);
    Environment grown = around ? join(head, *around) : head;
    if (isSame(head, grown)) {
      slots[op] = getSlots(op, head);
      flow.next = join(done, body.breaks);
      after[op] = getSlots(op, flow.next ? *flow.next : Environment());
      return success();
    }
    head = std::move(grown);
  }
  return emitTypingError(op->getLoc())
         << "the types of this loop's variables do not settle";
}

LogicalResult FunctionInference::interpret(WhileOp op, Flow &flow) {
  return interpretLoop(
      op, flow,
      [&](Environment head, Flow &body, std::optional<Environment> &done) {
        FailureOr<Fact> condition = evaluateYield(op.getCondition(), head);
        if (failed(condition))
          return failure();
        std::optional<bool> way;
        if (condition->decides)
          way = getTruth(condition->constant);
        taken[op] = way;
        if (way != true)
          done = head;
        if (way != false)
          body.next = head;
        return interpret(op.getBody().front(), body);
      });
}

LogicalResult FunctionInference::interpret(ForOp op, Flow &flow) {
  Fact iterable = get(op.getIterable());
  Type element;
  if (auto range = dyn_cast_if_present<RangeType>(iterable.type))
    element = range.getElementType();
  else if (iterable.type)
    return emitTypingError(op.getIterable().getLoc())
           << "expects a range to iterate over but got "
           << describe(iterable.type);
  BlockArgument argument = op.getBody().getArgument(0);
  return interpretLoop(
      op, flow,
      [&](Environment head, Flow &body, std::optional<Environment> &done) {
        done = head;
        body.next = head;
        if (failed(record(argument, makeTyped(element))))
          return failure();
        return interpret(op.getBody().front(), body);
      });
}

LogicalResult FunctionInference::interpret(ReturnOp op, Flow &flow) {
  Fact value = get(op.getValue());
  flow.next.reset();
  Type &type = returns[op];
  if (!value.type)
    return success();
  if (auto known = dyn_cast<StaticType>(value.type))
    return emitTypingError(op.getLoc())
           << "expects a value to return but got " << describe(value.type);
  Type unified = unify(type, value.type);
  if (!unified)
    return emitTypingError(op.getLoc())
           << "cannot unify " << describe(type) << " and "
           << describe(value.type) << ", which this returns on different turns";
  type = unified;
  return success();
}

LogicalResult FunctionInference::interpret(SetOp op, Environment &environment) {
  Fact fact = get(op.getValue());
  firstAssignment.try_emplace(op.getNameAttr(), op);
  Type &type = assigned[op];
  if (fact.type) {
    Type unified = unify(type, fact.type);
    if (!unified)
      return emitTypingError(op.getLoc())
             << "cannot unify " << describe(type) << " and "
             << describe(fact.type) << " for variable '" << op.getName() << "'";
    if (unified != fact.type)
      fact = makeTyped(unified);
    type = unified;
  } else {
    fact.type = type;
  }
  fact.definition = op;
  environment[op.getNameAttr()] = fact;
  return success();
}

LogicalResult FunctionInference::interpret(SetSubscriptOp op) {
  Fact value = get(op.getValue()), object = get(op.getObject()),
       index = get(op.getIndex());
  if (!value.type || !object.type || !index.type)
    return success();
  auto array = dyn_cast<ArrayType>(object.type);
  if (!array)
    return emitTypingError(op.getLoc())
           << "expects an array to assign to an element of but got "
           << describe(object.type);
  if (array.isReadOnly())
    return emitTypingError(op.getLoc())
           << "expects an array that can be written but got one in constant "
              "memory";
  FailureOr<Type> element = getElement(op.getLoc(), array, index.type);
  if (failed(element))
    return failure();
  if (!isScalar(value.type))
    return emitTypingError(op.getLoc())
           << "expects a number to store in " << describe(array) << " but got "
           << describe(value.type);
  return success();
}

LogicalResult FunctionInference::interpret(UnpackOp op) {
  Fact value = get(op.getValue());
  if (!value.type)
    return success();
  auto tuple = dyn_cast<TupleType>(value.type);
  if (!tuple)
    return emitTypingError(op.getLoc())
           << "expects a tuple to unpack but got " << describe(value.type);
  if (tuple.size() != op.getNumResults())
    return emitTypingError(op.getLoc())
           << "expects " << op.getNumResults() << " values to unpack but got "
           << tuple.size();
  auto items = dyn_cast_if_present<ArrayAttr>(value.constant);
  for (auto [position, item] : llvm::enumerate(op.getItems())) {
    Fact fact = makeTyped(tuple.getType(position));
    if (items)
      fact.constant = items[position];
    if (failed(record(item, fact)))
      return failure();
  }
  return success();
}
