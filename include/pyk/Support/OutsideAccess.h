// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that threads call which would have left the memory of an array.

#ifndef PYK_SUPPORT_OUTSIDEACCESS_H
#define PYK_SUPPORT_OUTSIDEACCESS_H

#include "llvm/ADT/StringRef.h"

namespace pyk {

/// It takes the text of pyk_rt_outside, the linear index of the thread in its
/// block as i32, and three indices as i64.
inline constexpr llvm::StringLiteral kOutsideName = "pyk.outside";

/// The same for several threads. It takes the text, the bytes of a pyk_rt_lanes
/// as i64, and the address of its values.
inline constexpr llvm::StringLiteral kOutsideLanesName = "pyk.outside_lanes";

} // namespace pyk

#endif // PYK_SUPPORT_OUTSIDEACCESS_H
