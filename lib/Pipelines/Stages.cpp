// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of stages.

#include "pyk/Pipelines/Stages.h"
#include "llvm/ADT/STLExtras.h"

using namespace pyk;

static constexpr StageInfo kStages[] = {
    {Stage::Py, "py", "Python operations on values without types"},
    {Stage::Pyk, "pyk", "typed kernels in SSA form, for no target yet"},
    {Stage::GPU, "gpu",
     "kernels with plain parameters, structured, for any "
     "GPU or CPU"},
    {Stage::NVVM, "nvvm", "the LLVM and NVVM dialects of MLIR"},
    {Stage::LLVM, "llvm", "LLVM IR, before optimization"},
    {Stage::PTX, "ptx", "assembly for NVIDIA GPUs"},
    {Stage::Reference, "reference", "LLVM IR bound to the host's runtime"},
};

llvm::ArrayRef<StageInfo> pyk::getStages() { return kStages; }

llvm::StringRef pyk::stringifyStage(Stage stage) {
  return kStages[static_cast<size_t>(stage)].name;
}

std::optional<Stage> pyk::symbolizeStage(llvm::StringRef name) {
  for (const StageInfo &info : kStages)
    if (info.name == name)
      return info.stage;
  return std::nullopt;
}
