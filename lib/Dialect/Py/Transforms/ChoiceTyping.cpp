// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: expressions that choose between values, `and`, `or`
// and conditional expressions.

#include "ChoiceTyping.h"
#include "Remedies.h"
#include "StatementWalker.h"
#include "VariableTyping.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

static Value getYielded(Region &region) {
  return cast<YieldOp>(region.front().back()).getValue();
}

/// Control meets again after an expression that assigns variables, `op`.
void ChoiceTyping::meetAfter(Operation *op, ArrayRef<const Environment *> ends,
                             Environment &environment) {
  if (getAssigned(op->getRegions()).empty())
    return;
  environment = *inference.variables().meet(op, DefinitionKind::Join, ends);
  inference.getAnnotations().setSlots(
      op, getSlots(op->getRegions(), environment, context));
}

FailureOr<Fact> ChoiceTyping::choose(Operation *op, ArrayRef<Value> values) {
  Fact result;
  Value first;
  for (Value value : values) {
    Fact fact = inference.get(value), met = unify(result, fact);
    if (result.type && fact.type && !met.type) {
      StringRef chooser = "the conditional expression";
      if (auto logical = dyn_cast<LogicalOp>(op))
        chooser = logical.getKind() == LogicalOperator::And ? "'and'" : "'or'";
      InFlightDiagnostic error = emitTypingError(op->getLoc());
      error << "cannot unify " << describe(result.type) << " and "
            << describe(fact.type) << ", between which " << chooser
            << " chooses";
      for (Value source : {first, value})
        error.attachNote(source.getLoc())
            << "this is " << describe(inference.get(source).type);
      noteTexts(error, result.type, fact.type);
      return error;
    }
    if (!first && fact.type)
      first = value;
    result = met;
  }
  return result;
}

FailureOr<Fact> ChoiceTyping::evaluate(LogicalOp op, Environment &environment) {
  Branches &branches = inference.getBranches();
  bool isTested = Branches::isOnlyTested(op.getResult());
  if (walk.phase == Phase::Names)
    branches.reach(op.getLhs(), op, walk.copy);
  auto [mayRun, surelyRuns] = branches.getRightOperand(op, walk.copy);
  Value right = getYielded(op.getRhs());
  if (mayRun) {
    Environment passed = environment;
    walk.nested += !surelyRuns;
    inference.statements().interpretRegion(op.getRhs(), environment);
    walk.nested -= !surelyRuns;
    if (walk.phase == Phase::Names && isTested)
      branches.reach(right, op.getRhs().front().getTerminator(), walk.copy);
    if (!surelyRuns)
      meetAfter(op, {&passed, &environment}, environment);
  }
  if (walk.phase == Phase::Names)
    return Fact();
  if (isTested) {
    bool isKnown = inference.get(op.getLhs()).type &&
                   (!mayRun || inference.get(right).type);
    return isKnown ? makeTyped(IntegerType::get(context, 1)) : Fact();
  }
  return choose(
      op, branches.getOutcomes(op.getResult(), nullptr, walk.copy).getAll());
}

FailureOr<Fact> ChoiceTyping::evaluate(ConditionalOp op,
                                       Environment &environment) {
  Branches &branches = inference.getBranches();
  bool isTested = Branches::isOnlyTested(op.getResult());
  if (walk.phase == Phase::Names)
    branches.reach(op.getCondition(), op, walk.copy);
  Paths paths = branches.getPaths(op.getCondition(), op, walk.copy);
  bool isBranch = !paths.getOnly();
  SmallVector<Value, 2> values;
  SmallVector<Environment, 2> ends;
  for (auto [region, isReached] :
       {std::pair(&op.getThenRegion(), paths.ifTrue),
        std::pair(&op.getElseRegion(), paths.ifFalse)}) {
    if (!isReached)
      continue;
    ends.push_back(environment);
    walk.nested += isBranch;
    inference.statements().interpretRegion(*region, ends.back());
    walk.nested -= isBranch;
    values.push_back(getYielded(*region));
    if (walk.phase == Phase::Names && isTested)
      branches.reach(values.back(), region->front().getTerminator(), walk.copy);
  }
  meetAfter(
      op,
      llvm::map_to_vector(ends, [](const Environment &end) { return &end; }),
      environment);
  if (walk.phase == Phase::Names)
    return Fact();
  if (isTested)
    return llvm::all_of(values,
                        [&](Value value) { return inference.get(value).type; })
               ? makeTyped(IntegerType::get(context, 1))
               : Fact();
  return choose(op, values);
}
