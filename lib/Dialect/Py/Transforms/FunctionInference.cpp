// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: one function, from the first walk to the types in
// the IR.

#include "FunctionInference.h"
#include "ArrayTyping.h"
#include "AttributeTyping.h"
#include "CallTyping.h"
#include "ChoiceTyping.h"
#include "ClosureTyping.h"
#include "ConstantTyping.h"
#include "ItemTyping.h"
#include "LaunchTyping.h"
#include "LoopUnrolling.h"
#include "OperandTyping.h"
#include "OperatorTyping.h"
#include "ProgramInference.h"
#include "ResultTyping.h"
#include "StatementWalker.h"
#include "StoreTyping.h"
#include "UnpackTyping.h"
#include "VariableTyping.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Most walks over a function. Types grow a few times at most; reaching this
/// is a mistake in the rules.
static constexpr unsigned kMaxWalks = 64;

//===----------------------------------------------------------------------===//
// The parts
//===----------------------------------------------------------------------===//

struct FunctionInference::Parts {
  explicit Parts(FunctionInference &inference)
      : arrays(inference), attributes(inference), calls(inference),
        choices(inference), closures(inference), constants(inference),
        items(inference), launches(inference), operands(inference),
        operators(inference), results(inference), statements(inference),
        stores(inference), unpacking(inference), unrolling(inference),
        variables(inference) {}

  ArrayTyping arrays;
  AttributeTyping attributes;
  CallTyping calls;
  ChoiceTyping choices;
  ClosureTyping closures;
  ConstantTyping constants;
  ItemTyping items;
  LaunchTyping launches;
  OperandTyping operands;
  OperatorTyping operators;
  ResultTyping results;
  StatementWalker statements;
  StoreTyping stores;
  UnpackTyping unpacking;
  LoopUnrolling unrolling;
  VariableTyping variables;
};

FunctionInference::FunctionInference(ProgramInference &program, FuncOp function,
                                     StringAttr name, ArrayRef<Fact> arguments)
    : program(program), function(function), name(name),
      context(function.getContext()),
      typing(function.getNarrow() ? Typing::Narrow : Typing::Numba),
      arguments(arguments), branches(function, arguments, typing),
      parts(std::make_unique<Parts>(*this)) {}

FunctionInference::~FunctionInference() = default;

ArrayTyping &FunctionInference::arrays() { return parts->arrays; }

AttributeTyping &FunctionInference::attributes() { return parts->attributes; }

CallTyping &FunctionInference::calls() { return parts->calls; }

ChoiceTyping &FunctionInference::choices() { return parts->choices; }

ClosureTyping &FunctionInference::closures() { return parts->closures; }

ConstantTyping &FunctionInference::constants() { return parts->constants; }

ItemTyping &FunctionInference::items() { return parts->items; }

LaunchTyping &FunctionInference::launches() { return parts->launches; }

OperandTyping &FunctionInference::operands() { return parts->operands; }

OperatorTyping &FunctionInference::operators() { return parts->operators; }

ResultTyping &FunctionInference::results() { return parts->results; }

StatementWalker &FunctionInference::statements() { return parts->statements; }

StoreTyping &FunctionInference::stores() { return parts->stores; }

UnpackTyping &FunctionInference::unpacking() { return parts->unpacking; }

LoopUnrolling &FunctionInference::unrolling() { return parts->unrolling; }

VariableTyping &FunctionInference::variables() { return parts->variables; }

Fact FunctionInference::getPartialResult() {
  return results().getPartialResult();
}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

bool FunctionInference::grow(Fact &known, const Fact &fact) {
  if (!fact.type || known == fact)
    return true;
  Fact grown = unify(known, fact);
  if (!grown.type)
    return false;
  if (!(grown == known)) {
    known = grown;
    walk.changed = true;
  }
  return true;
}

