// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How OS threads of the CPU backend wait for each other. Spinning comes first,
// because a wake-up costs as much as a small launch; sleeping second, because
// nobody may burn a core for long. Atomics are sequentially consistent because
// "change, then look for sleepers" stands against "announce sleep, then look".

#ifndef PYK_RUNTIME_LIB_CPU_WAITPOINT_H
#define PYK_RUNTIME_LIB_CPU_WAITPOINT_H

#include "../InterruptPoll.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace pyk::runtime {

/// Waiting for a condition that other threads make true: spins, then sleeps.
class WaitPoint {
public:
  /// Returns when `holds()` is true. What it reads must be sequentially
  /// consistent atomics, and `wake` must follow each change of them.
  template <typename Condition>
  void wait(Condition holds);

  /// The same, calling `poll()` each `interval`.
  template <typename Condition, typename Poll>
  void wait(Condition holds, Poll poll,
            std::chrono::milliseconds interval = interruptPollInterval);

  /// Whether somebody sleeps, who may be about to wake.
  bool hasSleepers() const { return sleepers.load() != 0; }

  /// Makes sleepers, at most `count` of them, look at their condition again.
  void wake(int count);

  /// The same for all sleepers.
  void wakeAll();

private:
  /// About what it costs to wake a sleeping thread.
  static constexpr std::chrono::microseconds spinTime{30};

  static void pauseCpu();

  /// Waits for a short time; returns whether the condition holds.
  template <typename Condition>
  static bool spin(Condition holds);

  std::atomic<int> sleepers{0};
  std::mutex mutex;
  std::condition_variable changed;
};

template <typename Condition>
bool WaitPoint::spin(Condition holds) {
  for (int i = 0; i < 64; ++i) {
    if (holds())
      return true;
    pauseCpu();
  }
  auto end = std::chrono::steady_clock::now() + spinTime;
  do {
    for (int i = 0; i < 16; ++i) {
      if (holds())
        return true;
      pauseCpu();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

template <typename Condition>
void WaitPoint::wait(Condition holds) {
  if (spin(holds))
    return;
  std::unique_lock<std::mutex> lock(mutex);
  sleepers.fetch_add(1);
  changed.wait(lock, holds);
  sleepers.fetch_sub(1);
}

template <typename Condition, typename Poll>
void WaitPoint::wait(Condition holds, Poll poll,
                     std::chrono::milliseconds interval) {
  if (spin(holds))
    return;
  std::unique_lock<std::mutex> lock(mutex);
  sleepers.fetch_add(1);
  while (!changed.wait_for(lock, interval, holds)) {
    lock.unlock();
    poll();
    lock.lock();
  }
  sleepers.fetch_sub(1);
}

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_WAITPOINT_H
