// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that access memory with a hint for caches. Stage nvvm calls them;
// each target puts in their place what it has. Such a function takes an address
// and, to write, an integer; one that reads returns an integer.

#ifndef PYK_SUPPORT_HINTEDACCESS_H
#define PYK_SUPPORT_HINTEDACCESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>

namespace pyk {

/// What the name of such a function says.
struct HintedAccess {
  bool isLoad;
  bool isVolatile;
  /// PTX's name, such as "cs".
  llvm::StringRef hint;
};

/// Such as "pyk.load.cs.p1.b32", for an address space and a width.
inline std::string getName(const HintedAccess &access, unsigned addressSpace,
                           unsigned bits) {
  return (llvm::Twine(access.isLoad ? "pyk.load." : "pyk.store.") +
          (access.isVolatile ? "volatile." : "") + access.hint + ".p" +
          llvm::Twine(addressSpace) + ".b" + llvm::Twine(bits))
      .str();
}

/// None if `name` is that of another function.
inline std::optional<HintedAccess> parseHintedAccess(llvm::StringRef name) {
  HintedAccess access;
  access.isLoad = name.consume_front("pyk.load.");
  if (!access.isLoad && !name.consume_front("pyk.store."))
    return std::nullopt;
  access.isVolatile = name.consume_front("volatile.");
  access.hint = name.split('.').first;
  return access;
}

} // namespace pyk

#endif // PYK_SUPPORT_HINTEDACCESS_H
