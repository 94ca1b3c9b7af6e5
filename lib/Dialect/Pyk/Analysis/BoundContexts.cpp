// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions of the regions around an op, and those that a thread passed on its
// way because it would have left otherwise. A comparison of a sum with a
// constant speaks of the other summand, too.

#include "pyk/Dialect/Pyk/Analysis/BoundContexts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"

using namespace mlir;
using namespace pyk;
using arith::CmpIPredicate;

/// Conditions that one condition may be made of, one in the other.
static constexpr unsigned kMostNested = 16;

static bool isNonNegative(Value value) {
  return getKnownRange(value).smin().isNonNegative();
}

static bool hasFlag(Operation *op, arith::IntegerOverflowFlags flag) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && bitEnumContainsAny(flags.getOverflowAttr().getValue(), flag);
}

Value pyk::skipConversions(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    bool isSame =
        isa<arith::ExtSIOp>(op) ||
        (isa<arith::ExtUIOp>(op) && !op->getOperand(0).getType().isInteger(1) &&
         isNonNegative(op->getOperand(0))) ||
        (isa<arith::TruncIOp>(op) &&
         hasFlag(op, arith::IntegerOverflowFlags::nsw)) ||
        (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
         (op->getOperand(0).getType().isIndex() ||
          isNonNegative(op->getOperand(0))));
    if (!isSame ||
        (isa<arith::ExtSIOp>(op) && op->getOperand(0).getType().isInteger(1)))
      break;
    value = op->getOperand(0);
  }
  return value;
}

arith::RemSIOp pyk::findFloorRemainder(arith::SelectOp op) {
  Value rest = skipConversions(op.getFalseValue());
  auto remainder = rest.getDefiningOp<arith::RemSIOp>();
  auto raised =
      skipConversions(op.getTrueValue()).getDefiningOp<arith::AddIOp>();
  auto both = op.getCondition().getDefiningOp<arith::AndIOp>();
  if (!remainder || !raised || !both)
    return {};
  Value divisor = skipConversions(remainder.getRhs());
  auto isPair = [&](Operation *sum) {
    return skipConversions(sum->getOperand(0)) == rest &&
           skipConversions(sum->getOperand(1)) == divisor;
  };
  auto isRest = both.getLhs().getDefiningOp<arith::CmpIOp>();
  auto differ = both.getRhs().getDefiningOp<arith::CmpIOp>();
  if (!isPair(raised) || !isRest || !differ ||
      isRest.getPredicate() != arith::CmpIPredicate::ne ||
      skipConversions(isRest.getLhs()) != rest ||
      !matchPattern(isRest.getRhs(), m_Zero()) ||
      differ.getPredicate() != arith::CmpIPredicate::slt ||
      !matchPattern(differ.getRhs(), m_Zero()))
    return {};
  auto signs = differ.getLhs().getDefiningOp<arith::XOrIOp>();
  return signs && isPair(signs) ? remainder : arith::RemSIOp();
}

//===----------------------------------------------------------------------===//
// From conditions to facts
//===----------------------------------------------------------------------===//

void BoundContexts::addFact(BoundFact fact, BoundContext &context) {
  // Each summand of a sum with a constant.
  for (unsigned steps = 0; steps < kMostNested; ++steps) {
    fact.subject = skipConversions(fact.subject);
    context.facts.push_back(fact);
    Operation *op = fact.subject.getDefiningOp();
    if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op) ||
        !hasFlag(op, arith::IntegerOverflowFlags::nsw))
      return;
    APInt constant;
    bool isSum = isa<arith::AddIOp>(op);
    if (matchPattern(op->getOperand(1), m_ConstantInt(&constant))) {
      int64_t moved = constant.getSExtValue();
      if (isSum ? llvm::SubOverflow(fact.delta, moved, fact.delta)
                : llvm::AddOverflow(fact.delta, moved, fact.delta))
        return;
      fact.subject = op->getOperand(0);
    } else if (!isSum && !fact.bound &&
               matchPattern(op->getOperand(0), m_ConstantInt(&constant))) {
      // What is subtracted from a constant is bounded from the other side.
      if (llvm::SubOverflow(constant.getSExtValue(), fact.delta, fact.delta))
        return;
      fact.subject = op->getOperand(1);
      fact.isUpper = !fact.isUpper;
    } else {
      return;
    }
  }
}

