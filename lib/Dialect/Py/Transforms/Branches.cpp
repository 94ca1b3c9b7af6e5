// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches: what a walk tells of them, and which ways are left.

#include "Branches.h"
#include "Folding.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

WhileOp Branches::getTestedLoop(Operation *op) {
  if (auto loop = dyn_cast<WhileOp>(op))
    return loop;
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion()) {
    if (auto loop = dyn_cast<WhileOp>(region->getParentOp()))
      return region == &loop.getCondition() ? loop : WhileOp();
    if (!isa<LogicalOp, ConditionalOp>(region->getParentOp()))
      return {};
  }
  return {};
}

static Value getYielded(Region &region) {
  return cast<YieldOp>(region.front().back()).getValue();
}

SmallVector<Value, 2> Outcomes::getAll() const {
  llvm::SmallSetVector<Value, 4> all(llvm::from_range, ifTrue);
  all.insert(ifFalse.begin(), ifFalse.end());
  return SmallVector<Value, 2>(all.begin(), all.end());
}

//===----------------------------------------------------------------------===//
// What a walk tells
//===----------------------------------------------------------------------===//

void Branches::assign(Operation *op, StringAttr name, bool isBackbone) {
  if (isBackbone)
    ++version[name];
  auto &known = assignments[{name, version.lookup(name)}];
  if (!llvm::is_contained(known, op))
    known.push_back(op);
}

void Branches::read(GetOp op, Copy copy, Definition *definition,
                    bool isFirstWalk) {
  reads[key(op, copy)] = definition;
  if (isFirstWalk)
    readVersion[op] = version.lookup(op.getNameAttr());
}

void Branches::reach(Value condition, Operation *tester, Copy copy) {
  auto unary = condition.getDefiningOp<UnaryOp>();
  if (unary && unary.getKind() == UnaryOperator::Not && isOnlyTested(condition))
    return reach(unary.getOperand(), unary, copy);
  // These have told of their operands themselves.
  if (condition.getDefiningOp<LogicalOp>() ||
      (condition.getDefiningOp<ConditionalOp>() && isOnlyTested(condition)))
    return;
  if (!isLiteralText(condition))
    reached[key(tester, copy)] = condition;
}

void Branches::setIterations(WhileOp loop, bool iterations) {
  if (iterations)
    turning.insert(loop);
  else
    turning.erase(loop);
}

bool Branches::isOnlyTested(Value value) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto unary = dyn_cast<UnaryOp>(user))
      return unary.getKind() == UnaryOperator::Not &&
             isOnlyTested(unary.getResult());
    if (auto conditional = dyn_cast<ConditionalOp>(user))
      return conditional.getCondition() == value;
    if (auto logical = dyn_cast<LogicalOp>(user))
      return isOnlyTested(logical.getResult());
    if (auto yield = dyn_cast<YieldOp>(user)) {
      Operation *parent = yield->getParentOp();
      return isa<WhileOp>(parent) || isOnlyTested(parent->getResult(0));
    }
    return isa<IfOp>(user);
  });
}

//===----------------------------------------------------------------------===//
// What is decided
//===----------------------------------------------------------------------===//

static Paths makePaths(std::optional<bool> way) {
  return {way != false, way != true};
}

Paths Branches::getPaths(Value condition, Operation *tester, Copy copy) const {
  if (isLiteralText(condition))
    return makePaths(
        getTruth(condition.getDefiningOp<ConstantOp>().getValue()));
  if (auto unary = condition.getDefiningOp<UnaryOp>();
      unary && unary.getKind() == UnaryOperator::Not &&
      isOnlyTested(condition)) {
    Paths paths = getPaths(unary.getOperand(), unary, copy);
    return {paths.ifFalse, paths.ifTrue};
  }
  if (auto logical = condition.getDefiningOp<LogicalOp>();
      logical && isOnlyTested(condition)) {
    bool isAnd = logical.getKind() == LogicalOperator::And;
    Paths left = getPaths(logical.getLhs(), logical, copy), right{false, false};
    if (isAnd ? left.ifTrue : left.ifFalse) {
      Operation *yield = logical.getRhs().front().getTerminator();
      right = getPaths(yield->getOperand(0), yield, copy);
    }
    return isAnd ? Paths{right.ifTrue, left.ifFalse || right.ifFalse}
                 : Paths{left.ifTrue || right.ifTrue, right.ifFalse};
  }
  if (auto conditional = condition.getDefiningOp<ConditionalOp>();
      conditional && isOnlyTested(condition)) {
    Paths test = getPaths(conditional.getCondition(), conditional, copy);
    Paths result{false, false};
    for (auto [region, isReached] :
         {std::pair(&conditional.getThenRegion(), test.ifTrue),
          std::pair(&conditional.getElseRegion(), test.ifFalse)}) {
      if (!isReached)
        continue;
      Operation *yield = region->front().getTerminator();
      Paths side = getPaths(yield->getOperand(0), yield, copy);
      result.ifTrue |= side.ifTrue;
      result.ifFalse |= side.ifFalse;
    }
    return result;
  }
  return makePaths(lookup(taken, tester, copy));
}

Outcomes Branches::getOutcomes(Value value, Operation *tester,
                               Copy copy) const {
  auto logical = value.getDefiningOp<LogicalOp>();
  if (!logical) {
    std::optional<bool> way =
        isLiteralText(value)
            ? getTruth(value.getDefiningOp<ConstantOp>().getValue())
            : lookup(taken, tester, copy);
    Outcomes result;
    if (way != false)
      result.ifTrue.push_back(value);
    if (way != true)
      result.ifFalse.push_back(value);
    return result;
  }
  bool isAnd = logical.getKind() == LogicalOperator::And;
  Outcomes left = getOutcomes(logical.getLhs(), logical, copy), right;
  if (!(isAnd ? left.ifTrue : left.ifFalse).empty()) {
    Value yielded = getYielded(logical.getRhs());
    right = yielded.getDefiningOp<LogicalOp>()
                ? getOutcomes(yielded, nullptr, copy)
                : Outcomes{{yielded}, {yielded}};
  }
  SmallVector<Value, 2> &ends = isAnd ? left.ifFalse : left.ifTrue;
  SmallVector<Value, 2> &met = isAnd ? right.ifFalse : right.ifTrue;
  met.insert(met.begin(), ends.begin(), ends.end());
  return right;
}

std::pair<bool, bool> Branches::getRightOperand(LogicalOp op, Copy copy) const {
  bool isAnd = op.getKind() == LogicalOperator::And;
  Paths left;
  if (isOnlyTested(op.getResult())) {
    left = getPaths(op.getLhs(), op, copy);
  } else {
    Outcomes outcomes = getOutcomes(op.getLhs(), op, copy);
    left = {!outcomes.ifTrue.empty(), !outcomes.ifFalse.empty()};
  }
  bool stays = isAnd ? left.ifTrue : left.ifFalse;
  bool leaves = isAnd ? left.ifFalse : left.ifTrue;
  return {stays, stays && !leaves};
}

Attribute Branches::getDecided(Operation *op, Copy copy) const {
  return lookup(decided, op, copy);
}

bool Branches::isArgument(Value value) const {
  return resolve(value, Copy::Only, Stage::Early).kind == Symbol::Argument;
}

Attribute Branches::getConstant(Value value) const {
  return resolve(value, Copy::Only, Stage::Early).constant;
}

Attribute Branches::getReachingConstant(Value value) const {
  return resolve(value, Copy::Only, Stage::Late).constant;
}
