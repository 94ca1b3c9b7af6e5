// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: rules for intrinsics on times.

#include "IntrinsicTyping.h"
#include "pyk/Dialect/Py/IR/Times.h"

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
