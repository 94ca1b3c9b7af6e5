// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages that belong to no target.

#include "pyk/Pipelines/Stages.h"
#include "llvm/ADT/STLExtras.h"

using namespace pyk;

const Stage Stage::Py = {"py", "Python operations on values without types",
                         nullptr, "mlir"};
const Stage Stage::Pyk = {"pyk", "typed kernels in SSA form, for no target yet",
                          &Stage::Py, "mlir"};
const Stage Stage::GPU = {"gpu",
                          "kernels with plain parameters, structured, for any "
                          "GPU or CPU",
                          &Stage::Pyk, "mlir"};
const Stage Stage::NVVM = {"nvvm", "the LLVM and NVVM dialects of MLIR",
                           &Stage::GPU, "mlir"};
const Stage Stage::LLVM = {"llvm", "LLVM IR, before optimization", &Stage::NVVM,
                           "ll"};

bool Stage::isAncestor(const Stage &other) const {
  return this == &other || isProperAncestor(other);
}

bool Stage::isProperAncestor(const Stage &other) const {
  return other.parent && isAncestor(*other.parent);
}

llvm::SmallVector<const Stage *> Stage::getPath() const {
  llvm::SmallVector<const Stage *> path;
  for (const Stage *stage = this; stage; stage = stage->parent)
    path.push_back(stage);
  std::reverse(path.begin(), path.end());
  return path;
}

llvm::ArrayRef<const Stage *> pyk::getCommonStages() {
  static const Stage *const stages[] = {&Stage::Py, &Stage::Pyk, &Stage::GPU,
                                        &Stage::NVVM, &Stage::LLVM};
  return stages;
}
