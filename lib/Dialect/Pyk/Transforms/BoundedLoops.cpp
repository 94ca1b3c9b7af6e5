// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop goes on only if certain conditions hold: those around its yield or
// `pyk.continue`, and those of the ifs in front of it that leave the loop
// otherwise. If one of them compares a counter with a bound, the loop ends.
// What its iterations compare besides are questions, which a loop that waits
// repeats until memory has another answer, and one that computes does not.
// python-dialect-docs/rationale/spins.md says why.

#include "BoundedLoops.h"
#include "IterationConditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/Analysis/AccessedElements.h"
#include "pyk/Dialect/Pyk/Analysis/Barriers.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;

/// A thread that looks at memory more often than this may expect another to
/// write there meanwhile.
static constexpr unsigned kFewIterations = 128;

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// How a carried integer moves, and from where if that is a constant.
struct BoundedLoop::Step {
  APInt by;
  std::optional<APInt> from;
};

BoundedLoop::BoundedLoop(Operation *loop, UnderlyingObjects &objects,
                         Slicer &slicer)
    : loop(loop), objects(objects), slicer(slicer) {
  findCounter();
}

void BoundedLoop::findCounter() {
  auto flow = dyn_cast<StructuredFlowOpInterface>(loop);
  if (!flow || !isLoop(loop))
    return;
  if (Value counted = flow.getCountedValue()) {
    counter = counted;
    isShort = countsIterations(counted, kFewIterations);
    return;
  }
  // One comparison has to be in front of each other iteration.
  SmallVector<Operation *> ends;
  if (auto whileLoop = dyn_cast<scf::WhileOp>(loop))
    ends.push_back(whileLoop.getConditionOp());
  for (Operation *exit : getExits(loop))
    if (isRepeating(exit) && cast<ExitOpInterface>(exit).getExitedOp() == loop)
      ends.push_back(exit);
  if (ends.empty())
    return;
  for (Requirement one : getRequirements(ends.front(), loop)) {
    bool isOfAll = llvm::all_of(ArrayRef(ends).drop_front(), [&](auto *end) {
      return llvm::any_of(getRequirements(end, loop), [&](Requirement other) {
        return other.value == one.value && other.holds == one.holds;
      });
    });
    if (isOfAll && isCounter(one.value, one.holds))
      return;
  }
}

/// The carried value that the second region of an scf.while has as `value`.
Value BoundedLoop::resolve(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  auto whileLoop = dyn_cast<scf::WhileOp>(loop);
  if (argument && whileLoop && argument.getOwner() == whileLoop.getAfterBody())
    return whileLoop.getConditionOp().getArgs()[argument.getArgNumber()];
  return value;
}

/// True if `value` is the same in each iteration.
bool BoundedLoop::isInvariant(Value value) const {
  if (!isWithin(value, loop))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isInvariant(operand); });
}

std::optional<BoundedLoop::Step>
BoundedLoop::getStep(BlockArgument carried) const {
  std::optional<Step> step;
  Value first;
  for (const FlowEdge &edge : cast<StructuredFlowOpInterface>(loop).getEdges())
    for (auto [from, to] : llvm::zip(edge.values, edge.targets)) {
      if (to != carried)
        continue;
      if (!edge.from) {
        first = from;
        continue;
      }
      Operation *op = from.getDefiningOp();
      APInt by;
      if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op) ||
          resolve(op->getOperand(0)) != carried ||
          !matchPattern(op->getOperand(1), m_ConstantInt(&by)))
        return std::nullopt;
      if (isa<arith::SubIOp>(op))
        by = -by;
      if (by.isZero() || (step && step->by != by))
        return std::nullopt;
      step = {by, std::nullopt};
    }
  APInt number;
  if (step && first && matchPattern(first, m_ConstantInt(&number)))
    step->from = number;
  return step;
}

/// 1 if `predicate` is true of a left side that is smaller, -1 if larger, 0 if
/// different; nothing if equal.
static std::optional<int> getDirection(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
    return 1;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    return -1;
  case arith::CmpIPredicate::ne:
    return 0;
  case arith::CmpIPredicate::eq:
    break;
  }
  return std::nullopt;
}

