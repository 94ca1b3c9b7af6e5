// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol: the caller writes the task, opens `holders`, then counts
// `generation` up. A helper adds itself to `holders` before it reads the task
// and leaves again at once if it finds it closed. The caller closes it when its
// own part is done and waits until the count is zero, after which no helper
// reads the task. Atomics are sequentially consistent because WaitPoint needs
// them to be.

#include "ThreadPool.h"

#include <string>
#include <system_error>

using namespace pyk::runtime;

/// Helpers that are told where not to wake, at most: it takes two calls of the
/// system for each, and where there are many processors some are idle, which
/// the system finds.
static constexpr size_t mostVacated = 8;

Result<std::shared_ptr<ThreadPool>> ThreadPool::create(int32_t helpers) {
  std::shared_ptr<ThreadPool> pool(new ThreadPool);
  pool->threads.reserve(size_t(helpers));
  pool->places = std::make_unique<SleepingPlace[]>(size_t(helpers));
  for (int32_t i = 0; i < helpers; ++i) {
    try {
      pool->threads.emplace_back(
          [pool = pool.get(), i] { pool->help(uint64_t(i) + 1); });
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
                     Poll whileWaiting) {
  bool isOurs = false, isGivenUp = false;
  nextTurn.wait(
      [&] {
        isOurs = isOurs || !isTaken.exchange(true);
        return isOurs || isGivenUp;
      },
      [&] { isGivenUp = !whileWaiting(newestContext); });
  if (!isOurs)
    return;
  // While the last task is closed: helpers of an open one settle, which changes
  // where they may run, too.
  if (newTask.hasSleepers() && threads.size() <= mostVacated) {
    const int here = sched_getcpu();
    for (size_t i = 0; i < threads.size(); ++i)
      places[i].vacate(here);
  }
  task = newestTask;
  context = newestContext;
  claims.begin();
  holders.fetch_and(~closed);
  generation.fetch_add(1);
  newTask.wake(helpers);

  newestTask(newestContext);

  holders.fetch_or(closed);
  allLeft.wait([this] { return holders.load() == closed; },
               [&] { whileWaiting(newestContext); });
  isTaken.store(false);
  nextTurn.wake(1);
}

thread_local uint64_t ThreadPool::number = 0;

void ThreadPool::help(uint64_t ownNumber) {
  number = ownNumber;
  SleepingPlace &place = places[ownNumber - 1];
  uint64_t seen = 0;
  for (;;) {
    place.enter();
    newTask.wait([&] { return generation.load() != seen || ending.load(); });
    place.leave();
    if (ending.load())
      return;
    seen = generation.load();
    if (!(holders.fetch_add(1) & closed)) {
      claims.settle();
      task(context);
    }
    holders.fetch_sub(1);
    allLeft.wake(1);
  }
}
