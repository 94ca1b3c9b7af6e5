// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages that a kernel goes through, as a tree: what all targets share is
// its trunk, and each back end adds its own below a stage where it parts.

#ifndef PYK_PIPELINES_STAGES_H
#define PYK_PIPELINES_STAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace pyk {

/// A form of a kernel that can be printed. There is one object for each stage,
/// which is what the address of a stage stands for.
struct Stage {
  /// As written after `--emit=`.
  llvm::StringLiteral name;
  /// One line for help texts and the documentation.
  llvm::StringLiteral purpose;
  /// The stage that it is made from; null for the first.
  const Stage *parent;
  /// How a file with its text ends, without the dot.
  llvm::StringLiteral extension;

  /// Whether its text is MLIR, so that a pipeline leads to it.
  bool isMLIR() const { return extension == "mlir"; }
  /// Whether `other` is this stage or is made from it.
  bool isAncestor(const Stage &other) const;
  /// Whether `other` is made from this stage, and is another.
  bool isProperAncestor(const Stage &other) const;
  /// The stages from the first to this one.
  llvm::SmallVector<const Stage *> getPath() const;

  /// The trunk.
  static const Stage Py, Pyk, GPU, NVVM, LLVM;
};

/// The stages of the trunk, each before what is made from it.
llvm::ArrayRef<const Stage *> getCommonStages();

} // namespace pyk

#endif // PYK_PIPELINES_STAGES_H
