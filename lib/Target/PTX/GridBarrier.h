// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How threads of a GPU wait for the grid.

#ifndef PYK_LIB_TARGET_PTX_GRIDBARRIER_H
#define PYK_LIB_TARGET_PTX_GRIDBARRIER_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Defines the function at which threads wait for the grid, if `module` calls
/// it.
void defineGridBarrier(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_GRIDBARRIER_H
