// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The side of those who changed something: it costs one load while nobody
// sleeps.

#include "WaitPoint.h"

#include <limits>

using namespace pyk::runtime;

void WaitPoint::pauseCpu() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

void WaitPoint::wake(int count) {
  int sleeping = sleepers.load();
  if (sleeping == 0)
    return;
  // A sleeper that has announced itself holds the mutex until it sleeps.
  {
    std::lock_guard<std::mutex> lock(mutex);
  }
  if (count >= sleeping) {
    changed.notify_all();
    return;
  }
  for (int i = 0; i < count; ++i)
    changed.notify_one();
}

void WaitPoint::wakeAll() { wake(std::numeric_limits<int>::max()); }
