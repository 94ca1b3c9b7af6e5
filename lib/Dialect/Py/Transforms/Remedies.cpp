// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that are meant by names that are not there, and remedies for text.

#include "Remedies.h"
#include "pyk/Dialect/Py/IR/Chars.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

StringRef py::findNearest(StringRef name, ArrayRef<StringRef> candidates) {
  StringRef best;
  // A third of the letters may be wrong, but not all.
  // Nor do those of the module count, which are right.
  unsigned length = name.size() - (name.rfind('.') + 1);
  unsigned distance =
      std::min<unsigned>(std::max<unsigned>(1, (length + 2) / 3) + 1, length);
  for (StringRef candidate : candidates)
    if (unsigned own = name.edit_distance(candidate);
        own != 0 && own < distance) {
      best = candidate;
      distance = own;
    }
  return best;
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
