// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of shifts that do not fit in the 32 bits that PTX reads of them.

#ifndef PYK_LIB_TARGET_PTX_SHIFTCOUNTS_H
#define PYK_LIB_TARGET_PTX_SHIFTCOUNTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Clamps each 64-bit count of a left or logical right shift in `module` to
/// the width of the shift, unless the count is known to fit in 32 bits. Runs
/// after optimization, which would remove the clamp.
void clampShiftCounts(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_SHIFTCOUNTS_H
