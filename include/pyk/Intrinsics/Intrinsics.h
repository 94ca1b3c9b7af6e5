// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of Python callables and attributes that the compiler knows;
// Intrinsics.td is its source.

#ifndef PYK_INTRINSICS_INTRINSICS_H
#define PYK_INTRINSICS_INTRINSICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pyk {
namespace intrinsics {
#define GET_TypingRules_DECL
#include "pyk/Intrinsics/Intrinsics.inc"
} // namespace intrinsics

/// One row of Intrinsics.td.
struct Intrinsic {
  /// Canonical Python name, such as `math.sqrt`.
  llvm::StringLiteral name;
  intrinsics::TypingRules typing;
  /// The op that computes it, or what the typing rule needs to know.
  llvm::StringLiteral lowering;
  /// A phrase for the reference page.
  llvm::StringLiteral doc;
};

/// The row of `name`, or null. The table lives as long as the program.
const Intrinsic *lookupIntrinsic(llvm::StringRef name);

/// All rows, sorted by name.
llvm::ArrayRef<Intrinsic> getIntrinsics();

} // namespace pyk

#endif // PYK_INTRINSICS_INTRINSICS_H