void BoundContexts::addComparison(CmpIPredicate predicate, Value lhs, Value rhs,
                                  BoundContext &context) {
  auto add = [&](Value lower, Value upper, int64_t distance) {
    auto addOne = [&](Value subject, bool isUpper, Value bound, int64_t delta) {
      APInt constant;
      int64_t sum;
      if (matchPattern(bound, m_ConstantInt(&constant)) &&
          !llvm::AddOverflow(constant.getSExtValue(), delta, sum)) {
        bound = {};
        delta = sum;
      }
      if (!matchPattern(subject, m_Constant()))
        addFact({subject, isUpper, bound, delta}, context);
    };
    addOne(lower, /*isUpper=*/true, upper, -distance);
    addOne(upper, /*isUpper=*/false, lower, distance);
  };
  switch (predicate) {
  case CmpIPredicate::ult:
  case CmpIPredicate::ule:
    // Below what is not negative, both are.
    if (!isNonNegative(rhs))
      return;
    addFact({lhs, /*isUpper=*/false, {}, 0}, context);
    return add(lhs, rhs, predicate == CmpIPredicate::ult);
  case CmpIPredicate::ugt:
  case CmpIPredicate::uge:
    if (!isNonNegative(lhs))
      return;
    addFact({rhs, /*isUpper=*/false, {}, 0}, context);
    return add(rhs, lhs, predicate == CmpIPredicate::ugt);
  case CmpIPredicate::slt:
  case CmpIPredicate::sle:
    return add(lhs, rhs, predicate == CmpIPredicate::slt);
  case CmpIPredicate::sgt:
  case CmpIPredicate::sge:
    return add(rhs, lhs, predicate == CmpIPredicate::sgt);
  case CmpIPredicate::eq:
    add(lhs, rhs, 0);
    return add(rhs, lhs, 0);
  case CmpIPredicate::ne: {
    // A number that is not negative and not 0.
    APInt constant;
    if (matchPattern(rhs, m_ConstantInt(&constant)) && constant.isZero() &&
        isNonNegative(lhs))
      addFact({lhs, /*isUpper=*/false, {}, 1}, context);
    return;
  }
  }
}

void BoundContexts::addFacts(Value condition, bool holds, BoundContext &context,
                             unsigned depth) {
  Operation *op = condition.getDefiningOp();
  if (!op || depth == kMostNested)
    return;
  auto addBoth = [&](Value lhs, Value rhs) {
    addFacts(lhs, holds, context, depth + 1);
    addFacts(rhs, holds, context, depth + 1);
  };
  APInt constant;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    CmpIPredicate predicate = compare.getPredicate();
    addComparison(holds ? predicate : arith::invertPredicate(predicate),
                  compare.getLhs(), compare.getRhs(), context);
  } else if (holds ? isa<arith::AndIOp>(op) : isa<arith::OrIOp>(op)) {
    addBoth(op->getOperand(0), op->getOperand(1));
  } else if (isa<arith::XOrIOp>(op) &&
             matchPattern(op->getOperand(1), m_One())) {
    addFacts(op->getOperand(0), !holds, context, depth + 1);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // `a and b` and `a or b` as they are written.
    Value other = holds ? select.getFalseValue() : select.getTrueValue();
    if (!matchPattern(other, m_ConstantInt(&constant)) ||
        constant.isZero() != holds)
      return;
    addFacts(select.getCondition(), holds, context, depth + 1);
    addFacts(holds ? select.getTrueValue() : select.getFalseValue(), holds,
             context, depth + 1);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto number = cast<OpResult>(condition).getResultNumber();
    Value ifTrue = branch.thenYield().getOperand(number);
    Value ifFalse = branch.elseYield().getOperand(number);
    for (bool arm : {true, false}) {
      // Where the other arm yields the other constant, it was this one.
      if (!matchPattern(arm ? ifFalse : ifTrue, m_ConstantInt(&constant)) ||
          constant.isZero() != holds)
        continue;
      addFacts(branch.getCondition(), arm, context, depth + 1);
      addFacts(arm ? ifTrue : ifFalse, holds, context, depth + 1);
    }
  }
}

