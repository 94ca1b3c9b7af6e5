// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: calls of what threads of a warp or of the grid do
// together, as far as overloads do not say it.

#include "IntrinsicTyping.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Checks the width of a warp's segments, the argument at `position`.
static LogicalResult expectWidth(IntrinsicCall &call, size_t position) {
  constexpr unsigned most = 32;
  auto known = dyn_cast_if_present<IntAttr>(call.arguments[position].constant);
  if (!known)
    return call.refuse(position, "a constant int as width");
  const APInt &width = known.getValue().getValue();
  if (width.isPowerOf2() && width.ule(most))
    return success();
  SmallString<24> given;
  width.toString(given, 10, known.getValue().getType().isSignedInteger());
  return emitTypingError(call.locate(position))
         << "'" << call.name
         << "' expects a width that is a power of 2 from 1 to " << most
         << " but got " << given;
}

/// A mask, a number of any type, and which lane's; the width may be left out.
static FailureOr<Fact> inferExchange(IntrinsicCall &call) {
  constexpr size_t mask = 0, value = 1, offset = 2, width = 3;
  if (failed(call.expectCount(call.row.least, call.row.most)) ||
      failed(call.orderArguments()) || failed(call.expectNumbers()))
    return failure();
  for (size_t position : {mask, offset})
    if (isComplex(call.types[position]))
      return call.refuse(position, "a real number");
  if (call.types.size() > width && failed(expectWidth(call, width)))
    return failure();
  SmallVector<Type> computes(call.types.size(), call.getInteger(32));
  computes[value] = call.types[value];
  return call.compute(computes, call.types[value]);
}

/// The group is no value at run time: its methods are known by its name.
static FailureOr<Fact> inferGridGroup(IntrinsicCall &call) {
  return makeConstant(IntrinsicAttr::get(call.context, "grid_group"));
}

void py::addWarpRules(TypingRules &rules) {
  rules.add(intrinsics::TypingRule::GridGroup, inferGridGroup);
  rules.add(intrinsics::TypingRule::Exchange, inferExchange);
}
