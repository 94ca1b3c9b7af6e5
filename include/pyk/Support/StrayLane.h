// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that vectors call for a thread that is not in the mask of lanes
// that it gives.

#ifndef PYK_SUPPORT_STRAYLANE_H
#define PYK_SUPPORT_STRAYLANE_H

#include "llvm/ADT/StringRef.h"

namespace pyk {

/// It takes the linear index of the thread in its block, and the mask, as i32,
/// and does not return.
inline constexpr llvm::StringLiteral kStrayLaneName = "pyk.stray_lane";

} // namespace pyk

#endif // PYK_SUPPORT_STRAYLANE_H
