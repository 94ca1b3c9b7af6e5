// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that loops step by products of 32 bits.

#ifndef PYK_LIB_TARGET_PTX_STEPPOINTERS_H
#define PYK_LIB_TARGET_PTX_STEPPOINTERS_H

#include "llvm/IR/PassManager.h"

namespace pyk {

/// Gives accesses that lie whole steps apart one pointer, which the loop steps
/// from one to the next by `mul.wide`. For the end of optimization: nothing in
/// LLVM sees through the products.
struct StepPointersPass : llvm::PassInfoMixin<StepPointersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_STEPPOINTERS_H
