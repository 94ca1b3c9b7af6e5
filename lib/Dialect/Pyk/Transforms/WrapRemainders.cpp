// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs wrap indices around by `%`, which needs a division. A value is known
// to be below the divisor by a condition (`x < n`), as the counter of a loop
// that ends there, or as a remainder by the same divisor; its range bounds what
// is added to it. Divisors that are no constants are equal if they are computed
// alike from the same values.

#include "WrapRemainders.h"
#include "NarrowIntegers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include <limits>

using namespace mlir;
using namespace pyk;
using arith::CmpIPredicate;

/// Sums in sums that a dividend may be, and ops that two values may both be the
/// results of.
static constexpr unsigned kDepth = 4;

/// Whether `a` and `b` are computed alike, from the same values.
static bool areAlike(Value a, Value b, unsigned depth = kDepth) {
  a = skipConversions(a);
  b = skipConversions(b);
  if (a == b)
    return true;
  Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
  if (!one || !other || depth == 0 || one->getName() != other->getName() ||
      one->getNumResults() != 1 || one->getNumRegions() != 0 || !isPure(one) ||
      a.getType() != b.getType() ||
      one->getNumOperands() != other->getNumOperands() ||
      one->getAttrDictionary() != other->getAttrDictionary())
    return false;
  return llvm::all_of(
      llvm::zip(one->getOperands(), other->getOperands()), [&](auto pair) {
        return areAlike(std::get<0>(pair), std::get<1>(pair), depth - 1);
      });
}

/// The value that is divided by in `remainder`: division by what may be 0 is by
/// a choice, which ranges may have decided.
static Value getDivisor(Operation *remainder, const RangeEnvironment &known) {
  Value divisor = skipConversions(remainder->getOperand(1));
  auto choice = divisor.getDefiningOp<arith::SelectOp>();
  if (!choice)
    return divisor;
  std::optional<APInt> is = known.get(choice.getCondition()).getConstantValue();
  if (!is)
    return divisor;
  return skipConversions(is->isZero() ? choice.getFalseValue()
                                      : choice.getTrueValue());
}

/// Whether `value` is the counter of a loop that ends before `bound`.
static bool countsTo(Value value, Value bound) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  auto loop =
      dyn_cast<StructuredFlowOpInterface>(argument.getOwner()->getParentOp());
  if (!loop || loop.getCountedValue() != value)
    return false;
  auto upstream = dyn_cast<scf::ForOp>(loop.getOperation());
  return !(upstream && upstream.getUnsignedCmp()) &&
         areAlike(loop.getConditions()[1], bound);
}

/// Whether `value` is at least 0 and below the divisor of `remainder`, which is
/// above 0.
bool WrapRemainders::isWithin(Value value, Operation *remainder,
                              const RangeEnvironment &known) {
  Value divisor = getDivisor(remainder, known);
  auto isOfDivisor = [&](Operation *other) {
    return areAlike(getDivisor(other, known), divisor);
  };
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast_if_present<arith::SelectOp>(op))
    if (arith::RemSIOp own = findFloorRemainder(select);
        own && isOfDivisor(own))
      return true;
  if (!known.get(value).smin().isNonNegative())
    return false;
  if (isa_and_present<arith::RemSIOp, arith::RemUIOp>(op) && isOfDivisor(op))
    return true;
  if (countsTo(value, divisor))
    return true;
  for (const BoundContext *at = contexts.get(remainder); at; at = at->outer)
    for (const BoundFact &fact : at->facts)
      if (fact.isUpper && fact.bound && fact.delta < 0 &&
          areAlike(fact.subject, value) && areAlike(fact.bound, divisor))
        return true;
  return false;
}

