// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: expressions that choose between values, `and`, `or`
// and conditional expressions.

#include "Inference.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

static Value getYielded(Region &region) {
  return cast<YieldOp>(region.front().back()).getValue();
}

void FunctionInference::evaluateRegion(Region &region,
                                       Environment &environment) {
  for (Operation &op : region.front().without_terminator())
    interpretSimple(op, environment);
}

/// Control meets again after an expression that assigns variables, `op`.
void FunctionInference::meetAfter(Operation *op,
                                  ArrayRef<const Environment *> ends,
                                  Environment &environment) {
  if (getAssigned(op->getRegions()).empty())
    return;
  environment = *meet(op, Place::Join, ends);
  slots[op] = getSlots(op->getRegions(), environment);
}

FailureOr<Fact> FunctionInference::choose(Operation *op,
                                          ArrayRef<Value> values) {
  Fact result;
  Value first;
  for (Value value : values) {
    Fact fact = get(value), met = unify(result, fact);
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
            << "this is " << describe(get(source).type);
      noteTexts(error, result.type, fact.type);
      return error;
    }
    if (!first && fact.type)
      first = value;
    result = met;
  }
  return result;
}

FailureOr<Fact> FunctionInference::evaluate(LogicalOp op,
                                            Environment &environment) {
  bool isTested = Branches::isOnlyTested(op.getResult());
  if (phase == Phase::Names)
    branches.reach(op.getLhs(), op, copy);
  auto [mayRun, surelyRuns] = branches.getRightOperand(op, copy);
  Value right = getYielded(op.getRhs());
  if (mayRun) {
    Environment passed = environment;
    nested += !surelyRuns;
    evaluateRegion(op.getRhs(), environment);
    nested -= !surelyRuns;
    if (phase == Phase::Names && isTested)
      branches.reach(right, op.getRhs().front().getTerminator(), copy);
    if (!surelyRuns)
      meetAfter(op, {&passed, &environment}, environment);
  }
  if (phase == Phase::Names)
    return Fact();
  if (isTested) {
    bool isKnown = get(op.getLhs()).type && (!mayRun || get(right).type);
    return isKnown ? makeTyped(IntegerType::get(context, 1)) : Fact();
  }
  return choose(op,
                branches.getOutcomes(op.getResult(), nullptr, copy).getAll());
}

FailureOr<Fact> FunctionInference::evaluate(ConditionalOp op,
                                            Environment &environment) {
  bool isTested = Branches::isOnlyTested(op.getResult());
  if (phase == Phase::Names)
    branches.reach(op.getCondition(), op, copy);
  Ways ways = branches.getWays(op.getCondition(), op, copy);
  bool isBranch = !ways.getOnly();
  SmallVector<Value, 2> values;
  SmallVector<Environment, 2> ends;
  for (auto [region, isReached] :
       {std::pair(&op.getThenRegion(), ways.ifTrue),
        std::pair(&op.getElseRegion(), ways.ifFalse)}) {
    if (!isReached)
      continue;
    ends.push_back(environment);
    nested += isBranch;
    evaluateRegion(*region, ends.back());
    nested -= isBranch;
    values.push_back(getYielded(*region));
    if (phase == Phase::Names && isTested)
      branches.reach(values.back(), region->front().getTerminator(), copy);
  }
  meetAfter(
      op,
      llvm::map_to_vector(ends, [](const Environment &end) { return &end; }),
      environment);
  if (phase == Phase::Names)
    return Fact();
  if (isTested)
    return llvm::all_of(values, [&](Value value) { return get(value).type; })
               ? makeTyped(IntegerType::get(context, 1))
               : Fact();
  return choose(op, values);
}
