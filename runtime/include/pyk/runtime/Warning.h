// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches on the CPU have to tell that is no failure.

#ifndef PYK_RUNTIME_WARNING_H
#define PYK_RUNTIME_WARNING_H

#include "pyk/runtime/Export.h"

#include <optional>
#include <string>

namespace pyk::runtime {

/// Threads would have left the memory of an array at `line` of `file`, and have
/// not.
struct Warning {
  std::string message, file;
  int line;
};

/// Takes the oldest warning of launches that have ended; none if there is none.
/// Each kernel and line warns once a process.
PYK_RUNTIME_EXPORT std::optional<Warning> takeWarning();

} // namespace pyk::runtime

#endif // PYK_RUNTIME_WARNING_H
