// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: one function, from the first walk to the types in
// the IR.

#include "Folding.h"
#include "Inference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Most walks over a function. Types grow a few times at most; reaching this
/// is a mistake in the rules.
static constexpr unsigned kMaxWalks = 64;

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

void FunctionInference::walk() {
  errors.clear();
  unresolvedNames.clear();
  read.clear();
  untyped.clear();
  reachedReturns.clear();
  branches.startWalk();
  nested = 0;
  unresolved.reset();
  Flow flow;
  flow.next.emplace();
  for (auto [name, argument] : llvm::zip(
           function.getParameters().getAsRange<StringAttr>(), arguments)) {
    Fact fact = argument;
    fact.isOmitted = false;
    define(function, name, fact, *flow.next);
    if (phase == Phase::Names)
      getDefinition(function, name, Place::Assignment)->fact = fact;
  }
  interpret(function.getBody().front(), flow);
  changed |= fallsOff != flow.next.has_value();
  fallsOff = flow.next.has_value();
}

void FunctionInference::walkUntilStable() {
  changed = true;
  for (unsigned walks = 0; changed && walks != kMaxWalks; ++walks) {
    changed = false;
    walk();
    if (program.isHopeless())
      return;
  }
  if (changed && errors.empty())
    // No test: it would need a mistake in the rules.
    emitTypingError(function.getLoc())
        << "the types of '" << name << "' do not settle";
}

