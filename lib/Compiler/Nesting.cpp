// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts brackets outside strings and comments, before anything recurses.

#include "Nesting.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

using namespace mlir;
using namespace pyk;

/// Deepest nesting of MLIR text that is read at all, since the parser and much
/// that follows recurse. The deepest Python program stays well below.
static constexpr unsigned kMaxTextDepth = 1000;

/// Where brackets of `text`, which is MLIR, are nested deeper than is read;
/// npos if nowhere.
static size_t findTooDeep(StringRef text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    StringRef rest = text.drop_front(i);
    if (rest.starts_with("//")) {
      i += rest.find('\n') - 1;
      if (rest.find('\n') == StringRef::npos)
        break;
    } else if (rest.front() == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
    } else if (rest.starts_with("->") || rest.starts_with(">=")) {
      ++i;
    } else if (StringRef("([{<").contains(rest.front())) {
      if (++depth > kMaxTextDepth)
        return i;
    } else if (StringRef(")]}>").contains(rest.front())) {
      depth -= depth != 0;
    }
  }
  return StringRef::npos;
}

LogicalResult pyk::checkNesting(StringRef text, StringRef name,
                                MLIRContext *context) {
  size_t place = findTooDeep(text);
  if (place == StringRef::npos)
    return success();
  StringRef before = text.take_front(place);
  unsigned line = before.count('\n') + 1;
  unsigned column = before.size() - (before.rfind('\n') + 1) + 1;
  return emitError(FileLineColLoc::get(context, name, line, column))
         << "expects at most " << kMaxTextDepth
         << " levels of nesting but got more";
}
