// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a condition back to the values that it speaks of. A range that becomes
// empty means that control does not come here.

#include "pyk/Dialect/Pyk/Analysis/RangeEnvironment.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using arith::CmpIPredicate;

/// Conditions and values that one assumption looks at: a bound for conditions
/// that share parts.
static constexpr unsigned kBudget = 256;

static unsigned getWidth(Value value) {
  return ConstantIntRanges::getStorageBitwidth(value.getType());
}

static bool isEmpty(const ConstantIntRanges &range) {
  return range.smin().sgt(range.smax()) || range.umin().ugt(range.umax());
}

/// What both signed and unsigned bounds say; may be empty.
static ConstantIntRanges reconcile(const ConstantIntRanges &range) {
  if (isEmpty(range))
    return range;
  return range
      .intersection(ConstantIntRanges::fromSigned(range.smin(), range.smax()))
      .intersection(
          ConstantIntRanges::fromUnsigned(range.umin(), range.umax()));
}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

IntegerValueRange RangeEnvironment::find(Value value) const {
  auto known = ranges.find(value);
  return known == ranges.end() ? IntegerValueRange::getMaxRange(value)
                               : known->second;
}

ConstantIntRanges RangeEnvironment::get(Value value) const {
  return find(value).getValue();
}

void RangeEnvironment::define(Value value, const IntegerValueRange &range) {
  if (getWidth(value) == 0)
    return;
  IntegerValueRange &known = ranges[value];
  known = range.isUninitialized()
              ? IntegerValueRange::getMaxRange(value)
              : IntegerValueRange(reconcile(range.getValue()));
  // What never runs may come out empty.
  if (isEmpty(known.getValue()))
    known = IntegerValueRange::getMaxRange(value);
}

void RangeEnvironment::forget(size_t mark) {
  while (changes.size() > mark) {
    auto [value, range] = changes.pop_back_val();
    ranges[value] = range;
  }
}

//===----------------------------------------------------------------------===//
// From values to results
//===----------------------------------------------------------------------===//

/// A remainder and its divisor, if that is above 0, are above 0 together, which
/// their ranges alone do not say. It is how a remainder gets its divisor's
/// sign.
static IntegerValueRange inferRaisedRemainder(Operation *op,
                                              const RangeEnvironment &known) {
  auto sum = dyn_cast<arith::AddIOp>(op);
  if (!sum)
    return IntegerValueRange();
  Value divisor = sum.getRhs();
  auto remainder = sum.getLhs().getDefiningOp<arith::RemSIOp>();
  if (!remainder || remainder.getRhs() != divisor ||
      !known.get(divisor).smin().isStrictlyPositive())
    return IntegerValueRange();
  bool overflows;
  APInt most =
      known.get(remainder).smax().sadd_ov(known.get(divisor).smax(), overflows);
  if (overflows || !most.isStrictlyPositive())
    return IntegerValueRange();
  return IntegerValueRange(
      ConstantIntRanges::fromSigned(APInt(most.getBitWidth(), 1), most));
}

IntegerValueRange RangeEnvironment::infer(OpResult result) {
  auto op = dyn_cast<InferIntRangeInterface>(result.getOwner());
  if (!op || op->getNumRegions() != 0)
    return IntegerValueRange::getMaxRange(result);
  SmallVector<IntegerValueRange> operands;
  for (Value operand : op->getOperands())
    operands.push_back(find(operand));
  IntegerValueRange found = IntegerValueRange::getMaxRange(result);
  op.inferResultRangesFromOptional(
      operands, [&](Value value, const IntegerValueRange &range) {
        if (value == result && !range.isUninitialized())
          found = range;
      });
  IntegerValueRange raised = inferRaisedRemainder(op, *this);
  if (raised.isUninitialized())
    return found;
  return IntegerValueRange(
      reconcile(found.getValue().intersection(raised.getValue())));
}

