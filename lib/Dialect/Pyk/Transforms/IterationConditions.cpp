// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions come from the regions around an end of an iteration and from the
// ifs in front of it that leave the loop otherwise. Of conditions that are
// joined each part follows.

#include "IterationConditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

using namespace mlir;
using namespace pyk;

std::optional<bool> pyk::getConstantFlag(Value value) {
  APInt number;
  if (!value.getType().isInteger(1) ||
      !matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return !number.isZero();
}

/// What `value` is if `condition` is and if it is not, for a choice between
/// flags.
static bool matchChoice(Value value, Value &condition, Value &then,
                        Value &otherwise) {
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast_if_present<arith::SelectOp>(op)) {
    condition = select.getCondition();
    then = select.getTrueValue();
    otherwise = select.getFalseValue();
    return true;
  }
  auto choice = dyn_cast_if_present<scf::IfOp>(op);
  if (!choice)
    return false;
  unsigned number = cast<OpResult>(value).getResultNumber();
  condition = choice.getCondition();
  then = choice.thenYield().getOperand(number);
  otherwise = choice.elseYield().getOperand(number);
  return true;
}

/// Adds what follows from the requirements, which are all of conditions.
static void addConsequences(SmallVectorImpl<Requirement> &required) {
  for (size_t i = 0; i < required.size(); ++i) {
    Value value = required[i].value;
    bool holds = required[i].holds;
    Operation *op = value.getDefiningOp();
    if (auto negation = dyn_cast_if_present<arith::XOrIOp>(op)) {
      if (getConstantFlag(negation.getRhs()) == true)
        required.push_back({negation.getLhs(), !holds});
      continue;
    }
    if ((isa_and_present<arith::AndIOp>(op) && holds) ||
        (isa_and_present<arith::OrIOp>(op) && !holds)) {
      for (Value operand : op->getOperands())
        required.push_back({operand, holds});
      continue;
    }
    Value condition, then, otherwise;
    if (!matchChoice(value, condition, then, otherwise))
      continue;
    auto cannotBe = [&](Value arm, bool isThen) {
      return getConstantFlag(arm) == !holds ||
             (arm == condition && isThen != holds);
    };
    if (cannotBe(otherwise, false)) {
      required.push_back({condition, true});
      required.push_back({then, holds});
    } else if (cannotBe(then, true)) {
      required.push_back({condition, false});
      required.push_back({otherwise, holds});
    }
  }
}

/// True if `arm` ends in an exit that begins no other iteration of `loop`.
static bool leaves(Region &arm, Operation *loop) {
  if (arm.empty())
    return false;
  auto exit = dyn_cast<ExitOpInterface>(arm.front().getTerminator());
  return exit && !(isRepeating(exit) && exit.getExitedOp() == loop);
}

SmallVector<Requirement> pyk::getRequirements(Operation *end, Operation *loop) {
  SmallVector<Requirement> required;
  if (auto condition = dyn_cast<scf::ConditionOp>(end))
    required.push_back({condition.getCondition(), true});
  for (Operation *op = end; op != loop; op = op->getParentOp()) {
    if (auto choice = dyn_cast<IfOp>(op->getParentOp()))
      required.push_back({choice.getCondition(),
                          op->getParentRegion() == &choice.getThenRegion()});
    for (Operation &before : *op->getBlock()) {
      if (&before == op)
        break;
      auto choice = dyn_cast<IfOp>(before);
      if (!choice)
        continue;
      if (leaves(choice.getThenRegion(), loop))
        required.push_back({choice.getCondition(), false});
      else if (leaves(choice.getElseRegion(), loop))
        required.push_back({choice.getCondition(), true});
    }
  }
  addConsequences(required);
  return required;
}
