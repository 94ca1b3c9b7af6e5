// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often LLVM unrolls which loops.

#ifndef PYK_LIB_TARGET_PTX_PLANUNROLLING_H
#define PYK_LIB_TARGET_PTX_PLANUNROLLING_H

#include "llvm/IR/PassManager.h"

namespace pyk {

/// Tells LLVM's unrolling how many iterations of a loop become one, where only
/// the launch knows how many there are, and ptxas to leave these loops alone.
/// For a place just before vectorization and unrolling.
struct PlanUnrollingPass : llvm::PassInfoMixin<PlanUnrollingPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_PLANUNROLLING_H
