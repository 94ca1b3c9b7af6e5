// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what is peculiar to times.

#include "Inference.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The type to which times of all `types` convert; null if there is none.
static Type getCommon(ArrayRef<Type> types) {
  Type common = types.front();
  for (Type type : types) {
    auto a = dyn_cast_if_present<TimeType>(common),
         b = dyn_cast<TimeType>(type);
    common = a && b ? getCommonTime(a, b) : TimeType();
  }
  return common;
}

Type py::getTimeResult(intrinsics::TypingRule rule, ArrayRef<Type> arguments) {
  using intrinsics::TypingRule;
  // A tuple stands for its items.
  if (rule == TypingRule::MinMax && arguments.size() == 1)
    if (auto tuple = dyn_cast<TupleType>(arguments[0]))
      arguments = tuple.getTypes();
  auto *found = llvm::find_if(arguments, llvm::IsaPred<TimeType>);
  if (found == arguments.end())
    return {};
  auto first = cast<TimeType>(*found);
  MLIRContext *context = first.getContext();
  bool isOne = arguments.size() == 1;
  bool isSpan = first.getKind() == TimeKind::Timedelta;
  switch (rule) {
  case TypingRule::Abs:
    return isOne && isSpan ? first : Type();
  case TypingRule::ToInt:
    return isOne && (isSpan || first.getUnit() == TimeUnit::Nanosecond)
               ? first.getStored()
               : Type();
  case TypingRule::IsNat:
    return isOne ? IntegerType::get(context, 1) : Type();
  case TypingRule::MinMax:
    return getCommon(arguments);
  case TypingRule::Common:
  case TypingRule::CommonNumber: {
    Type common = getCommon(arguments);
    return common && !isOne
               ? TupleType::get(context,
                                SmallVector<Type>(arguments.size(), common))
               : common;
  }
  case TypingRule::Like: {
    if (arguments.size() != 2)
      return {};
    Type from = arguments[0], to = arguments[1];
    auto a = dyn_cast<TimeType>(from), b = dyn_cast<TimeType>(to);
    return isCount(from, to) || (a && b && isExact(a, b)) ? to : Type();
  }
  default:
    return {};
  }
}

LogicalResult FunctionInference::checkTime(Location loc, Type from, Type to) {
  auto a = dyn_cast<TimeType>(from), b = dyn_cast<TimeType>(to);
  if (a && b && isExact(a, b))
    return success();
  InFlightDiagnostic error = emitTypingError(loc);
  error << "cannot convert " << describe(from) << " to " << describe(to);
  if (!b) {
    error.attachNote() << kCountOfTime;
  } else if (!a) {
    error.attachNote() << "an integer times np.timedelta64(1, 'D') is a "
                          "timedelta64[D]";
  } else if (a.getKind() == b.getKind()) {
    std::string reason = explainUnits(a, b);
    if (reason.empty() && a.getKind() == TimeKind::Timedelta)
      reason = "the other unit is coarser; '//' by one of it, such as "
               "np.timedelta64(1, 'D'), counts whole ones";
    else if (reason.empty())
      reason = "the other unit is coarser, so that the date would be cut off";
    error.attachNote() << reason;
  }
  return error;
}