void FunctionInference::record(Value value, const Fact &fact) {
  Fact &known = facts[value];
  Fact before = known;
  // The condition of a loop is at the head, where the IR has it; it is not
  // asked with what it has been in earlier walks. What is unwrapped has
  // accumulated already, and so has what a method is of.
  if (fact.type && (walk.isInCondition || value.getDefiningOp<UnwrapOp>() ||
                    isa<MethodType>(fact.type))) {
    walk.changed |= !(known == fact);
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

FailureOr<Fact> FunctionInference::evaluate(Operation &op,
                                            Environment &environment) {
  if (auto get = dyn_cast<GetOp>(op))
    return variables().evaluate(get, environment);
  if (auto logical = dyn_cast<LogicalOp>(op))
    return choices().evaluate(logical, environment);
  if (auto conditional = dyn_cast<ConditionalOp>(op))
    return choices().evaluate(conditional, environment);
  if (walk.phase == Phase::Names)
    return Fact();
  if (auto call = dyn_cast<CallOp>(op))
    return calls().evaluate(call, environment);
  return llvm::TypeSwitch<Operation *, FailureOr<Fact>>(&op)
      .Case([&](ConstantOp constant) { return constants().evaluate(constant); })
      .Case<BinaryOp, UnaryOp, CompareOp>(
          [&](auto operation) { return operators().evaluate(operation); })
      .Case([&](AttributeOp read) { return attributes().evaluate(read); })
      .Case<SubscriptOp, TupleOp>(
          [&](auto concrete) { return items().evaluate(concrete); })
      .Case([&](SliceOp slice) { return arrays().evaluate(slice); })
      .Case([&](ClosureOp closure) { return closures().evaluate(closure); })
      .Case([&](UnwrapOp unwrap) { return operands().evaluate(unwrap); })
      .Default([](Operation *unknown) -> FailureOr<Fact> {
        return unknown->emitOpError("is no op of the py dialect");
      });
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

void FunctionInference::walkOnce() {
  errors.clear();
  untyped.clear();
  walk.nested = 0;
  branches.startWalk();
  variables().startWalk();
  constants().startWalk();
  calls().startWalk();
  results().startWalk();
  Flow flow;
  flow.next.emplace();
  for (auto [name, argument] : llvm::zip(
           function.getParameters().getAsRange<StringAttr>(), arguments)) {
    Fact fact = argument;
    fact.isOmitted = false;
    variables().define(function, name, fact, *flow.next);
    if (walk.phase == Phase::Names)
      variables().find(function, name, DefinitionKind::Assignment)->fact = fact;
  }
  statements().interpret(function.getBody().front(), flow);
  results().setFallsOff(flow.next.has_value());
}

void FunctionInference::walkUntilStable() {
  walk.changed = true;
  for (unsigned walks = 0; walk.changed && walks != kMaxWalks; ++walks) {
    walk.changed = false;
    walkOnce();
    if (program.isHopeless())
      return;
  }
  if (walk.changed && errors.empty())
    // No test: it would need a mistake in the rules.
    emitTypingError(function.getLoc())
        << "the types of '" << name << "' do not settle";
}

/// Checks what a function of another language is given; numbers have been cast.
static LogicalResult checkForeign(FuncOp function, ForeignAttr code,
                                  ArrayRef<Fact> arguments) {
  for (auto [index, given, pointee] :
       llvm::enumerate(arguments, code.getPointees())) {
    if (isa<NoneType>(pointee))
      continue;
    auto array = dyn_cast<ArrayType>(given.type);
    if (!array || array.getElementType() != pointee ||
        array.getLayout() == Layout::Any)
      return emitTypingError(function.getLoc())
             << "expects argument " << index + 1 << " of '" << code.getName()
             << "' as an array of " << describe(pointee)
             << " without gaps but got " << describe(given.type);
  }
  return success();
}

FailureOr<Fact> FunctionInference::run() {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    errors.push_back(std::move(diagnostic));
    return success();
  });
  auto foreign = kForeign.get(function);
  if (foreign && failed(checkForeign(function, foreign, arguments)))
    return failure();
  // The body is what the CPU does; there may be none.
  if (foreign && function.getBody().front().empty())
    return makeTyped(*function.getResult());
  walkOnce();
  walk.isFirst = false;
  nameErrors = std::move(errors);
  branches.pruneEarly();
  walkUntilStable();
  branches.pruneLate();
  variables().wantReads();
  walk.phase = Phase::Types;
  walkUntilStable();
  if (unrolling().isNeeded() && !program.isHopeless()) {
    // What the loops' variables are given had no type yet.
    errors.clear();
    unrolled = succeeded(unrolling().unroll());
    return failure();
  }
  addNameErrors();
  // It will be inferred anew once more is known of what it waits for.
  if (errors.empty() && calls().getUnresolved() && program.waitsForCaller())
    return getPartialResult();
  if (errors.empty())
    checkComplete();
  checkTruths();
  if (!errors.empty())
    return failure();
  FailureOr<Fact> result = results().getResult();
  if (succeeded(result))
    writeTypes();
  return result;
}

void FunctionInference::interpretCopy(Location loc, const Twine &note,
                                      function_ref<void()> interpret) {
  size_t first = errors.size();
  interpret();
  auto isKnown = [&](Diagnostic &error) {
    return std::any_of(errors.begin(), errors.begin() + first,
                       [&](Diagnostic &known) {
                         return known.getLocation() == error.getLocation();
                       });
  };
  auto end = std::remove_if(errors.begin() + first, errors.end(), isKnown);
  errors.erase(end, errors.end());
  for (size_t index = first; index != errors.size(); ++index)
    errors[index].attachNote(loc) << note;
}

/// Types are inferred in spite of errors about names, to find the others. Most
/// of these are met again; not in code that turned out never to run.
void FunctionInference::addNameErrors() {
  for (Diagnostic &known : llvm::reverse(nameErrors)) {
    bool isThere = llvm::any_of(errors, [&](Diagnostic &error) {
      return error.getLocation() == known.getLocation() &&
             error.str() == known.str();
    });
    if (!isThere)
      errors.insert(errors.begin(), std::move(known));
  }
}

void FunctionInference::checkComplete() {
  if (const auto &unresolved = calls().getUnresolved())
    emitTypingError(unresolved->first)
        << "cannot infer what '" << unresolved->second
        << "' returns: every path to a return calls the function itself";
  else if (!untyped.empty())
    // No test: a variable that is read above its assignments is reported first.
    emitTypingError(untyped.front().getLoc())
        << "cannot infer the type of this expression";
}

/// The values whose truth `op` asks for.
static SmallVector<Value, 2> getTested(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<Value, 2>>(op)
      .Case<IfOp, ConditionalOp>([](auto branch) {
        return SmallVector<Value, 2>{branch.getCondition()};
      })
      .Case([](WhileOp loop) {
        return SmallVector<Value, 2>{
            cast<YieldOp>(loop.getCondition().front().back()).getValue()};
      })
      .Case([](LogicalOp logical) {
        SmallVector<Value, 2> tested = {logical.getLhs()};
        if (Branches::isOnlyTested(logical.getResult()))
          tested.push_back(
              cast<YieldOp>(logical.getRhs().front().back()).getValue());
        return tested;
      })
      .Case([](UnaryOp unary) {
        SmallVector<Value, 2> tested;
        if (unary.getKind() == UnaryOperator::Not)
          tested.push_back(unary.getOperand());
        return tested;
      })
      .Default([](Operation *) { return SmallVector<Value, 2>(); });
}

/// Refuses to ask whether an array is true, as NumPy does, or a time, as Numba
/// does.
void FunctionInference::checkTruths() {
  // Copies of a loop's body have the same places.
  llvm::DenseSet<Attribute> places;
  function->walk([&](Operation *op) {
    for (Value tested : getTested(op)) {
      Type type = get(tested).type;
      if (!isa_and_present<ArrayType, ShortVectorType, TimeType>(type) ||
          !places.insert(tested.getLoc()).second)
        continue;
      auto array = dyn_cast<ArrayType>(type);
      InFlightDiagnostic error = emitTypingError(tested.getLoc());
      error << describe(type) << " has no truth value";
      error.attachNote() << (isa<ShortVectorType>(type)
                                 ? "test its components, such as .x"
                             : !array ? "compare it with another one"
                             : array.isRecord()
                                 ? "test one of its fields"
                                 : "test its 'size' or one of its elements");
    }
  });
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

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
    auto set = dyn_cast<SetOp>(op);
    if (!set)
      return annotations.write(op, branches);
    Definition *definition =
        variables().find(op, set.getNameAttr(), DefinitionKind::Assignment);
    // A dead assignment defines nothing.
    Type type = get(set.getValue()).type ? definition->fact.type : Type();
    set.setTypeAttr(type ? TypeAttr::get(type) : TypeAttr());
  });
}
