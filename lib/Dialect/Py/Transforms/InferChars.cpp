// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what is peculiar to text.

#include "IntrinsicTyping.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

bool py::canTextBeEqual(Type a, Type b) {
  if (!isText(a))
    std::swap(a, b);
  return isText(b) || (getCharsKind(a) == CharsKind::Str &&
                       (isNumberOrTime(b) || isa<EnumType>(b) || getTuple(b)));
}

void py::noteTexts(InFlightDiagnostic &error, Type a, Type b) {
  if (!isText(a) || !isText(b))
    return;
  if (getCharsKind(a) != getCharsKind(b))
    error.attachNote() << "write both as str or both as bytes";
  else if (!unifyTexts(a, b))
    error.attachNote() << "text that ends in NUL, or has more than "
                       << kMaxTextLength
                       << " characters, cannot differ by path";
}

FailureOr<Fact> FunctionInference::getCharacter(SubscriptOp op, Type text) {
  Fact index = get(op.getIndex());
  Location loc = op.getIndex().getLoc();
  if (!isInteger(index.type)) {
    InFlightDiagnostic error = emitTypingError(loc);
    error << "expects an integer as index of " << describe(text) << " but got "
          << describe(index.type);
    if (isa<SliceType>(index.type))
      error.attachNote() << "compare its characters one by one";
    return error;
  }
  auto chars = dyn_cast<CharsType>(text);
  bool isStr = getCharsKind(text) == CharsKind::Str;
  SmallVector<uint32_t> codes;
  if (!chars)
    codes = getCodes(text);
  int64_t length = chars ? chars.getLength() : codes.size();
  Attribute known =
      index.constant ? index.constant : branches.getConstant(op.getIndex());
  auto position = dyn_cast_if_present<IntAttr>(known);
  int64_t value = position ? position.getValue().getValue().getSExtValue() : 0;
  if (length == 0 || value < -length || value >= length)
    return emitTypingError(loc) << "index " << value << " is out of range for "
                                << describe(text) << " of length " << length;
  if (isStr)
    return makeTyped(CharsType::get(context, CharsKind::Str, 1));
  // Numba's type of the items of bytes is that of an array's.
  return makeTyped(
      IntegerType::get(context, chars ? 32 : 8, IntegerType::Unsigned));
}

LogicalResult FunctionInference::checkText(Location loc, Type from, Type to) {
  if (getCharsKind(from) == getCharsKind(to))
    return success();
  InFlightDiagnostic error = emitTypingError(loc);
  error << "cannot convert " << describe(from) << " to " << describe(to);
  if (isText(from) && isText(to))
    error.attachNote() << "S holds bytes, such as b\"text\", and U holds str, "
                          "such as \"text\"";
  return error;
}

static FailureOr<Fact> inferOrd(IntrinsicCall &call) {
  Type text = call.types[0];
  if (!isText(text))
    return call.refuse(0, "a character");
  size_t length = isKnownText(text) ? getCodes(text).size() : 1;
  if (length != 1)
    return call.refuse(0, "a character") << " of length " << length;
  return makeTyped(call.getInteger(64));
}

/// `str` or `bytes`, as the row says.
static FailureOr<Fact> inferToText(IntrinsicCall &call) {
  bool isBytes =
      call.row.getSetting<IntegerAttr>("is_bytes", call.context).getInt() != 0;
  if (getCharsKind(call.types[0]) ==
      (isBytes ? CharsKind::Bytes : CharsKind::Str))
    return makeTyped(call.types[0]);
  InFlightDiagnostic error = call.refuse(0, call.name);
  error.attachNote() << kNoTextMade;
  return error;
}

/// Where, or whether, one text is in another.
static FailureOr<Fact> inferTextSearch(IntrinsicCall &call) {
  Type text = call.types[0], part = call.types[1];
  if (getCharsKind(part) != getCharsKind(text))
    return call.refuse(1, stringifyCharsKind(*getCharsKind(text)).str() +
                              " to look for");
  if (!canSearch(part, text)) {
    InFlightDiagnostic error = emitTypingError(call.op.getLoc());
    error << "'" << call.name << "' cannot look for " << describe(part)
          << " in " << describe(text);
    error.attachNote() << kSearchTooLong;
    return error;
  }
  return makeTyped(call.getInteger(64));
}

static FailureOr<Fact> inferTextTest(IntrinsicCall &call) {
  return makeTyped(IntegerType::get(call.context, 1));
}

void py::addTextTyping(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::Ord, inferOrd);
  rules.add(TypingRule::ToText, inferToText);
  rules.add(TypingRule::Print, inferPrint);
  rules.add(TypingRule::TextSearch, inferTextSearch);
  rules.add(TypingRule::TextTest, inferTextTest);
}
