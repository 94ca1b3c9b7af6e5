// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of pyk-run for MLIR.

#ifndef PYK_LIB_TOOLS_PYKRUN_OPTIONS_H
#define PYK_LIB_TOOLS_PYKRUN_OPTIONS_H

#include "pyk/Pipelines/CompileOptions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <array>

namespace pyk::run {

/// Blocks or threads in x, y and z.
using Extents = std::array<int64_t, 3>;

/// What to do with argument `argument` after the launch.
struct Output {
  /// The option as written.
  std::string option;
  unsigned argument;
  /// File to save it to; empty to print it.
  std::string path;
};

/// What --emit asks for.
enum class Emit {
  Nothing,
  /// The text of `CompileOptions::emit`.
  Stage,
  /// What ptxas makes of stage PTX.
  Cubin,
  /// What the runtime loads.
  Artifact
};

/// What the command line asks for.
struct Options {
  /// The file; `-` is standard input.
  std::string file;
  bool help = false, version = false;

  /// The name of a target, or "auto".
  std::string target = "auto";
  /// How to compile, but for the target.
  CompileOptions compile;
  Emit emit = Emit::Nothing;
  /// File for what --emit asks for; empty for standard output.
  std::string output;
  bool time = false, reproduce = false;

  std::optional<Extents> grid, block;
  int64_t sharedBytes = 0, repeat = 1;
  /// One specification for each argument.
  llvm::SmallVector<std::string> arguments;
  llvm::SmallVector<Output> outputs;
  bool printAll = false;

  /// True if the kernel is to be launched, and not only looked at.
  bool launches() const {
    return emit == Emit::Nothing &&
           (grid || block || !(reproduce || !compile.dumpStages.empty()));
  }
};

/// Reads a command line without the name of the tool.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<llvm::StringRef> words);

/// What `--help` prints.
void printHelp(llvm::raw_ostream &os);

} // namespace pyk::run

#endif // PYK_LIB_TOOLS_PYKRUN_OPTIONS_H
