// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages that a kernel goes through, in one table. The values of `--emit`,
// the files of `--dump-stages`, the contracts and the documentation follow it.

#ifndef PYK_PIPELINES_STAGES_H
#define PYK_PIPELINES_STAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace pyk {

/// A form of a kernel that can be printed, in the order in which it is reached.
enum class Stage { Py, Pyk, GPU, NVVM, LLVM, PTX, Reference };

/// What a stage is called and what it is.
struct StageInfo {
  Stage stage;
  /// As written after `--emit=`.
  llvm::StringLiteral name;
  /// One line for help texts and the documentation.
  llvm::StringLiteral purpose;
};

/// All stages, in the order of the enumeration.
llvm::ArrayRef<StageInfo> getStages();

/// Name of `stage`.
llvm::StringRef stringifyStage(Stage stage);

/// The stage called `name`; none if there is no such stage.
std::optional<Stage> symbolizeStage(llvm::StringRef name);

} // namespace pyk

#endif // PYK_PIPELINES_STAGES_H
