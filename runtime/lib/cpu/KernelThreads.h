// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The OS threads of the process that run kernels, and the signal that stops
// them there. Nothing in a kernel's code asks whether to go on: the signal's
// handler runs between any two of its instructions, on the stack of the kernel,
// asks, and returns into it or jumps out of it (rationale/runtime.md).

#ifndef PYK_RUNTIME_LIB_CPU_KERNELTHREADS_H
#define PYK_RUNTIME_LIB_CPU_KERNELTHREADS_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <vector>

#include <pthread.h>

namespace pyk::runtime {

class BlockScheduler;

/// What KernelThreads knows of one OS thread; belongs to its BlockScheduler.
struct KernelThread {
  pthread_t osThread;
  /// Whether it runs blocks.
  std::atomic<bool> isRunning{false};
  /// Counts the begins and ends of its launches that ask whether to stop: odd
  /// while one runs.
  std::atomic<uint64_t> asking{0};
  /// What `asking` was when the watcher last looked; the watcher's.
  uint64_t seen = 0;
};

/// All of them. Members may be called by any thread, but for those that say
/// otherwise.
class KernelThreads {
public:
  /// Those of the process; never destroyed.
  static KernelThreads &get();

  /// The calling OS thread begins to be one of them, and ends to be one.
  void add(KernelThread &thread);
  void remove(KernelThread &thread);

  /// The launch that `thread`, the calling one, now runs asks each
  /// `interruptPollInterval` whether to stop, until `endAsking`.
  void beginAsking(KernelThread &thread) {
    thread.asking.fetch_add(1);
    if (watcherSleeps.load())
      wakeWatcher();
  }
  void endAsking(KernelThread &thread) { thread.asking.fetch_add(1); }

  /// Lets all OS threads that run kernels look whether their launch has failed
  /// or is to stop. One that is not in a kernel's code at the moment misses it:
  /// whoever waits for them calls this again.
  void interrupt();

  /// How often somebody who waits for threads to leave calls `interrupt`.
  static constexpr std::chrono::milliseconds retryInterval{2};

private:
  KernelThreads();
  static void handle(int signal, siginfo_t *info, void *context);
  static void afterForkInChild();
  void wakeWatcher();
  void watch();
  /// Sees to it that the signal comes to `handle`; the caller holds `mutex`.
  static void installHandler();

  std::mutex mutex;
  std::condition_variable awake;
  std::vector<KernelThread *> threads;
  /// Whether no watcher looks: none was started, or there was nothing to see.
  std::atomic<bool> watcherSleeps{true};
  bool hasWatcher = false;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_KERNELTHREADS_H