FailureOr<Fact> FunctionInference::run() {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    errors.push_back(std::move(diagnostic));
    return success();
  });
  auto foreign =
      function->getAttrOfType<ForeignAttr>(PykDialect::kForeignAttrName);
  if (foreign && failed(checkForeign(foreign)))
    return failure();
  // The body is what the CPU does; there may be none.
  if (foreign && function.getBody().front().empty())
    return makeTyped(*function.getResult());
  walk();
  isFirstWalk = false;
  nameErrors = std::move(errors);
  branches.pruneEarly();
  walkUntilStable();
  branches.pruneLate();
  for (Definition *definition : read)
    want(definition);
  phase = Phase::Types;
  walkUntilStable();
  addNameErrors();
  // It will be inferred anew once more is known of what it waits for.
  if (errors.empty() && unresolved && program.waitsForCaller())
    return getPartialResult();
  if (errors.empty())
    checkComplete();
  checkTruths();
  if (!errors.empty())
    return failure();
  FailureOr<Fact> result = getResult();
  if (succeeded(result))
    writeTypes();
  return result;
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
  if (unresolved)
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
  function->walk([&](Operation *op) {
    for (Value tested : getTested(op)) {
      Type type = get(tested).type;
      if (!isa_and_present<ArrayType, ShortVectorType, TimeType>(type))
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
// The result
//===----------------------------------------------------------------------===//

Fact FunctionInference::getPartialResult() const {
  Fact result;
  SmallVector<Type> types;
  for (const auto &entry : returns)
    if (entry.second.type)
      types.push_back(entry.second.type);
  if (fallsOff && phase == Phase::Types)
    types.push_back(NoneType::get(context));
  for (unsigned position : sortByWidth(types))
    if (Type unified = unify(result.type, types[position]))
      result.type = unified;
  return result;
}

FailureOr<Fact> FunctionInference::getResult() {
  SmallVector<std::pair<Fact, Operation *>> results;
  for (Operation *op : reachedReturns)
    results.push_back({returns[op], op});
  if (fallsOff || results.empty())
    results.push_back({makeTyped(NoneType::get(context)), function});
  // Narrow types first: the order matters where three types meet.
  SmallVector<unsigned> order = sortByWidth(llvm::map_to_vector(
      results, [](auto entry) { return entry.first.type; }));
  Fact result;
  Operation *first = results[order.front()].second;
  for (unsigned position : order) {
    auto [fact, op] = results[position];
    Fact unified = unify(result, fact);
    if (unified.type) {
      result = unified;
      continue;
    }
    InFlightDiagnostic error = emitTypingError(op->getLoc());
    error << "cannot unify the types that '" << name
          << "' returns: " << describe(result.type) << " and "
          << describe(fact.type);
    if (first == function)
      error.attachNote(first->getLoc())
          << "its end can be reached without a return";
    else
      error.attachNote(first->getLoc())
          << "returns " << describe(result.type) << " here";
    return error;
  }
  function.setResultAttr(TypeAttr::get(result.type));
  return result;
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
    writeTypes(op);
  });
}

void FunctionInference::writeTypes(Operation *op) {
  auto makeWay = [&](std::optional<bool> way) {
    return way ? BoolAttr::get(context, *way) : BoolAttr();
  };
  auto getNumber = [&](const llvm::DenseMap<Operation *, int64_t> &numbers) {
    auto number = numbers.find(op);
    return number == numbers.end()
               ? IntegerAttr()
               : IntegerAttr::get(IntegerType::get(context, 64),
                                  number->second);
  };
  auto getTarget = [&] {
    FuncOp target = targets.lookup(op);
    return target ? FlatSymbolRefAttr::get(target) : FlatSymbolRefAttr();
  };
  auto getSelection = [&] {
    auto selection = selections.find(op);
    return selection == selections.end()
               ? DenseI64ArrayAttr()
               : DenseI64ArrayAttr::get(context, selection->second);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](SetOp set) {
        Definition *definition =
            getDefinition(op, set.getNameAttr(), Place::Assignment);
        // A dead assignment defines nothing.
        Type type = get(set.getValue()).type ? definition->fact.type : Type();
        set.setTypeAttr(type ? TypeAttr::get(type) : TypeAttr());
      })
      .Case([&](IfOp branch) {
        Ways ways = branches.getWays(branch.getCondition(), op, Copy::Only);
        branch.setTakenAttr(makeWay(ways.getOnly()));
        branch.setSlotsAttr(slots.lookup(op));
      })
      .Case([&](ConditionalOp conditional) {
        Ways ways =
            branches.getWays(conditional.getCondition(), op, Copy::Only);
        conditional.setTakenAttr(makeWay(ways.getOnly()));
        conditional.setSlotsAttr(slots.lookup(op));
      })
      .Case([&](LogicalOp logical) {
        auto [mayRun, surelyRuns] =
            branches.getRightOperand(logical, Copy::Only);
        logical.setTakenAttr(makeWay(
            mayRun == surelyRuns ? std::optional(mayRun) : std::nullopt));
        logical.setSlotsAttr(slots.lookup(op));
      })
      .Case([&](WhileOp loop) {
        loop.setTakenAttr(makeWay(loopTaken.lookup(op)));
        loop.setSlotsAttr(slots.lookup(op));
        loop.setElseSlotsAttr(elseSlots.lookup(op));
        loop.setAfterAttr(after.lookup(op));
      })
      .Case([&](ForOp loop) {
        loop.setSlotsAttr(slots.lookup(op));
        loop.setElseSlotsAttr(elseSlots.lookup(op));
        loop.setAfterAttr(after.lookup(op));
      })
      .Case([&](SubscriptOp subscript) {
        subscript.setPositionAttr(getNumber(positions));
        subscript.setSelectionAttr(getSelection());
      })
      .Case([&](SetSubscriptOp set) {
        set.setPositionAttr(getNumber(positions));
      })
      .Case([&](CompareOp compare) { compare.setTargetAttr(getTarget()); })
      .Case([&](CallOp call) {
        call.setTargetAttr(getTarget());
        FunctionType signature = signatures.lookup(op);
        call.setSignatureAttr(signature ? TypeAttr::get(signature)
                                        : TypeAttr());
        call.setSelectionAttr(getSelection());
        call.setAlignmentAttr(getNumber(alignments));
      });
}
