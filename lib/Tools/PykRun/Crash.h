// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What would end the process with a signal ends it with a message instead.

#ifndef PYK_LIB_TOOLS_PYKRUN_CRASH_H
#define PYK_LIB_TOOLS_PYKRUN_CRASH_H

#include <string>

namespace pyk::run {

/// Reports LLVM's fatal errors and bad memory accesses as errors: one line on
/// standard error and exit status 1.
void installCrashHandlers();

/// While it lives, a bad memory access is reported as `message`.
class CrashMessage {
public:
  explicit CrashMessage(std::string message);
  ~CrashMessage();
  CrashMessage(const CrashMessage &) = delete;
  CrashMessage &operator=(const CrashMessage &) = delete;

private:
  std::string text;
};

} // namespace pyk::run

#endif // PYK_LIB_TOOLS_PYKRUN_CRASH_H
