// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times: arithmetic on their counts. Where a result is NaT is decided at the
// end, by a select: what was computed from NaT until then means nothing.

#include "Times.h"
#include "Scalars.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include <limits>

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The count of NaT.
static constexpr int64_t kNat = INT64_MIN;

static constexpr int64_t kMonthsOfYear = 12;

Value TimeLowering::isNat(Value count, Location loc) {
  return builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, count,
      makeInteger(builder, kNat, count.getType(), loc));
}

/// The days from the start of 1970 to that of a month, which is counted from
/// the same.
Value TimeLowering::getDays(Value months, Location loc) {
  auto constant = [&](int64_t value) {
    return makeInteger(builder, value, builder.getI64Type(), loc);
  };
  auto add = [&](Value a, Value b) {
    return builder.createOrFold<arith::AddIOp>(loc, a, b);
  };
  auto multiply = [&](Value a, int64_t b) {
    return builder.createOrFold<arith::MulIOp>(loc, a, constant(b));
  };
  auto divide = [&](Value a, int64_t b) {
    return builder.createOrFold<pyk::FloorDivOp>(loc, a, constant(b), false);
  };
  // From the March of year 0 on a leap day ends a year, and months have 31, 30,
  // 31, 30 and 31 days, again and again.
  Value sinceMarch = add(months, constant(1970 * kMonthsOfYear - 2));
  Value year = divide(sinceMarch, kMonthsOfYear);
  Value month = builder.createOrFold<pyk::FloorModOp>(
      loc, sinceMarch, constant(kMonthsOfYear), false);
  Value dayOfYear = divide(add(multiply(month, 153), constant(2)), 5);
  Value leapDays = builder.createOrFold<arith::SubIOp>(loc, divide(year, 4),
                                                       divide(year, 100));
  Value days = add(add(multiply(year, 365), dayOfYear),
                   add(leapDays, divide(year, 400)));
  constexpr int64_t daysToMarchOfYear0 = 719468;
  return add(days, constant(-daysToMarchOfYear0));
}

Value TimeLowering::scale(Value count, TimeType from, TimeType to,
                          Location loc) {
  auto multiply = [&](TimeUnit unit, TimeUnit target) {
    return builder.createOrFold<arith::MulIOp>(
        loc, count,
        makeInteger(builder, *getFactor(unit, target), count.getType(), loc));
  };
  TimeUnit unit = from.getUnit(), target = to.getUnit();
  if (from.getKind() == TimeKind::Datetime && unit <= TimeUnit::Month &&
      target > TimeUnit::Month) {
    count = getDays(multiply(unit, TimeUnit::Month), loc);
    unit = TimeUnit::Day;
    if (target == TimeUnit::Week)
      return builder.createOrFold<pyk::FloorDivOp>(
          loc, count,
          makeInteger(builder, *getFactor(target, unit), count.getType(), loc),
          false);
  }
  return multiply(unit, target);
}

Value TimeLowering::convertTime(Value count, TimeType from, TimeType to,
                                Location loc) {
  Value scaled = scale(count, from, to, loc);
  if (scaled == count)
    return count;
  return arith::SelectOp::create(builder, loc, isNat(count, loc), count,
                                 scaled);
}

