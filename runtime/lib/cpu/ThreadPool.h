// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OS threads that help a caller with one task at a time. Between tasks they
// spin for some microseconds, so that the next launch of a series finds them
// awake, and then sleep. The caller never waits for a sleeper to wake: who
// comes late finds the task closed.

#ifndef PYK_RUNTIME_LIB_CPU_THREADPOOL_H
#define PYK_RUNTIME_LIB_CPU_THREADPOOL_H

#include "ProcessorClaims.h"
#include "SleepingPlace.h"
#include "WaitPoint.h"

#include "pyk/runtime/Status.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace pyk::runtime {

/// A fixed number of OS threads. `run` may be called by any thread; everything
/// else belongs to the owner.
class ThreadPool {
public:
  /// What each thread does for a task, with the caller's context. Must return
  /// soon once nothing is left to do.
  using Task = void (*)(void *context);

  /// Starts `helpers` threads. Fails with Unavailable if the system refuses.
  static Result<std::shared_ptr<ThreadPool>> create(int32_t helpers);

  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Ends and joins the threads; no `run` is under way.
  ~ThreadPool();

  /// What a caller does each `interruptPollInterval` while it waits, with its
  /// context. Returns whether it is still to wait for its turn.
  using Poll = bool (*)(void *context);

  /// Calls `task(context)` on the calling thread and, meanwhile, on up to
  /// `helpers` others, more if they are awake; returns when all calls have.
  /// Concurrent calls run one after the other: one that no longer wants to wait
  /// for its turn is not run.
  void run(int32_t helpers, Task task, void *context, Poll whileWaiting);

  /// The number of the calling thread among those of its pool, from 1; 0 of
  /// those that call `run`.
  static uint64_t getNumber() { return number; }

private:
  ThreadPool() = default;
  void help(uint64_t number);

  static thread_local uint64_t number;

  /// Whether a caller's task runs.
  std::atomic<bool> isTaken{false};
  WaitPoint nextTurn;
  Task task = nullptr;
  void *context = nullptr;
  /// Counts tasks; a helper looks at each at most once.
  std::atomic<uint64_t> generation{0};
  /// The number of helpers that hold on to the task, plus `closed`.
  static constexpr uint32_t closed = 1u << 31;
  std::atomic<uint32_t> holders{closed};
  std::atomic<bool> ending{false};
  ProcessorClaims claims;
  WaitPoint newTask, allLeft;
  /// One for each thread, by its number.
  std::unique_ptr<SleepingPlace[]> places;
  std::vector<std::thread> threads;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_THREADPOOL_H
