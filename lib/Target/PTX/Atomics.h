// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations that LLVM 22 has an instruction for, but prints without
// their order and their scope.

#ifndef PYK_LIB_TARGET_PTX_ATOMICS_H
#define PYK_LIB_TARGET_PTX_ATOMICS_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Makes the order of operations in `module` fences, and gives those that are
/// not for the threads of the device PTX of their own. `hasBFloats`: whether
/// the chip adds bfloats.
void orderAtomics(llvm::Module &module, bool hasBFloats);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_ATOMICS_H