Value TimeLowering::makeTimeProduct(BinaryOperator kind, Value count,
                                    const Binding &number, Location loc) {
  bool isProduct = kind == BinaryOperator::Mul;
  Type wide = builder.getI64Type();
  Value nat = makeInteger(builder, kNat, wide, loc), isLost = isNat(count, loc),
        result;
  auto either = [&](Value condition) {
    isLost = builder.createOrFold<arith::OrIOp>(loc, isLost, condition);
  };
  if (isa<FloatType>(number.type)) {
    Type real = builder.getF64Type();
    Value a = arith::SIToFPOp::create(builder, loc, real, count);
    Value b = lowering.convert(number.parts.front(), number.type, real, loc);
    Value exact = isProduct
                      ? arith::MulFOp::create(builder, loc, a, b).getResult()
                      : arith::DivFOp::create(builder, loc, a, b).getResult();
    // More than 64 bits hold, or NaN.
    either(arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::UGE,
        math::AbsFOp::create(builder, loc, exact),
        makeFloat(builder, static_cast<double>(INT64_MAX), real, loc)));
    result = pyk::FloatToIntOp::create(builder, loc, wide, exact, false);
  } else {
    Type own = IntegerType::get(context, 64, IntegerType::Signed);
    Value factor =
        lowering.convert(number.parts.front(), number.type, own, loc);
    if (isProduct) {
      result = builder.createOrFold<arith::MulIOp>(loc, count, factor);
    } else {
      either(builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, factor,
          makeInteger(builder, 0, wide, loc)));
      // NaT by -1 is as undefined as anything by 0.
      Value divisor = builder.createOrFold<arith::SelectOp>(
          loc, isLost, makeInteger(builder, 1, wide, loc), factor);
      result = builder.createOrFold<arith::DivSIOp>(loc, count, divisor);
    }
  }
  return builder.createOrFold<arith::SelectOp>(loc, isLost, nat, result);
}

Value TimeLowering::makeTimeBinary(BinaryOperator kind, const Binding &lhs,
                                   const Binding &rhs, Type type,
                                   Location loc) {
  auto left = dyn_cast<TimeType>(lhs.type);
  auto right = dyn_cast<TimeType>(rhs.type);
  Value a = lhs.parts.front(), b = rhs.parts.front();
  if (!left)
    return makeTimeProduct(kind, b, lhs, loc);
  if (!right)
    return makeTimeProduct(kind, a, rhs, loc);
  Type wide = builder.getI64Type();
  Value isLost =
      builder.createOrFold<arith::OrIOp>(loc, isNat(a, loc), isNat(b, loc));
  Value nothing = makeInteger(builder, kNat, wide, loc), result;
  // The unit of the result, or that in which two timedeltas are divided.
  auto common = dyn_cast<TimeType>(type);
  if (!common)
    common = getCommonTime(left, right);
  a = scale(a, left, common, loc);
  b = scale(b, right, common, loc);
  switch (kind) {
  case BinaryOperator::Add:
    result = builder.createOrFold<arith::AddIOp>(loc, a, b);
    break;
  case BinaryOperator::Sub:
    result = builder.createOrFold<arith::SubIOp>(loc, a, b);
    break;
  case BinaryOperator::TrueDiv: {
    Type real = builder.getF64Type();
    nothing =
        makeFloat(builder, std::numeric_limits<double>::quiet_NaN(), real, loc);
    result = arith::DivFOp::create(
        builder, loc, arith::SIToFPOp::create(builder, loc, real, a),
        arith::SIToFPOp::create(builder, loc, real, b));
    break;
  }
  case BinaryOperator::FloorDiv:
    // An int64 is what it is, and none says that there is nothing.
    nothing = makeInteger(builder, 0, wide, loc);
    result = builder.createOrFold<pyk::FloorDivOp>(loc, a, b, false);
    break;
  default: {
    Value isZero = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, b, makeInteger(builder, 0, wide, loc));
    isLost = builder.createOrFold<arith::OrIOp>(loc, isLost, isZero);
    result = builder.createOrFold<pyk::FloorModOp>(loc, a, b, false);
    break;
  }
  }
  return builder.createOrFold<arith::SelectOp>(loc, isLost, nothing, result);
}

Value TimeLowering::makeTimeComparison(CompareOperator kind, Value a, Value b,
                                       Location loc) {
  Value isLost =
      builder.createOrFold<arith::OrIOp>(loc, isNat(a, loc), isNat(b, loc));
  bool isUnequal =
      kind == CompareOperator::Ne || kind == CompareOperator::IsNot;
  return builder.createOrFold<arith::SelectOp>(
      loc, isLost, makeInteger(builder, isUnequal, builder.getI1Type(), loc),
      compareIntegers(builder, kind, a, b, false, loc));
}
