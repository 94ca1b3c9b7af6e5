// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A waker takes its own processor out of those that the sleeper may run on, and
// the sleeper puts it back.

#include "SleepingPlace.h"

#include <sys/syscall.h>
#include <unistd.h>

using namespace pyk::runtime;

void SleepingPlace::enter() {
  if (thread.load(std::memory_order_relaxed) == 0)
    thread.store(pid_t(syscall(SYS_gettid)), std::memory_order_relaxed);
  isAsleep.store(true);
}

void SleepingPlace::vacate(int here) {
  if (here < 0 || here >= CPU_SETSIZE || !isAsleep.load() || isMoved.load())
    return;
  const pid_t id = thread.load(std::memory_order_relaxed);
  // Fails where there are more processors than the set holds.
  if (sched_getaffinity(id, sizeof allowed, &allowed) != 0)
    return;
  cpu_set_t others = allowed;
  if (!CPU_ISSET(here, &others))
    return;
  CPU_CLR(here, &others);
  if (CPU_COUNT(&others) == 0 ||
      sched_setaffinity(id, sizeof others, &others) != 0)
    return;
  isMoved.store(true);
}

void SleepingPlace::leave() {
  isAsleep.store(false);
  // It was allowed to before, so this does not fail.
  if (isMoved.load()) {
    (void)sched_setaffinity(0, sizeof allowed, &allowed);
    isMoved.store(false);
  }
}
