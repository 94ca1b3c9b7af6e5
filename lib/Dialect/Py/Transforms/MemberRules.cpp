// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of attributes and methods of numbers, ranges, tuples and dtypes.

#include "AttributeTyping.h"
#include "IntrinsicTyping.h"
#include "OperatorTyping.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static FailureOr<Fact> inferNumberPart(AttributeRead &read) {
  return makeTyped(getPartType(read.object.type));
}

static FailureOr<Fact> inferNumberItself(IntrinsicCall &call) {
  return makeTyped(call.types[0]);
}

static FailureOr<Fact> inferNumberView(IntrinsicCall &call) {
  Type number = call.types[0], result = getNamedDtype(call.types[1]);
  if (result && isReal(result) && !isBool(result) &&
      result.getIntOrFloatBitWidth() == number.getIntOrFloatBitWidth())
    return makeTyped(result);
  return call.refuse(1,
                     "a dtype of numbers of the size of " + describe(number));
}

//===----------------------------------------------------------------------===//
// Ranges, tuples, dtypes
//===----------------------------------------------------------------------===//

static FailureOr<Fact> inferRangeBound(AttributeRead &read) {
  return makeTyped(cast<RangeType>(read.object.type).getElementType());
}

static FailureOr<Fact> inferItemIndex(IntrinsicCall &call) {
  for (Type item : cast<TupleType>(call.types[0]).getTypes())
    if (!canBeEqual(item, call.types[1], call.inference.getTyping()))
      return emitTypingError(call.op.getLoc())
             << "cannot compare " << describe(call.types[1]) << " with "
             << describe(item) << ", an item of the tuple";
  return makeTyped(call.getInteger(64));
}

/// The class of the numbers of a dtype makes such numbers, as it does.
static FailureOr<Fact> inferDtypeItself(AttributeRead &read) {
  return read.object;
}

static FailureOr<Fact> inferDtypeText(AttributeRead &read) {
  Type dtype = getDtypeObject(read.object.type);
  if (read.getNumber("name") == 0)
    return makeConstant(
        StringAttr::get(read.context, std::string(1, getDtypeKind(dtype))));
  if (isNumberOrTime(dtype))
    return makeConstant(StringAttr::get(read.context, describe(dtype)));
  return emitUnknownAttribute(read.op, read.object.type);
}

void py::addMemberRules(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::NumberPart, inferNumberPart);
  rules.add(TypingRule::NumberItself, inferNumberItself);
  rules.add(TypingRule::NumberView, inferNumberView);
  rules.add(TypingRule::RangeBound, inferRangeBound);
  rules.add(TypingRule::ItemIndex, inferItemIndex);
  rules.add(TypingRule::DtypeItself, inferDtypeItself);
  rules.add(TypingRule::DtypeText, inferDtypeText);
}