/// The range of `arm` where `condition` is `holds`, computed anew from what
/// that says of its operands; none if it never is.
IntegerValueRange RangeEnvironment::inferArm(Value condition, bool holds,
                                             Value arm) {
  size_t before = mark();
  IntegerValueRange range;
  if (assume(condition, holds)) {
    range = find(arm);
    if (auto result = dyn_cast<OpResult>(arm)) {
      ConstantIntRanges both =
          reconcile(range.getValue().intersection(infer(result).getValue()));
      if (!isEmpty(both))
        range = IntegerValueRange(both);
    }
  }
  forget(before);
  return range;
}

void RangeEnvironment::defineResults(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (select && getWidth(select) != 0 &&
      select.getCondition().getType().isSignlessInteger(1)) {
    define(select,
           IntegerValueRange::join(
               inferArm(select.getCondition(), true, select.getTrueValue()),
               inferArm(select.getCondition(), false, select.getFalseValue())));
    return;
  }
  for (OpResult result : op->getResults())
    if (getWidth(result) != 0)
      define(result, infer(result));
}

//===----------------------------------------------------------------------===//
// From results back to values
//===----------------------------------------------------------------------===//

bool RangeEnvironment::narrow(Value value, const ConstantIntRanges &range) {
  IntegerValueRange old = find(value);
  ConstantIntRanges now =
      reconcile(old.getValue().intersection(reconcile(range)));
  if (isEmpty(now))
    return false;
  if (now == old.getValue())
    return true;
  changes.emplace_back(value, old);
  ranges[value] = IntegerValueRange(now);
  if (budget == 0)
    return true;
  --budget;
  return narrowOperands(value);
}

/// `sum` is `summand` and the constant `other`.
bool RangeEnvironment::narrowSummand(Value sum, Value summand, APInt other) {
  ConstantIntRanges range = get(summand), total = get(sum);
  bool wraps[4];
  (void)range.smin().sadd_ov(other, wraps[0]);
  (void)range.smax().sadd_ov(other, wraps[1]);
  APInt least = total.smin().ssub_ov(other, wraps[2]);
  APInt most = total.smax().ssub_ov(other, wraps[3]);
  if (llvm::is_contained(wraps, true))
    return true;
  return narrow(summand, ConstantIntRanges::fromSigned(least, most));
}

/// `product` has the sign that a product of `lhs` and `rhs` would have.
bool RangeEnvironment::narrowBySign(Value product, Value lhs, Value rhs) {
  ConstantIntRanges range = get(product);
  bool isNegative = range.smax().isNegative();
  if (!isNegative && range.smin().isNegative())
    return true;
  unsigned width = getWidth(product);
  auto negative = ConstantIntRanges::fromSigned(APInt::getSignedMinValue(width),
                                                APInt::getAllOnes(width));
  auto positive = ConstantIntRanges::fromSigned(
      APInt::getZero(width), APInt::getSignedMaxValue(width));
  for (auto [known, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
    bool knownNegative = get(known).smax().isNegative();
    if (!knownNegative && get(known).smin().isNegative())
      continue;
    if (!narrow(other, isNegative != knownNegative ? negative : positive))
      return false;
  }
  return true;
}

/// Hands what has been learnt of `value` on to what it was computed from.
bool RangeEnvironment::narrowOperands(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.getType().isSignlessIntOrIndex())
    return true;
  ConstantIntRanges range = get(value);
  APInt constant;
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](arith::ExtSIOp op) {
        unsigned width = getWidth(op.getIn());
        if (!range.smin().isSignedIntN(width) ||
            !range.smax().isSignedIntN(width))
          return true;
        return narrow(op.getIn(),
                      ConstantIntRanges::fromSigned(range.smin().trunc(width),
                                                    range.smax().trunc(width)));
      })
      .Case([&](arith::ExtUIOp op) {
        unsigned width = getWidth(op.getIn());
        if (!range.umax().isIntN(width))
          return true;
        return narrow(op.getIn(), ConstantIntRanges::fromUnsigned(
                                      range.umin().trunc(width),
                                      range.umax().trunc(width)));
      })
      .Case([&](arith::TruncIOp op) {
        ConstantIntRanges in = get(op.getIn());
        unsigned width = getWidth(value);
        if (!in.smin().isSignedIntN(width) || !in.smax().isSignedIntN(width))
          return true;
        unsigned wide = getWidth(op.getIn());
        return narrow(op.getIn(),
                      ConstantIntRanges::fromSigned(range.smin().sext(wide),
                                                    range.smax().sext(wide)));
      })
      .Case([&](arith::AddIOp op) {
        return !matchPattern(op.getRhs(), m_ConstantInt(&constant)) ||
               narrowSummand(value, op.getLhs(), constant);
      })
      .Case([&](arith::SubIOp op) {
        return !matchPattern(op.getRhs(), m_ConstantInt(&constant)) ||
               constant.isMinSignedValue() ||
               narrowSummand(value, op.getLhs(), -constant);
      })
      .Case([&](arith::XOrIOp op) {
        return narrowBySign(value, op.getLhs(), op.getRhs());
      })
      .Default(true);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// What `value` may be, of which only one end is bounded; none if nothing.
