// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pipeline for each stage of MLIR. Each takes a module in the stage before
// and ends with a check of its own stage's contract.

#ifndef PYK_PIPELINES_PIPELINES_H
#define PYK_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include "pyk/Pipelines/CompileOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace pyk {

/// Options of `pyk-lower-to-pyk`.
struct LowerToPykOptions : public mlir::PassPipelineOptions<LowerToPykOptions> {
// A declaration has no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  Option<type> member{*this, flag, llvm::cl::desc(help), llvm::cl::init(value)};
#define PYK_LAUNCH_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"
  // NOLINTEND(bugprone-macro-parentheses)
};

/// From stage py to stage pyk: `pyk-lower-to-pyk`.
void buildLowerToPykPipeline(mlir::OpPassManager &pm,
                             const LowerToPykOptions &options);

/// From stage pyk to stage gpu: `pyk-lower-to-gpu`.
void buildLowerToGPUPipeline(mlir::OpPassManager &pm);

/// From stage gpu to stage nvvm: `pyk-lower-to-nvvm`.
void buildLowerToNVVMPipeline(mlir::OpPassManager &pm);

/// Adds the passes to `stage`, one of the trunk's that is MLIR, from the stage
/// before.
void buildLoweringPipeline(const Stage &stage, mlir::OpPassManager &pm,
                           const CompileOptions &options);

/// The flag of pyk-opt for the pipeline to `stage`, with the options that it
/// has, as one word.
std::string getLoweringFlag(const Stage &stage, const CompileOptions &options);

/// Gives each pipeline its flag.
void registerPipelines();

} // namespace pyk

#endif // PYK_PIPELINES_PIPELINES_H
