// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numeric ops of pyk in terms of arith, math and scf, each with the one result
// that the op's description promises. Those of complex numbers are in
// ExpandComplex.cpp, arithmetic on bf16 is in ExpandBFloats.cpp, comparisons of
// arrays by their place in memory in ExpandOverlaps.cpp.
//
// Division first replaces divisors that arith leaves undefined by 1 and then
// mends the result with selects; a constant divisor needs neither. Everything
// is written so that what is known of the operands (they are often proven not
// negative) folds the mending away later, here or in LLVM.

#include "ExpandBFloats.h"
#include "ExpandComplex.h"
#include "ExpandFloat8.h"
#include "ExpandOverlaps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace pyk {
#define GEN_PASS_DEF_EXPANDNUMERICSPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

namespace {

/// Builds arithmetic on scalars of one type in front of one op.
struct NumberBuilder : ImplicitLocOpBuilder {
  NumberBuilder(Operation *op, Type type)
      : ImplicitLocOpBuilder(op->getLoc(), op), type(type) {}

  Value integer(int64_t value) {
    return arith::ConstantOp::create(*this, getIntegerAttr(type, value));
  }
  Value real(double value) {
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  }
  template <typename Op>
  Value make(Value a, Value b) {
    return Op::create(*this, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(*this, predicate, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(*this, predicate, a, b);
  }
  Value isNegative(Value a) {
    return compare(arith::CmpIPredicate::slt, a, integer(0));
  }
  Value isZero(Value a) {
    return compare(arith::CmpIPredicate::eq, a, integer(0));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }

  Type type;
};

using IntPredicate = arith::CmpIPredicate;
using FloatPredicate = arith::CmpFPredicate;

} // namespace

/// The constant that `value` is, if it is one.
static std::optional<APInt> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Division of integers
//===----------------------------------------------------------------------===//

/// Unsigned quotient or remainder; 0 for a divisor of 0.
template <typename Op>
static Value divideUnsigned(NumberBuilder &b, Value lhs, Value rhs) {
  if (auto divisor = getConstant(rhs); divisor && !divisor->isZero())
    return b.make<Op>(lhs, rhs);
  Value isZero = b.isZero(rhs);
  Value result = b.make<Op>(lhs, b.select(isZero, b.integer(1), rhs));
  return b.select(isZero, b.integer(0), result);
}

/// Floor of the quotient by a constant above 0: for a negative dividend, the
/// complement of the quotient of its complement.
static Value floorDivByPositive(NumberBuilder &b, Value lhs, const APInt &rhs) {
  if (rhs.isPowerOf2())
    return b.make<arith::ShRSIOp>(lhs, b.integer(rhs.logBase2()));
  Value sign = b.make<arith::ShRSIOp>(lhs, b.integer(rhs.getBitWidth() - 1));
  Value divisor = b.integer(rhs.getSExtValue());
  Value quotient =
      b.make<arith::DivUIOp>(b.make<arith::XOrIOp>(lhs, sign), divisor);
  return b.make<arith::XOrIOp>(quotient, sign);
}

/// `rhs`, or 1 where it is 0 or -1: neither divides without care.
static Value getSafeDivisor(NumberBuilder &b, Value rhs) {
  if (auto divisor = getConstant(rhs);
      divisor && !divisor->isZero() && !divisor->isAllOnes())
    return rhs;
  Value shifted = b.make<arith::AddIOp>(rhs, b.integer(1));
  Value isSpecial = b.compare(IntPredicate::ult, shifted, b.integer(2));
  return b.select(isSpecial, b.integer(1), rhs);
}

/// True where a remainder is not 0 and has the other sign than its divisor.
static Value needsFloor(NumberBuilder &b, Value remainder, Value divisor) {
  Value isInexact = b.compare(IntPredicate::ne, remainder, b.integer(0));
  Value differs = b.isNegative(b.make<arith::XOrIOp>(remainder, divisor));
  return b.make<arith::AndIOp>(isInexact, differs);
}

static Value floorDivInteger(NumberBuilder &b, Value lhs, Value rhs) {
  if (auto divisor = getConstant(rhs); divisor && divisor->isStrictlyPositive())
    return floorDivByPositive(b, lhs, *divisor);
  Value divisor = getSafeDivisor(b, rhs);
  Value quotient = b.make<arith::DivSIOp>(lhs, divisor);
  Value remainder = b.make<arith::RemSIOp>(lhs, divisor);
  Value below = b.make<arith::SubIOp>(quotient, b.integer(1));
  Value floor = b.select(needsFloor(b, remainder, divisor), below, quotient);
  if (divisor == rhs)
    return floor;
  Value minusOne = b.integer(-1);
  Value negated = b.make<arith::SubIOp>(b.integer(0), lhs);
  floor = b.select(b.compare(IntPredicate::eq, rhs, minusOne), negated, floor);
  return b.select(b.isZero(rhs), b.integer(0), floor);
}

static Value floorModInteger(NumberBuilder &b, Value lhs, Value rhs) {
  auto constant = getConstant(rhs);
  if (constant && constant->isStrictlyPositive() && constant->isPowerOf2())
    return b.make<arith::AndIOp>(lhs,
                                 b.integer((*constant - 1).getSExtValue()));
  // Divisors of 0 and -1 both leave 0, as the 1 in their place does.
  Value divisor = getSafeDivisor(b, rhs);
  Value remainder = b.make<arith::RemSIOp>(lhs, divisor);
  Value above = b.make<arith::AddIOp>(remainder, divisor);
  return b.select(needsFloor(b, remainder, divisor), above, remainder);
}

//===----------------------------------------------------------------------===//
// Division of floats, as CPython's float_divmod
//===----------------------------------------------------------------------===//

namespace {
/// What quotient and remainder share.
struct FloatDivision {
  Value remainder; ///< As fmod leaves it, with the sign of the dividend.
  Value isInexact; ///< The remainder is not 0.
  Value needsFloor;
};
} // namespace

static FloatDivision divideFloat(NumberBuilder &b, Value lhs, Value rhs) {
  Value zero = b.real(0.0);
  Value remainder = b.make<arith::RemFOp>(lhs, rhs);
  Value isInexact = b.compare(FloatPredicate::UNE, remainder, zero);
  Value differs =
      b.make<arith::XOrIOp>(b.compare(FloatPredicate::OLT, rhs, zero),
                            b.compare(FloatPredicate::OLT, remainder, zero));
  return {remainder, isInexact, b.make<arith::AndIOp>(isInexact, differs)};
}

static Value floorDivFloat(NumberBuilder &b, Value lhs, Value rhs) {
  FloatDivision division = divideFloat(b, lhs, rhs);
  Value zero = b.real(0.0), one = b.real(1.0);
  Value quotient = b.make<arith::DivFOp>(
      b.make<arith::SubFOp>(lhs, division.remainder), rhs);
  Value below = b.make<arith::SubFOp>(quotient, one);
  quotient = b.select(division.needsFloor, below, quotient);
  // `quotient` is within rounding of an integer: take the nearest.
  Value floor = math::FloorOp::create(b, quotient);
  Value excess = b.make<arith::SubFOp>(quotient, floor);
  Value isMore = b.compare(FloatPredicate::OGT, excess, b.real(0.5));
  Value nearest = b.select(isMore, b.make<arith::AddFOp>(floor, one), floor);
  // A zero, or a division by zero, is what plain division says.
  Value plain = b.make<arith::DivFOp>(lhs, rhs);
  Value signedZero = b.make<math::CopySignOp>(zero, plain);
  Value isZero = b.compare(FloatPredicate::OEQ, quotient, zero);
  Value result = b.select(isZero, signedZero, nearest);
  return b.select(b.compare(FloatPredicate::OEQ, rhs, zero), plain, result);
}

static Value floorModFloat(NumberBuilder &b, Value lhs, Value rhs) {
  FloatDivision division = divideFloat(b, lhs, rhs);
  Value above = b.make<arith::AddFOp>(division.remainder, rhs);
  Value signedZero = b.make<math::CopySignOp>(b.real(0.0), rhs);
  Value exact = b.select(division.isInexact, division.remainder, signedZero);
  return b.select(division.needsFloor, above, exact);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

static Value expandFloorDiv(FloorDivOp op, NumberBuilder &b) {
  if (isa<FloatType>(b.type))
    return floorDivFloat(b, op.getLhs(), op.getRhs());
  if (op.getIsUnsigned())
    return divideUnsigned<arith::DivUIOp>(b, op.getLhs(), op.getRhs());
  return floorDivInteger(b, op.getLhs(), op.getRhs());
}

static Value expandFloorMod(FloorModOp op, NumberBuilder &b) {
  if (isa<FloatType>(b.type))
    return floorModFloat(b, op.getLhs(), op.getRhs());
  if (op.getIsUnsigned())
    return divideUnsigned<arith::RemUIOp>(b, op.getLhs(), op.getRhs());
  return floorModInteger(b, op.getLhs(), op.getRhs());
}

/// `shifted` where `amount` is less than the width, else 0.
static Value guardShift(NumberBuilder &b, Value shifted, Value amount) {
  Value width = b.integer(b.type.getIntOrFloatBitWidth());
  return b.select(b.compare(IntPredicate::ult, amount, width), shifted,
                  b.integer(0));
}

static Value expandShiftLeft(ShiftLeftOp op, NumberBuilder &b) {
  return guardShift(b, b.make<arith::ShLIOp>(op.getLhs(), op.getRhs()),
                    op.getRhs());
}

static Value expandShiftRight(ShiftRightOp op, NumberBuilder &b) {
  if (op.getIsUnsigned())
    return guardShift(b, b.make<arith::ShRUIOp>(op.getLhs(), op.getRhs()),
                      op.getRhs());
  Value most = b.integer(b.type.getIntOrFloatBitWidth() - 1);
  return b.make<arith::ShRSIOp>(op.getLhs(),
                                b.make<arith::MinUIOp>(op.getRhs(), most));
}

static Value expandWrapIndex(WrapIndexOp op, NumberBuilder &b) {
  Value wrapped = b.make<arith::AddIOp>(op.getIndex(), op.getExtent());
  return b.select(b.isNegative(op.getIndex()), wrapped, op.getIndex());
}

/// `base` to a constant power: the square-and-multiply chain, unrolled.
static Value powerByConstant(NumberBuilder &b, Value base, APInt exponent) {
  Value result;
  while (true) {
    if (exponent[0])
      result = result ? b.make<arith::MulIOp>(result, base) : base;
    exponent.lshrInPlace(1);
    if (exponent.isZero())
      return result ? result : b.integer(1);
    base = b.make<arith::MulIOp>(base, base);
  }
}

/// `base` to the power of `exponent`, read as unsigned: square and multiply.
static Value powerByLoop(NumberBuilder &b, Value base, Value exponent) {
  SmallVector<Type> types(3, b.type);
  SmallVector<Location> locs(3, b.getLoc());
  Value one = b.integer(1), zero = b.integer(0);
  auto loop = scf::WhileOp::create(b, types, ValueRange{one, base, exponent});
  OpBuilder::InsertionGuard guard(b);

  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  Value more = b.compare(IntPredicate::ne, before->getArgument(2), zero);
  scf::ConditionOp::create(b, more, before->getArguments());

  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  Value result = after->getArgument(0), square = after->getArgument(1),
        rest = after->getArgument(2);
  Value isOdd =
      b.compare(IntPredicate::ne, b.make<arith::AndIOp>(rest, one), zero);
  result = b.select(isOdd, b.make<arith::MulIOp>(result, square), result);
  square = b.make<arith::MulIOp>(square, square);
  rest = b.make<arith::ShRUIOp>(rest, one);
  scf::YieldOp::create(b, ValueRange{result, square, rest});
  return loop.getResult(0);
}

static Value expandPower(PowerOp op, NumberBuilder &b) {
  Value base = op.getLhs(), exponent = op.getRhs();
  auto constant = getConstant(exponent);
  if (constant && (op.getIsUnsigned() || constant->isNonNegative()))
    return powerByConstant(b, base, *constant);
  if (op.getIsUnsigned())
    return powerByLoop(b, base, exponent);
  Value one = b.integer(1), minusOne = b.integer(-1), zero = b.integer(0);
  Value isNegative = b.isNegative(exponent);
  Value power = powerByLoop(b, base, b.select(isNegative, zero, exponent));
  // The reciprocal of an integer is an integer only for 1 and -1.
  Value isOdd =
      b.compare(IntPredicate::ne, b.make<arith::AndIOp>(exponent, one), zero);
  Value alternating = b.select(isOdd, minusOne, one);
  Value isMinusOne = b.compare(IntPredicate::eq, base, minusOne);
  Value isOne = b.compare(IntPredicate::eq, base, one);
  Value reciprocal =
      b.select(isOne, one, b.select(isMinusOne, alternating, zero));
  return b.select(isNegative, reciprocal, power);
}

/// Replaces the bounds of a slice by arithmetic.
static void expandSliceBounds(SliceBoundsOp op) {
  NumberBuilder b(op, op.getFirst().getType());
  Value extent = op.getExtent(), step = op.getStep();
  Value zero = b.integer(0);
  APInt known(64, 1);
  bool isKnown = !step || matchPattern(step, m_ConstantInt(&known));
  // What a bound may become: the ends in the direction of the step.
  auto choose = [&](Value ifDown, Value ifUp) {
    if (isKnown)
      return known.isNegative() ? ifDown : ifUp;
    return b.select(b.isNegative(step), ifDown, ifUp);
  };
  Value least = choose(b.integer(-1), zero);
  Value most = choose(b.make<arith::SubIOp>(extent, b.integer(1)), extent);
  auto place = [&](Value bound, Value otherwise) {
    if (!bound)
      return otherwise;
    Value wrapped = b.select(b.isNegative(bound),
                             b.make<arith::AddIOp>(bound, extent), bound);
    return b.make<arith::MinSIOp>(b.make<arith::MaxSIOp>(wrapped, least), most);
  };
  Value first = place(op.getLower(), choose(most, least));
  Value last = place(op.getUpper(), choose(least, most));
  Value span = choose(b.make<arith::SubIOp>(first, last),
                      b.make<arith::SubIOp>(last, first));
  Value count;
  if (isKnown && known.isZero()) {
    count = zero;
  } else if (isKnown && (known.isOne() || known.isAllOnes())) {
    count = b.make<arith::MaxSIOp>(span, zero);
  } else {
    // One more than the steps to the last element; the smallest number is its
    // own magnitude, and right without a sign.
    Value by = isKnown ? b.integer(known.abs().getSExtValue())
                       : choose(b.make<arith::SubIOp>(zero, step), step);
    Value isEmpty = b.compare(IntPredicate::sle, span, zero);
    if (!isKnown) {
      Value isStuck = b.isZero(step);
      isEmpty = b.make<arith::OrIOp>(isEmpty, isStuck);
      by = b.select(isStuck, b.integer(1), by);
    }
    Value steps =
        b.make<arith::DivUIOp>(b.make<arith::SubIOp>(span, b.integer(1)), by);
    count = b.select(isEmpty, zero, b.make<arith::AddIOp>(steps, b.integer(1)));
  }
  op.getFirst().replaceAllUsesWith(first);
  op.getCount().replaceAllUsesWith(count);
  op.erase();
}

/// The value that replaces `op`; null if it is no numeric op.
static Value expand(Operation *op) {
  NumberBuilder b(op, op->getResult(0).getType());
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](FloorDivOp op) { return expandFloorDiv(op, b); })
      .Case([&](FloorModOp op) { return expandFloorMod(op, b); })
      .Case([&](ShiftLeftOp op) { return expandShiftLeft(op, b); })
      .Case([&](ShiftRightOp op) { return expandShiftRight(op, b); })
      .Case([&](PowerOp op) { return expandPower(op, b); })
      .Case([&](WrapIndexOp op) { return expandWrapIndex(op, b); })
      .Case([](DistanceOp op) { return expandDistance(op); })
      .Case([](OverlapsOp op) { return expandOverlaps(op); })
      .Default(Value());
}

namespace {

struct ExpandNumericsPass
    : pyk::impl::ExpandNumericsPassBase<ExpandNumericsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto bounds = dyn_cast<SliceBoundsOp>(op))
        return expandSliceBounds(bounds);
      if (expandComplex(op) || expandFloat8(op))
        return;
      if (!isa_and_present<PykDialect>(op->getDialect()) ||
          op->getNumResults() != 1)
        return;
      if (Value value = expand(op)) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      }
    });
    getOperation()->walk(expandBFloats);
  }
};

} // namespace
