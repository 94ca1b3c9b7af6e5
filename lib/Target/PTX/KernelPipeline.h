// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of LLVM that kernels go through.

#ifndef PYK_LIB_TARGET_PTX_KERNELPIPELINE_H
#define PYK_LIB_TARGET_PTX_KERNELPIPELINE_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class OptimizationLevel;
class PassBuilder;
} // namespace llvm

namespace pyk {

/// LLVM's pipeline for `level`, 2 or 3, without what finds nothing in kernels.
llvm::ModulePassManager buildKernelPipeline(llvm::PassBuilder &builder,
                                            llvm::OptimizationLevel level);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_KERNELPIPELINE_H
