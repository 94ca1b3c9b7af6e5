// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol: the caller writes the task, opens `holders`, then counts
// `generation` up. A helper adds itself to `holders` before it reads the task
// and leaves again at once if it finds it closed. The caller closes it when its
// own part is done and waits until the count is zero, after which no helper
// reads the task. Atomics are sequentially consistent because WaitPoint needs
// "change, then look for sleepers" against "announce sleep, then look".

#include "ThreadPool.h"

#include "InterruptPoll.h"

#include <chrono>
#include <string>
#include <system_error>

using namespace pyk::runtime;

namespace {

/// About what it costs to wake a sleeping thread.
constexpr std::chrono::microseconds spinTime{30};

void pauseCpu() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

} // namespace

/// Waits for a short time; returns whether the condition holds.
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
void WaitPoint::wait(Condition holds, Poll poll) {
  if (spin(holds))
    return;
  std::unique_lock<std::mutex> lock(mutex);
  sleepers.fetch_add(1);
  while (!changed.wait_for(lock, interruptPollInterval, holds)) {
    lock.unlock();
    poll();
    lock.lock();
  }
  sleepers.fetch_sub(1);
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

Result<std::shared_ptr<ThreadPool>> ThreadPool::create(int32_t helpers) {
  std::shared_ptr<ThreadPool> pool(new ThreadPool);
  pool->threads.reserve(size_t(helpers));
  for (int32_t i = 0; i < helpers; ++i) {
    try {
      pool->threads.emplace_back([pool = pool.get()] { pool->help(); });
    } catch (const std::system_error &error) {
      return Status::failure(
          StatusCode::Unavailable, "launching a kernel on the CPU",
          "the system refused worker thread " + std::to_string(i + 1) + " of " +
              std::to_string(helpers) + " (" + error.what() + ")",
          "set PYK_CPU_THREADS to a smaller number");
    }
  }
  return pool;
}

ThreadPool::~ThreadPool() {
  ending.store(true);
  newTask.wake(int(threads.size()));
  for (std::thread &thread : threads)
    thread.join();
}

void ThreadPool::run(int32_t helpers, Task newestTask, void *newestContext,
                     Task whileWaiting) {
  std::lock_guard<std::mutex> lock(runMutex);
  task = newestTask;
  context = newestContext;
  holders.fetch_and(~closed);
  generation.fetch_add(1);
  newTask.wake(helpers);

  newestTask(newestContext);

  holders.fetch_or(closed);
  allLeft.wait([this] { return holders.load() == closed; },
               [&] { whileWaiting(newestContext); });
}

void ThreadPool::help() {
  uint64_t seen = 0;
  for (;;) {
    newTask.wait([&] { return generation.load() != seen || ending.load(); });
    if (ending.load())
      return;
    seen = generation.load();
    if (!(holders.fetch_add(1) & closed))
      task(context);
    holders.fetch_sub(1);
    allLeft.wake(1);
  }
}
