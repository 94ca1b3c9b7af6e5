// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a kernel which runs several blocks calls where it goes from
// one to the next.

#ifndef PYK_SUPPORT_ENTERBLOCK_H
#define PYK_SUPPORT_ENTERBLOCK_H

#include "llvm/ADT/StringRef.h"

namespace pyk {

/// It takes the index of the block along x, as i32.
inline constexpr llvm::StringLiteral kEnterBlockName = "pyk.enter_block";

} // namespace pyk

#endif // PYK_SUPPORT_ENTERBLOCK_H
