// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pointer for the process, and a clock for each launch or wait: reading it
// costs less than any block.

#include "InterruptPoll.h"

#include "pyk/runtime/CpuLaunch.h"
#include "pyk/runtime/Runtime.h"

#include <atomic>

using namespace pyk::runtime;

static std::atomic<bool (*)()> processCheck{nullptr};

void pyk::runtime::setInterruptCheck(bool (*check)()) {
  processCheck.store(check);
}

static std::atomic<int (*)()> checkOfC{nullptr};

void pyk_rt_set_interrupt_check(int (*check)(void)) {
  checkOfC.store(check);
  if (check)
    setInterruptCheck([] { return checkOfC.load()() != 0; });
  else
    setInterruptCheck(nullptr);
}

static thread_local bool isSilent = false;

void InterruptPoll::silenceThisThread() { isSilent = true; }

InterruptPoll::InterruptPoll()
    : check(isSilent ? nullptr : processCheck.load()) {
  if (check)
    next = std::chrono::steady_clock::now() + interruptPollInterval;
}

bool InterruptPoll::asksToStop() {
  if (!check || std::chrono::steady_clock::now() < next)
    return false;
  bool stops = check();
  next = std::chrono::steady_clock::now() + interruptPollInterval;
  return stops;
}
