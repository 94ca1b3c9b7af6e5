// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the process's interrupt check (CpuLaunch.h) during a launch or a wait,
// seldom enough to cost nothing.

#ifndef PYK_RUNTIME_LIB_INTERRUPTPOLL_H
#define PYK_RUNTIME_LIB_INTERRUPTPOLL_H

#include <chrono>

namespace pyk::runtime {

/// How often the check is asked.
inline constexpr std::chrono::milliseconds interruptPollInterval{25};

/// The questions of one launch or wait. Used by its thread only.
class InterruptPoll {
public:
  /// Takes note of the check that the process has now, if any and if this OS
  /// thread may ask it.
  InterruptPoll();

  /// From now on polls of the calling OS thread ask nobody: it is the
  /// runtime's own, which the program has given no say, and may outlive what
  /// the check needs.
  static void silenceThisThread();

  /// Whether there is somebody to ask.
  bool asks() const { return check != nullptr; }

  /// Whether the check was due and asked to stop. May call any code that the
  /// program has set; not to be called on a fiber.
  bool asksToStop();

private:
  bool (*check)();
  std::chrono::steady_clock::time_point next;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_INTERRUPTPOLL_H
