// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks on the speed of kernels, and who listens to them. Passes make them by
// mlir/IR/Remarks.h. Their category is the name of the target that they are
// about, or kAnyTarget.

#ifndef PYK_SUPPORT_REMARKS_H
#define PYK_SUPPORT_REMARKS_H

#include "mlir/IR/Remarks.h"
#include "pyk/Support/Diagnostics.h"

namespace pyk {

/// The category of remarks that hold for all targets, and those of remarks on
/// GPUs and the CPU: the names of the targets.
inline constexpr llvm::StringLiteral kAnyTarget = "pyk", kGpuRemarks = "cuda",
                                     kCpuRemarks = "cpu";

/// Whether somebody listens. What is found out for remarks alone should ask
/// first.
inline bool isExplained(mlir::MLIRContext *context) {
  return context->getRemarkEngine() != nullptr;
}

/// A remark called `name` on `kernel`, as compiled for `target`.
inline mlir::remark::RemarkOpts
remarkOn(llvm::StringRef kernel, llvm::StringRef name, llvm::StringRef target) {
  return mlir::remark::RemarkOpts::name(name).category(target).function(kernel);
}

/// Listens in a context while it lives, unless somebody else does.
class RemarkCollector {
public:
  /// Takes remarks of the category `target`, which may be empty, and those of
  /// kAnyTarget. `sources` has the lines that they quote.
  RemarkCollector(mlir::MLIRContext *context, llvm::StringRef target,
                  const SourceText &sources);
  ~RemarkCollector();
  RemarkCollector(const RemarkCollector &) = delete;
  RemarkCollector &operator=(const RemarkCollector &) = delete;

  /// The remarks so far as users see them, in the order of lines: place, what
  /// is the matter, why, and what might help; then the line, with a caret. What
  /// is said of several places of a line is said of the first.
  std::vector<std::string> getTexts() const;

private:
  struct Collected {
    std::string file;
    unsigned line, column;
    std::string sentence, text;
  };
  class Streamer;

  mlir::MLIRContext *context;
  const SourceText &sources;
  bool isListening = false;
  std::vector<Collected> remarks;
};

} // namespace pyk

#endif // PYK_SUPPORT_REMARKS_H
