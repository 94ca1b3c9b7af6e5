// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What would end the process with a signal ends it with a message instead.

#ifndef PYK_LIB_TOOLS_PYKRUN_CRASH_H
#define PYK_LIB_TOOLS_PYKRUN_CRASH_H

namespace pyk::run {

/// Reports LLVM's fatal errors and crashes of the compiler as errors: one line
/// on standard error and exit status 1.
void installCrashHandlers();

} // namespace pyk::run

#endif // PYK_LIB_TOOLS_PYKRUN_CRASH_H
