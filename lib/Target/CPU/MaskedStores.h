// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masked stores of integers that cannot become wider than their elements
// (rationale/memory-safety.md). Private to lib/Target/CPU.

#ifndef PYK_LIB_TARGET_CPU_MASKEDSTORES_H
#define PYK_LIB_TARGET_CPU_MASKEDSTORES_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Hides how the stored value was computed from every masked store of integers
/// in `module`, so that instruction selection cannot merge a truncation into
/// the store. Must run after all other passes over the IR, which might move the
/// value or fold the mask to a constant.
void separateTruncations(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_MASKEDSTORES_H
