// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions that PTX does in one instruction and LLVM in seven.

#ifndef PYK_LIB_TARGET_PTX_SATURATINGCONVERSIONS_H
#define PYK_LIB_TARGET_PTX_SATURATINGCONVERSIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Replaces saturating conversions to integers of 32 and 64 bits in `module` by
/// the NVVM intrinsics that do the same.
void useSaturatingInstructions(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_SATURATINGCONVERSIONS_H