/// Takes for the counter what `comparison`, which is `goesOnIf` if there is
/// another iteration, compares with a bound that it moves to.
bool BoundedLoop::isCounter(Value comparison, bool goesOnIf) {
  auto compare = comparison.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  std::optional<int> direction =
      getDirection(goesOnIf ? compare.getPredicate()
                            : arith::invertPredicate(compare.getPredicate()));
  Value moving = resolve(compare.getLhs()), limit = compare.getRhs();
  if (isInvariant(moving)) {
    std::swap(moving, limit);
    moving = resolve(moving);
    if (direction)
      direction = -*direction;
  }
  auto carried = dyn_cast<BlockArgument>(moving);
  if (!direction || !carried || carried.getOwner()->getParentOp() != loop ||
      !isInvariant(limit))
    return false;
  std::optional<Step> step = getStep(carried);
  if (!step || *direction == (step->by.isNegative() ? 1 : -1))
    return false;
  // How far the counter goes, in its direction, if that is known.
  std::optional<APInt> way;
  APInt last;
  bool overflows = false;
  if (step->from && matchPattern(limit, m_ConstantInt(&last)))
    way = step->by.isNegative() ? step->from->ssub_ov(last, overflows)
                                : last.ssub_ov(*step->from, overflows);
  if (overflows)
    way.reset();
  APInt stride = step->by.abs();
  // It may pass by another bound that it has to hit.
  if (*direction == 0 &&
      (!way || way->isNegative() || !way->urem(stride).isZero()))
    return false;
  counter = carried;
  bound = comparison;
  APInt most(stride.getBitWidth(), kFewIterations, /*isSigned=*/false,
             /*implicitTrunc=*/true);
  isShort = way && stride.getBitWidth() > 8 && way->sle(stride.smul_sat(most));
  return true;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// True if `index` is another number in each iteration.
bool BoundedLoop::isInjective(Value index) const {
  if (resolve(index) == counter)
    return true;
  Operation *op = index.getDefiningOp();
  if (isa_and_present<WrapIndexOp, arith::ExtSIOp, arith::ExtUIOp,
                      arith::IndexCastOp>(op))
    return isInjective(op->getOperand(0));
  if (!isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  for (unsigned i : {0, 1}) {
    Value other = op->getOperand(1 - i);
    APInt factor;
    bool isFactor =
        matchPattern(other, m_ConstantInt(&factor)) && !factor.isZero();
    if (isInjective(op->getOperand(i)))
      return isa<arith::MulIOp>(op) ? isFactor : isInvariant(other);
  }
  return false;
}

/// What the loop compares to see whether it goes on, its bound left out;
/// nothing if that is computed in another way, as by a loop within.
std::optional<SmallVector<Value>> BoundedLoop::getComparisons() const {
  SmallVector<Value> comparisons;
  llvm::SetVector<Value> values;
  values.insert_range(getExitConditions(loop));
  for (unsigned i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (!isWithin(value, loop) || value == bound || getConstantFlag(value))
      continue;
    Operation *op = value.getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(value);
    if (isa_and_present<arith::CmpIOp, arith::CmpFOp>(op)) {
      comparisons.push_back(value);
    } else if (isa_and_present<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
                   op)) {
      values.insert_range(op->getOperands());
    } else if ((argument && argument.getOwner()->getParentOp() == loop) ||
               isa_and_present<arith::SelectOp, scf::IfOp, IfOp>(op)) {
      IncomingValues from = getIncomingValues(value);
      values.insert_range(from.values);
      values.insert_range(from.conditions);
    } else {
      return std::nullopt;
    }
  }
  return comparisons;
}

/// True if iterations compute `carried`, a float, from what it was: all of
/// them, or some of them.
bool BoundedLoop::isIterate(BlockArgument carried, bool always) {
  if (!isa<FloatType>(carried.getType()))
    return false;
  llvm::SetVector<Value> nexts;
  for (const FlowEdge &edge : cast<StructuredFlowOpInterface>(loop).getEdges())
    for (auto [from, to] : llvm::zip(edge.values, edge.targets))
      if (edge.from && to == carried)
        nexts.insert(resolve(from));
  bool isComputed = false;
  for (unsigned i = 0; i < nexts.size(); ++i) {
    Value next = nexts[i];
    if (isa_and_present<arith::SelectOp, scf::IfOp, IfOp>(
            next.getDefiningOp()) &&
        !always) {
      for (Value value : getIncomingValues(next).values)
        nexts.insert(resolve(value));
      continue;
    }
    bool isOwn = next != carried && isWithin(next, loop) &&
                 getIncomingValues(next).values.empty() &&
                 slicer.slice(loop, next).values.contains(carried);
    if (always && !isOwn)
      return false;
    isComputed |= isOwn;
  }
  return isComputed;
}

/// True if `slice` has a number that the loop iterates: a carried float, or an
/// element of the thread's own memory. In a short loop it need not move in
/// each iteration.
bool BoundedLoop::hasIterate(const Slice &slice, ArrayRef<Write> writes) {
  for (Value value : slice.values) {
    auto carried = dyn_cast<BlockArgument>(resolve(value));
    if (carried && carried.getOwner()->getParentOp() == loop &&
        isIterate(carried, /*always=*/!isShort))
      return true;
  }
  return llvm::any_of(slice.reads, [&](const Read &read) {
    ArrayType type = getReadArray(read.op).getType();
    if (type.getSpace() != Space::Local ||
        !isa<FloatType>(type.getElementType()))
      return false;
    return llvm::any_of(writes, [&](const Write &write) {
      auto store = dyn_cast<pyk::StoreOp>(write.op);
      return store && write.site == write.op &&
             objects.mayBeSame(read.array, write.array) &&
             (isShort || isAlwaysReached(store, loop)) &&
             llvm::any_of(slicer.slice(loop, store.getValue()).reads,
                          [&](const Read &from) {
                            return objects.mayBeSame(from.array, write.array);
                          });
    });
  });
}

bool BoundedLoop::asksAnew(const Read &read, ArrayRef<Write> writes) {
  if (read.op == read.site &&
      llvm::any_of(getElementOperands(read.op),
                   [&](Value index) { return isInjective(index); }))
    return true;
  std::optional<SmallVector<Value>> comparisons = getComparisons();
  return comparisons && llvm::all_of(*comparisons, [&](Value comparison) {
           Slice slice = slicer.slice(loop, comparison);
           return llvm::none_of(
                      slice.reads,
                      [&](const Read &other) { return other.op == read.op; }) ||
                  hasIterate(slice, writes);
         });
}
