// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling on a thread beside the one that waits for it, so that Ctrl-C ends
// the wait. The compiler itself cannot be stopped.

#ifndef PYK_PYTHON_EXT_COMPILETHREAD_H
#define PYK_PYTHON_EXT_COMPILETHREAD_H

#include "Core.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pyk::python {

using Text = std::optional<std::string>;

/// PykCompileOptions with texts of its own.
struct CompileInput {
  std::string source;
  Text sourceName;
  Text target, emit, dumpStages;
  bool explain = false;
  /// Names and values.
  std::vector<std::pair<std::string, std::string>> options;
};

/// What pyk_compile gives: one of the two, or neither if memory ran out.
struct CompileOutput {
  PykModule *module = nullptr;
  PykError *error = nullptr;
};

/// Compiles without the GIL, which must be held. If a signal's handler raises
/// meanwhile, throws its exception at once; the compiler then goes on in the
/// background, and what comes of it is dropped.
CompileOutput compileInterruptibly(CompileInput input);

} // namespace pyk::python

#endif // PYK_PYTHON_EXT_COMPILETHREAD_H
