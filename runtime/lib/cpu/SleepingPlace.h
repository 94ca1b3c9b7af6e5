// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets a thread that sleeps wake elsewhere than where it is woken. A system may
// wake it where its waker runs: it then waits for that one to pause, for
// milliseconds, and short launches are over by then.

#ifndef PYK_RUNTIME_LIB_CPU_SLEEPINGPLACE_H
#define PYK_RUNTIME_LIB_CPU_SLEEPINGPLACE_H

#include <atomic>
#include <sched.h>
#include <sys/types.h>

namespace pyk::runtime {

/// Where one thread may wake. It calls `enter` and `leave`, others `vacate`,
/// one at a time.
class SleepingPlace {
public:
  /// The calling thread is about to sleep.
  void enter();

  /// Who calls, on processor `here`, is about to wake the thread. If that
  /// sleeps and may run on other processors, it wakes on one of these. One that
  /// wakes by itself meanwhile may be kept from `here` until it next leaves.
  void vacate(int here);

  /// The thread, which is awake, may run wherever it could before it slept.
  void leave();

private:
  std::atomic<pid_t> thread{0};
  std::atomic<bool> isAsleep{false};
  /// Whether it may not run where it is woken; `allowed` is where it could.
  std::atomic<bool> isMoved{false};
  cpu_set_t allowed;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_SLEEPINGPLACE_H