static std::optional<ConstantIntRanges> getAbove(const APInt &bound,
                                                 bool isSigned, bool isStrict) {
  unsigned width = bound.getBitWidth();
  APInt most =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  if (isStrict && bound == most)
    return std::nullopt;
  return ConstantIntRanges::range(isStrict ? bound + 1 : bound, most, isSigned);
}

static std::optional<ConstantIntRanges> getBelow(const APInt &bound,
                                                 bool isSigned, bool isStrict) {
  unsigned width = bound.getBitWidth();
  APInt least =
      isSigned ? APInt::getSignedMinValue(width) : APInt::getMinValue(width);
  if (isStrict && bound == least)
    return std::nullopt;
  return ConstantIntRanges::range(least, isStrict ? bound - 1 : bound,
                                  isSigned);
}

/// `range` without the constant `excluded`, if that is at an end of it.
static ConstantIntRanges exclude(const ConstantIntRanges &range,
                                 const APInt &excluded) {
  APInt umin = range.umin(), umax = range.umax();
  APInt smin = range.smin(), smax = range.smax();
  if (umin == umax || smin == smax)
    return range;
  if (umin == excluded)
    ++umin;
  if (umax == excluded)
    --umax;
  if (smin == excluded)
    ++smin;
  if (smax == excluded)
    --smax;
  return ConstantIntRanges(umin, umax, smin, smax);
}

bool RangeEnvironment::compare(CmpIPredicate predicate, Value lhs, Value rhs) {
  ConstantIntRanges left = get(lhs), right = get(rhs);
  switch (predicate) {
  case CmpIPredicate::eq:
    return narrow(lhs, right) && narrow(rhs, left);
  case CmpIPredicate::ne: {
    auto first = left.getConstantValue(), second = right.getConstantValue();
    if (first && second)
      return *first != *second;
    return (!second || narrow(lhs, exclude(left, *second))) &&
           (!first || narrow(rhs, exclude(right, *first)));
  }
  case CmpIPredicate::sgt:
  case CmpIPredicate::sge:
  case CmpIPredicate::ugt:
  case CmpIPredicate::uge: {
    std::swap(lhs, rhs);
    std::swap(left, right);
    break;
  }
  default:
    break;
  }
  bool isStrict =
      predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sgt ||
      predicate == CmpIPredicate::ult || predicate == CmpIPredicate::ugt;
  bool isSigned =
      predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sgt ||
      predicate == CmpIPredicate::sle || predicate == CmpIPredicate::sge;
  auto below =
      getBelow(isSigned ? right.smax() : right.umax(), isSigned, isStrict);
  auto above =
      getAbove(isSigned ? left.smin() : left.umin(), isSigned, isStrict);
  return below && above && narrow(lhs, *below) && narrow(rhs, *above);
}

