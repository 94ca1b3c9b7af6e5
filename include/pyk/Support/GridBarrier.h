// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function at which threads wait for the grid. Stage nvvm calls it; each
// target puts in its place what it has.

#ifndef PYK_SUPPORT_GRIDBARRIER_H
#define PYK_SUPPORT_GRIDBARRIER_H

#include "llvm/ADT/StringRef.h"

namespace pyk {

/// It takes nothing and returns nothing.
inline constexpr llvm::StringLiteral kGridBarrierName = "pyk.barrier.grid";

} // namespace pyk

#endif // PYK_SUPPORT_GRIDBARRIER_H
