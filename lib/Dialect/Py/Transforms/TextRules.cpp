// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: rules for intrinsics on text.

#include "IntrinsicTyping.h"
#include "Remedies.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

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

void py::addTextRules(TypingRules &rules) {
  using intrinsics::TypingRule;
  rules.add(TypingRule::Ord, inferOrd);
  rules.add(TypingRule::ToText, inferToText);
  rules.add(TypingRule::Print, inferPrint);
  rules.add(TypingRule::TextSearch, inferTextSearch);
  rules.add(TypingRule::TextTest, inferTextTest);
}
