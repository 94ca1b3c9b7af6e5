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

/// `str` or `bytes`, as the name says.
static FailureOr<Fact> inferToText(IntrinsicCall &call) {
  std::optional<CharsKind> kind = getCharsKind(call.types[0]);
  if (kind && stringifyCharsKind(*kind) == call.name)
    return makeTyped(call.types[0]);
  InFlightDiagnostic error = call.refuse(0, call.name);
  error.attachNote() << kNoTextMade;
  return error;
}

void py::addTextTyping(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::Ord, inferOrd);
  rules.add(TypingRule::ToText, inferToText);
  rules.add(TypingRule::Print, inferPrint);
}

bool py::isTextMethod(Type type, StringRef name) {
  return isText(type) &&
         llvm::is_contained({"find", "index", "isascii", "rfind", "rindex"},
                            name);
}

FailureOr<Fact>
FunctionInference::evaluateTextMethod(CallOp op, MethodType method,
                                      ArrayRef<Fact> arguments) {
  StringRef name = method.getName();
  Type text = method.getObject();
  bool isSearch = name != "isascii";
  if (arguments.size() != size_t(isSearch))
    return emitTypingError(op.getLoc())
           << "'" << name << "' takes "
           << (isSearch ? "1 argument but " : "0 arguments but ")
           << arguments.size()
           << (arguments.size() == 1 ? " was given" : " were given");
  if (!isSearch)
    return makeTyped(IntegerType::get(context, 1));
  if (getCharsKind(arguments[0].type) != getCharsKind(text))
    return emitTypingError(op.getInputs()[0].getLoc())
           << "'" << name << "' expects "
           << stringifyCharsKind(*getCharsKind(text)) << " to look for but got "
           << describe(arguments[0].type);
  if (!canSearch(arguments[0].type, text)) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "'" << name << "' cannot look for " << describe(arguments[0].type)
          << " in " << describe(text);
    error.attachNote() << kSearchTooLong;
    return error;
  }
  return makeTyped(IntegerType::get(context, 64, IntegerType::Signed));
}
