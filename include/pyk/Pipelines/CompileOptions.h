// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How to compile, for pipelines, back ends and the compiler alike. What code
// depends on is defined in CompileOptions.td.

#ifndef PYK_PIPELINES_COMPILEOPTIONS_H
#define PYK_PIPELINES_COMPILEOPTIONS_H

#include "pyk/Pipelines/Stages.h"
#include "llvm/Support/Error.h"
#include <string>

namespace pyk {

/// How to compile.
struct CompileOptions {
  /// Name of the back end whose code is wanted; empty if no code is, but only
  /// what `emit` and `dumpStages` ask for.
  std::string target = "cpu";
  /// The kernel, where the source has several; empty otherwise.
  std::string kernel;

  // Those of class LoweringOption but `debugInfo` count in stages up to py
  // only, those of class LaunchOption up to pyk.
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  type member = value;
#define PYK_LAUNCH_OPTION PYK_LOWERING_OPTION
#define PYK_BACKEND_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"

  /// A stage whose text is wanted, whatever the target; null if none is.
  const Stage *emit = nullptr;
  /// Folder that receives one numbered file for each stage; empty for none.
  std::string dumpStages;
  /// Whether remarks on the speed of kernels are wanted.
  bool explain = false;
};

/// What machine code says of the program: nothing, its lines, or what debuggers
/// want.
enum class DebugInfo { None, Lines, Full };

/// The value of the option `debug-info`.
DebugInfo getDebugInfo(const CompileOptions &options);

/// A row of CompileOptions.td.
struct CompileOptionInfo {
  /// Its name wherever it is text, such as "check-bounds".
  llvm::StringLiteral flag;
  /// All values that it may have, such as "true|false"; empty if any will do.
  /// Those of "a,b" may be joined by commas.
  llvm::StringLiteral words;
  /// One line for documentation.
  llvm::StringLiteral help;
};

/// All rows, sorted by their flags.
llvm::ArrayRef<CompileOptionInfo> getCompileOptionInfos();

/// Sets the option called `flag`. The error says what would do.
llvm::Error setCompileOption(CompileOptions &options, llvm::StringRef flag,
                             llvm::StringRef value);

/// The value of the option called `flag`, which there is, as
/// `setCompileOption` takes it.
std::string getCompileOption(const CompileOptions &options,
                             llvm::StringRef flag);

/// A number that two compilations of one source share if their code is the
/// same: of the target, the kernel and the rows of CompileOptions.td. It is the
/// same in all processes and on all machines.
uint64_t hashOptions(const CompileOptions &options);

} // namespace pyk

#endif // PYK_PIPELINES_COMPILEOPTIONS_H
