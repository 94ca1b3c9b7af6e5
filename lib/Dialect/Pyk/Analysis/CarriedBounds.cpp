// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms of what loops carry: a guess, and the claim that an iteration keeps it.

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/BoundTerms.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

using namespace mlir;
using namespace pyk;
using Kind = BoundTermKind;

namespace {

/// How what a loop carries seems to change from iteration to iteration.
enum class Step { Same, Up, Down, ToZero, Other };

} // namespace

/// `value`, or what the first region of a loop makes of it for the second one.
static Value skipRegions(Value value) {
  for (;;) {
    value = skipConversions(value);
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop = argument
                    ? dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp())
                    : scf::WhileOp();
    if (!loop || argument.getOwner() != loop.getAfterBody())
      return value;
    value = loop.getConditionOp().getArgs()[argument.getArgNumber()];
  }
}

/// Of two ways that a number may go.
static Step join(Step one, Step other) {
  if (one == Step::Same || one == other)
    return other;
  return other == Step::Same ? one : Step::Other;
}

/// Conditions behind each other that a guess looks through.
static constexpr unsigned kGuessDepth = 6;

/// What a quotient is of, as `n` in (n + 1) // 2.
static Value skipRounding(Value dividend) {
  dividend = skipRegions(dividend);
  Operation *op = dividend.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op) ||
      !matchPattern(op->getOperand(1), m_Constant()))
    return dividend;
  return skipRegions(op->getOperand(0));
}

/// What `next` seems to be of `carried`. A guess: launches see whether it
/// holds.
static Step guessStep(Value next, Value carried, unsigned depth = 0) {
  next = skipRegions(next);
  if (next == carried)
    return Step::Same;
  Operation *op = next.getDefiningOp();
  if (isa_and_present<arith::SelectOp, scf::IfOp, IfOp>(op)) {
    if (depth == kGuessDepth)
      return Step::Other;
    Step step = Step::Same;
    for (Value value : getIncomingValues(next).values)
      step = join(step, guessStep(value, carried, depth + 1));
    return step;
  }
  if (!op || op->getNumOperands() != 2)
    return Step::Other;
  Value other = op->getOperand(1);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return skipRounding(op->getOperand(0)) == carried ? Step::ToZero
                                                      : Step::Other;
  if (skipRegions(op->getOperand(0)) != carried) {
    if (!isa<arith::AddIOp>(op) || skipRegions(other) != carried)
      return Step::Other;
    other = op->getOperand(0);
  }
  bool isNegative = getKnownRange(other).smax().isNegative();
  if (isa<arith::AddIOp>(op))
    return isNegative ? Step::Down : Step::Up;
  if (isa<arith::SubIOp>(op))
    return isNegative ? Step::Up : Step::Down;
  return isa<arith::MulIOp, arith::ShLIOp>(op) ? Step::Up : Step::Other;
}

/// What holds for what a loop carries if `guess` does: that is so at first, and
/// must stay so from iteration to iteration, of which the values are `next`.
BoundTerms::Term BoundTerms::makeStable(Term guess, Value carried,
                                        ArrayRef<Value> next) {
  assumed[carried] = guess;
  std::optional<Term> made;
  for (Value value : next) {
    Term term = evaluate(value, contexts.getOfSource(value, carried));
    made = made ? add({Kind::Either, *made, term}) : term;
  }
  assumed.erase(carried);
  bool isBound = (!ends[guess].low || ends[*made].low) &&
                 (!ends[guess].high || ends[*made].high);
  return isBound ? add({Kind::Stable, guess, *made}) : makeAny(carried);
}

/// What control flow hands on: one of `incoming`, of which a loop makes some of
/// what it carried before.
BoundTerms::Term BoundTerms::evaluateCarried(Value carried,
                                             ArrayRef<Value> incoming) {
  if (auto guess = assumed.find(carried); guess != assumed.end())
    return guess->second;
  if (incoming.empty())
    return makeAny(carried);
  auto argument = dyn_cast<BlockArgument>(carried);
  Operation *loop = argument ? argument.getOwner()->getParentOp() : nullptr;
  std::optional<Term> first;
  SmallVector<Value> next;
  Step step = Step::Same;
  // Until it is known, it may be anything.
  assumed[carried] = makeAny(carried);
  for (Value value : incoming) {
    if (loop && loop->isAncestor(value.getParentRegion()->getParentOp())) {
      Step its = guessStep(value, carried);
      if (its == Step::Same)
        continue;
      next.push_back(value);
      step = join(step, its);
      continue;
    }
    Term term = evaluate(value, contexts.getOfSource(value, carried));
    first = first ? add({Kind::Either, *first, term}) : term;
  }
  assumed.erase(carried);
  if (next.empty())
    return first ? *first : makeAny(carried);
  // What only one region of a loop has comes from the other one.
  if (!first) {
    for (Value value : next) {
      Term term = evaluate(value, contexts.getOfSource(value, carried));
      first = first ? add({Kind::Either, *first, term}) : term;
    }
    return *first;
  }
  Term guess = *first, any = makeAny(carried);
  switch (step) {
  case Step::Up:
    guess = add({Kind::CutBelow, any, *first});
    break;
  case Step::Down:
    guess = add({Kind::CutAbove, any, *first});
    break;
  case Step::ToZero:
    guess = add({Kind::Either, *first, makeConstant(0)});
    break;
  default: {
    // What comes and goes, as in n = 1 - n.
    assumed[carried] = *first;
    for (Value value : next)
      guess = add({Kind::Either, guess,
                   evaluate(value, contexts.getOfSource(value, carried))});
    assumed.erase(carried);
  }
  }
  return makeStable(guess, carried, next);
}
