// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How to compile, for pipelines, back ends and the compiler alike.

#ifndef PYK_PIPELINES_COMPILEOPTIONS_H
#define PYK_PIPELINES_COMPILEOPTIONS_H

#include "pyk/Pipelines/Stages.h"
#include <string>

namespace pyk {

/// How to compile.
struct CompileOptions {
  /// Name of the back end whose code is wanted; empty if no code is, but only
  /// what `emit` and `dumpStages` ask for.
  std::string target = "cpu";
  /// The kernel, where the source has several; empty otherwise.
  std::string kernel;
  /// Compute capability, for PTX.
  std::string chip = "sm_80";
  /// False: a * b + c is not contracted. Counts in stages up to py only.
  bool fma = true;
  /// An index that is out of bounds, and the like, ends its thread with an
  /// error. Counts as `fma` does.
  bool checkBounds = false;
  /// What the kernel raises is told to the host, and so is a division by zero.
  /// Counts as `fma` does.
  bool reportErrors = false;
  /// A stage whose text is wanted, whatever the target; null if none is.
  const Stage *emit = nullptr;
  /// Folder that receives one numbered file for each stage; empty for none.
  std::string dumpStages;
};

} // namespace pyk

#endif // PYK_PIPELINES_COMPILEOPTIONS_H
