// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A date converts to each finer unit by the calendar. What lasts some months
// has no number of days, so a timedelta does not.

#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Py/IR/Promotion.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

bool py::isNumberOrTime(Type type) {
  return isScalar(type) || isa<TimeType>(type);
}

bool py::isTime(Type type, TimeKind kind) {
  auto time = dyn_cast_if_present<TimeType>(type);
  return time && time.getKind() == kind;
}

/// How many of the next unit one of each is; 0 of a month, which has no number
/// of weeks.
static constexpr int64_t kNextUnits[] = {12,   0,    7,    24,   60,   60,
                                         1000, 1000, 1000, 1000, 1000, 1000};

std::optional<int64_t> py::getFactor(TimeUnit from, TimeUnit to) {
  if (from == TimeUnit::Generic || from == to)
    return 1;
  if (from > to || to == TimeUnit::Generic)
    return std::nullopt;
  int64_t factor = 1;
  for (auto unit = unsigned(from); unit != unsigned(to); ++unit)
    if (llvm::MulOverflow(factor, kNextUnits[unit], factor))
      return std::nullopt;
  return factor == 0 ? std::nullopt : std::optional(factor);
}

/// True for the units that the calendar turns into days.
static bool isOfCalendar(TimeUnit unit) { return unit <= TimeUnit::Month; }

bool py::isExact(TimeType from, TimeType to) {
  TimeUnit unit = from.getUnit();
  if (from.getKind() != to.getKind())
    return false;
  // From the first day on it is the calendar's business no more.
  if (from.getKind() == TimeKind::Datetime && isOfCalendar(unit) &&
      !isOfCalendar(to.getUnit()))
    unit = std::min(to.getUnit(), TimeUnit::Day);
  return getFactor(unit, to.getUnit()).has_value();
}

bool py::isCount(Type from, Type to) {
  auto isWide = [](Type type) { return isInteger(type) && type.isInteger(64); };
  return (isInteger(from) && isa<TimeType>(to)) ||
         (isa<TimeType>(from) && isWide(to));
}

TimeType py::getCommonTime(TimeType a, TimeType b) {
  return isExact(a, b) ? b : isExact(b, a) ? a : TimeType();
}

Type py::getTimeType(BinaryOperator kind, Type lhs, Type rhs) {
  auto a = dyn_cast<TimeType>(lhs), b = dyn_cast<TimeType>(rhs);
  MLIRContext *context = lhs.getContext();
  auto isSpan = [](Type type) { return isTime(type, TimeKind::Timedelta); };
  if (!a || !b) {
    Type number = a ? rhs : lhs;
    bool isFactor = isInteger(number) || isa<FloatType>(number);
    bool isTaken = kind == BinaryOperator::Mul ||
                   (a && (kind == BinaryOperator::TrueDiv ||
                          kind == BinaryOperator::FloorDiv));
    TimeType span = a ? a : b;
    return isFactor && isTaken && isSpan(span) ? span : TimeType();
  }
  if (isSpan(a) && isSpan(b)) {
    TimeType common = getCommonTime(a, b);
    if (!common)
      return {};
    switch (kind) {
    case BinaryOperator::Add:
    case BinaryOperator::Sub:
    case BinaryOperator::Mod:
      return common;
    case BinaryOperator::TrueDiv:
      return Float64Type::get(context);
    case BinaryOperator::FloorDiv:
      return common.getStored();
    default:
      return {};
    }
  }
  bool isSum = kind == BinaryOperator::Add && (isSpan(a) || isSpan(b));
  bool isDifference = kind == BinaryOperator::Sub && !isSpan(a);
  if (!isSum && !isDifference)
    return {};
  bool areDates = !isSpan(a) && !isSpan(b);
  // What is added has to be a number of units of the sum.
  TimeType date = isSpan(a) ? b : a, other = isSpan(a) ? a : b;
  TimeType common = getCommonTime(
      date, TimeType::get(context, TimeKind::Datetime, other.getUnit()));
  if (!common || (!areDates && !getFactor(other.getUnit(), common.getUnit())))
    return {};
  return areDates
             ? TimeType::get(context, TimeKind::Timedelta, common.getUnit())
             : common;
}

std::string py::explainUnits(Type lhs, Type rhs) {
  auto a = dyn_cast<TimeType>(lhs), b = dyn_cast<TimeType>(rhs);
  if (!a || !b)
    return {};
  TimeType coarse = a.getUnit() < b.getUnit() ? a : b;
  TimeUnit unit = coarse.getUnit();
  TimeUnit fine = std::max(a.getUnit(), b.getUnit());
  auto target = TimeType::get(a.getContext(), coarse.getKind(), fine);
  if (fine == TimeUnit::Generic || isExact(coarse, target))
    return {};
  if (isTime(coarse, TimeKind::Timedelta) && isOfCalendar(unit) &&
      !isOfCalendar(fine))
    return "a month or a year has no fixed number of days";
  return ("one '" + stringifyTimeUnit(unit) + "' is more '" +
          stringifyTimeUnit(fine) + "' than 64 bits hold")
      .str();
}
