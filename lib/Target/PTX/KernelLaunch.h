// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How threads of a GPU launch kernels.

#ifndef PYK_LIB_TARGET_PTX_KERNELLAUNCH_H
#define PYK_LIB_TARGET_PTX_KERNELLAUNCH_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Replaces the functions by which threads launch kernels and make streams by
/// calls of CUDA's device runtime, a library that whoever loads the PTX links.
void bindKernelLaunches(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_KERNELLAUNCH_H