bool RangeEnvironment::assume(CmpIPredicate predicate, Value lhs, Value rhs) {
  budget = kBudget;
  return compare(predicate, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

bool RangeEnvironment::assume(Value condition, bool holds) {
  budget = kBudget;
  return assumeWithin(condition, holds);
}

/// What `assumption` makes of the values that it narrows, without that being
/// kept; none if it cannot be.
std::optional<RangeEnvironment::Ranges>
RangeEnvironment::tryOut(llvm::function_ref<bool()> assumption) {
  size_t before = mark();
  std::optional<Ranges> narrowed;
  if (assumption()) {
    narrowed.emplace();
    for (auto &[value, range] : llvm::drop_begin(changes, before))
      narrowed->try_emplace(value, get(value));
  }
  forget(before);
  return narrowed;
}

/// One of the two is true: of a value that both narrow, it is in either range.
bool RangeEnvironment::assumeEither(llvm::function_ref<bool()> first,
                                    llvm::function_ref<bool()> second) {
  std::optional<Ranges> one = tryOut(first), other = tryOut(second);
  if (!one && !other)
    return false;
  if (!one)
    std::swap(one, other);
  for (auto &[value, range] : *one) {
    if (!other) {
      // What it was computed from is among those that were narrowed.
      changes.emplace_back(value, find(value));
      ranges[value] = IntegerValueRange(range);
      continue;
    }
    auto also = other->find(value);
    if (also != other->end() && !narrow(value, range.rangeUnion(also->second)))
      return false;
  }
  return true;
}

/// The same of a result of a condition: of the arm that it came from, both its
/// condition and what it yields are known.
bool RangeEnvironment::assumeResult(OpResult result, bool holds) {
  Operation *op = result.getOwner();
  auto comesFrom = [&](unsigned arm) {
    Operation *end = op->getRegion(arm).front().getTerminator();
    return !isa<ExitOpInterface>(end) &&
           assumeWithin(op->getOperand(0), arm == 0) &&
           assumeWithin(end->getOperand(result.getResultNumber()), holds);
  };
  return assumeEither([&] { return comesFrom(0); },
                      [&] { return comesFrom(1); });
}

bool RangeEnvironment::assumeWithin(Value condition, bool holds) {
  if (!condition.getType().isSignlessInteger(1) || budget == 0)
    return true;
  --budget;
  if (!narrow(condition, ConstantIntRanges::constant(APInt(1, holds))))
    return false;
  auto result = dyn_cast<OpResult>(condition);
  if (!result)
    return true;
  auto assumeAll = [&](Value lhs, Value rhs, bool areBoth) {
    auto first = [&] { return assumeWithin(lhs, holds); };
    auto second = [&] { return assumeWithin(rhs, holds); };
    return areBoth ? first() && second() : assumeEither(first, second);
  };
  return TypeSwitch<Operation *, bool>(result.getOwner())
      .Case([&](arith::CmpIOp op) {
        return compare(holds ? op.getPredicate()
                             : arith::invertPredicate(op.getPredicate()),
                       op.getLhs(), op.getRhs());
      })
      .Case([&](arith::AndIOp op) {
        return assumeAll(op.getLhs(), op.getRhs(), holds);
      })
      .Case([&](arith::OrIOp op) {
        return assumeAll(op.getLhs(), op.getRhs(), !holds);
      })
      .Case([&](arith::XOrIOp op) {
        return !matchPattern(op.getRhs(), m_One()) ||
               assumeWithin(op.getLhs(), !holds);
      })
      .Case([&](arith::SelectOp op) {
        auto isArm = [&](bool first) {
          return assumeWithin(op.getCondition(), first) &&
                 assumeWithin(first ? op.getTrueValue() : op.getFalseValue(),
                              holds);
        };
        return assumeEither([&] { return isArm(true); },
                            [&] { return isArm(false); });
      })
      .Case<scf::IfOp, IfOp>(
          [&](Operation *) { return assumeResult(result, holds); })
      .Default(true);
}
