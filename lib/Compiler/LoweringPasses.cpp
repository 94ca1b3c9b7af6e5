// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass manager for each pipeline and all values of its options that were
// ever asked for, of which there are few.

#include "LoweringPasses.h"
#include "pyk/Pipelines/Pipelines.h"
#include "pyk/Target/Backend.h"

using namespace mlir;
using namespace pyk;

PassManager &LoweringPasses::get(const Stage &stage,
                                 const CompileOptions &options) {
  const TargetBackend *owner = getOwner(stage);
  std::string key = getLoweringFlag(stage, options);
  if (owner)
    key += " " + std::to_string(hashOptions(options));
  std::unique_ptr<PassManager> &manager = managers[key];
  if (!manager) {
    manager = std::make_unique<PassManager>(context);
    // The contract at the end of each stage checks what matters; verifying
    // after each pass would double the time of a small kernel.
    manager->enableVerifier(false);
    if (owner)
      owner->buildPipeline(stage, *manager, options);
    else
      buildLoweringPipeline(stage, *manager, options);
  }
  return *manager;
}
