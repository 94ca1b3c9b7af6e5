// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of 32 bits that count from the end where they are negative.

#ifndef PYK_LIB_TARGET_PTX_NARROWINDICES_H
#define PYK_LIB_TARGET_PTX_NARROWINDICES_H

#include "llvm/IR/PassManager.h"

namespace pyk {

/// Adds the extent to an index of 32 bits in 32 bits where it is negative, and
/// to nothing where it is not. For the end of optimization, which prefers to
/// select what is added.
struct NarrowIndicesPass : llvm::PassInfoMixin<NarrowIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_NARROWINDICES_H