const BoundContext *BoundContexts::get(Value condition, bool holds,
                                       const BoundContext *outer) {
  auto context = std::make_unique<BoundContext>();
  context->outer = outer;
  addFacts(condition, holds, *context, 0);
  if (context->facts.empty())
    return outer;
  all.push_back(std::move(context));
  return all.back().get();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The condition, and its value, without which control does not go on behind
/// `op`; none if it always may.
static std::optional<std::pair<Value, bool>> getPassed(Operation *op) {
  if (auto check = dyn_cast<CheckOp>(op))
    return std::pair(check.getCondition(), true);
  auto branch = dyn_cast<IfOp>(op);
  if (!branch)
    return std::nullopt;
  auto leaves = [](Region &arm) {
    return !arm.empty() && isa<ExitOpInterface>(arm.front().getTerminator());
  };
  bool first = leaves(branch.getThenRegion());
  if (first == leaves(branch.getElseRegion()))
    return std::nullopt;
  return std::pair(branch.getCondition(), !first);
}

const BoundContext *BoundContexts::getOfBlock(Block *block) {
  auto [entry, isNew] = ofBlocks.try_emplace(block, nullptr);
  if (!isNew)
    return entry->second;
  Operation *parent = block->getParentOp();
  if (isa<FunctionOpInterface>(parent))
    return nullptr;
  const BoundContext *context = get(parent);
  unsigned region = block->getParent()->getRegionNumber();
  if (isa<scf::IfOp, IfOp>(parent)) {
    context = get(parent->getOperand(0), region == 0, context);
  } else if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && region == 1) {
    context = get(loop.getConditionOp().getCondition(), true, context);
  }
  return ofBlocks[block] = context;
}

const BoundContext *BoundContexts::get(Operation *op) {
  // Back to the next op that is known, so that a block is walked once.
  SmallVector<Operation *> passed;
  const BoundContext *context = nullptr;
  Operation *before = op->getPrevNode(), *last = before;
  for (; before; before = before->getPrevNode()) {
    if (auto known = behind.find(before); known != behind.end()) {
      context = known->second;
      break;
    }
    if (getPassed(before))
      passed.push_back(before);
  }
  if (!before)
    context = getOfBlock(op->getBlock());
  for (Operation *other : llvm::reverse(passed)) {
    auto [condition, holds] = *getPassed(other);
    context = get(condition, holds, context);
    behind[other] = context;
  }
  if (last)
    behind[last] = context;
  return context;
}

const BoundContext *BoundContexts::getOfSource(Value source, Value target) {
  auto argument = dyn_cast<BlockArgument>(target);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : target.getDefiningOp();
  auto flow = dyn_cast<StructuredFlowOpInterface>(op);
  if (!flow)
    return get(op);
  // Of several ways, what holds on all of them.
  Operation *from = nullptr;
  for (const FlowEdge &edge : flow.getEdges())
    for (auto [value, to] : llvm::zip(edge.values, edge.targets))
      if (to == target && value == source) {
        if (from || !edge.from)
          return get(op);
        from = edge.from;
      }
  if (!from || from == op)
    return get(op);
  const BoundContext *context = get(from);
  if (auto condition = dyn_cast<scf::ConditionOp>(from))
    context = get(condition.getCondition(), argument != nullptr, context);
  return context;
}