std::optional<WrapRemainders::Sum>
WrapRemainders::takeApart(Value value, Operation *remainder,
                          const RangeEnvironment &known, unsigned depth) {
  value = skipConversions(value);
  if (isWithin(value, remainder, known))
    return Sum();
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op) || depth == 0 ||
      !neverWraps(op, known))
    return std::nullopt;
  bool isSum = isa<arith::AddIOp>(op);
  for (unsigned place : {0, 1}) {
    if (place == 1 && !isSum)
      break;
    Value other = op->getOperand(1 - place);
    bool isDivisor = areAlike(other, getDivisor(remainder, known));
    ConstantIntRanges range = known.get(other);
    if (!isDivisor &&
        (!range.smin().isSignedIntN(32) || !range.smax().isSignedIntN(32)))
      continue;
    std::optional<Sum> sum =
        takeApart(op->getOperand(place), remainder, known, depth - 1);
    if (!sum)
      continue;
    if (isDivisor) {
      sum->divisors += isSum ? 1 : -1;
    } else {
      int64_t least = range.smin().getSExtValue();
      int64_t most = range.smax().getSExtValue();
      sum->low += isSum ? least : -most;
      sum->high += isSum ? most : -least;
    }
    return sum;
  }
  return std::nullopt;
}

/// How the dividend of `remainder` becomes its remainder, rounded to minus
/// infinity; none if that may be more than a divisor away.
std::optional<WrapRemainders::Wrap>
WrapRemainders::find(Operation *remainder, const RangeEnvironment &known) {
  Value dividend = remainder->getOperand(0);
  ConstantIntRanges divisor = known.get(remainder->getOperand(1));
  // By a constant, it is a product.
  if (!dividend.getType().isSignlessInteger() ||
      divisor.getConstantValue().has_value() ||
      !divisor.smin().isStrictlyPositive() ||
      known.get(getDivisor(remainder, known)).smin().isNegative())
    return std::nullopt;
  std::optional<Sum> sum = takeApart(dividend, remainder, known, kDepth);
  if (!sum)
    return std::nullopt;
  int64_t least = divisor.smin().getActiveBits() > 32
                      ? std::numeric_limits<int32_t>::max()
                      : divisor.smin().getSExtValue();
  // Of a number from `low` to the divisor, less one, plus `high`.
  bool isNear = sum->divisors == 1 ? sum->high <= 0 && -sum->low <= least
                                   : sum->divisors == 0 && -sum->low <= least &&
                                         sum->high <= least;
  if (!isNear)
    return std::nullopt;
  bool mayBeBelow = sum->divisors == 0 && sum->low < 0 &&
                    !known.get(dividend).smin().isNonNegative();
  bool mayBeAbove = sum->divisors == 1 || sum->high > 0;
  return Wrap{remainder, mayBeBelow, mayBeAbove};
}

void WrapRemainders::forget(Operation *op) {
  found.remove_if([&](const auto &entry) {
    return entry.first == op || entry.second.remainder == op;
  });
}

void WrapRemainders::visit(Operation *op, const RangeEnvironment &known) {
  Operation *remainder = nullptr;
  auto select = dyn_cast<arith::SelectOp>(op);
  if (select && select.getType().isSignlessInteger())
    remainder = findFloorRemainder(select);
  else if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    remainder = op;
  if (!remainder)
    return;
  found.erase(op);
  std::optional<Wrap> wrap = find(remainder, known);
  // Without the sign of its divisor, a remainder of what is below 0 is below 0.
  if (wrap && (select || !wrap->mayBeBelow))
    found.insert({op, *wrap});
}

void WrapRemainders::apply() {
  // What has the sign of its divisor comes behind the remainder that it uses.
  for (auto &[op, wrap] : llvm::reverse(found)) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Value value = wrap.remainder->getOperand(0);
    Value divisor = wrap.remainder->getOperand(1);
    if (wrap.mayBeBelow) {
      Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
      Value isBelow = arith::CmpIOp::create(b, CmpIPredicate::slt, value, zero);
      Value raised = arith::AddIOp::create(b, value, divisor);
      value = arith::SelectOp::create(b, isBelow, raised, value);
    }
    if (wrap.mayBeAbove) {
      Value isAbove =
          arith::CmpIOp::create(b, CmpIPredicate::sge, value, divisor);
      Value lowered = arith::SubIOp::create(b, value, divisor);
      value = arith::SelectOp::create(b, isAbove, lowered, value);
    }
    // Both have been made narrow, or one was.
    Type type = op->getResult(0).getType();
    if (type.getIntOrFloatBitWidth() > value.getType().getIntOrFloatBitWidth())
      value = arith::ExtUIOp::create(b, type, value);
    else if (type != value.getType())
      value = arith::TruncIOp::create(b, type, value);
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}
