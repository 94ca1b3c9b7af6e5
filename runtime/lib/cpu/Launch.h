// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch while it runs: what all its OS threads share. They take blocks
// from it until none is left.

#ifndef PYK_RUNTIME_LIB_CPU_LAUNCH_H
#define PYK_RUNTIME_LIB_CPU_LAUNCH_H

#include "../InterruptPoll.h"
#include "BlockClaims.h"
#include "ChildLaunches.h"
#include "OutsideLog.h"
#include "PrintLog.h"

#include "pyk/runtime/ABI.h"
#include "pyk/runtime/CpuLaunch.h"
#include "pyk/runtime/Status.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace pyk::runtime {

class BlockScheduler;

/// A validated launch. The thread that launches owns it, longer than any use by
/// workers. All members may be used by several threads at once.
struct Launch {
  /// Not owned; alive for the whole launch.
  const pyk_rt_kernel *kernel;
  void *const *arguments;
  int32_t grid[3];
  int32_t block[3];
  int32_t dynamicSharedBytes;
  /// That of the launching thread.
  const BlockScheduler *launcher;
  /// Bytes of shared memory of one block, static ones included.
  size_t sharedBytes;
  /// As ABI.h says.
  uint32_t bytesKept;
  /// Threads of one block, and the fibers that run them if fibers do.
  uint32_t threads, fibers;
  /// Blocks of the grid, and how many a worker takes at most at once.
  uint64_t blocks, chunk;

  /// Set by somebody else when the launch is to end early; null if nobody can.
  const std::atomic<bool> *stop = nullptr;

  /// Which of them are still to be taken.
  BlockClaims claims;

  /// Writes the index (x, y, z) of the block of that number to `id`.
  void locate(uint64_t number, int32_t id[3]) const {
    for (int i = 0; i < 3; ++i) {
      id[i] = int32_t(number % uint64_t(grid[i]));
      number /= uint64_t(grid[i]);
    }
  }

  /// The number of the block with the index `id`.
  uint64_t getNumber(const int32_t id[3]) const {
    return (uint64_t(id[2]) * uint64_t(grid[1]) + uint64_t(id[1])) *
               uint64_t(grid[0]) +
           uint64_t(id[0]);
  }

  /// A block of a kernel that waits for the grid has come to the barrier; it is
  /// the last one or waits until `meetings` is not what it is.
  void arriveAtGrid();

  /// Such a block has ended.
  void endBlock();

  /// How often all blocks have met. Who sees a new number sees what the others
  /// wrote before.
  uint64_t meetings() const {
    return gridMeetings.load(std::memory_order_acquire);
  }

  /// Whether `pollInterrupt` asks anybody.
  bool asks() const { return poll.asks(); }

  /// Ends the launch early if the program asks for it; called by the launching
  /// thread only, and not on a fiber.
  void pollInterrupt();

  /// Ends the launch early, for the program has asked for it.
  void cancel();

  /// Whether it has failed, or is to.
  bool isAskedToEnd() const { return hasFailed() || (stop && stop->load()); }

  /// The same, and lets it fail then, so that workers leave it.
  bool isToEnd();

  /// Ends the launch early with `status`; only the first one counts.
  void fail(Status status) {
    std::lock_guard<std::mutex> lock(failureMutex);
    if (!failed.exchange(true))
      failure = std::move(status);
  }

  /// Whether `fail` has been called; blocks that wait must then be given up.
  bool hasFailed() const { return failed.load(std::memory_order_relaxed); }

  /// What the host does, as failures of its threads say it.
  std::string running() const {
    return std::string("running kernel '") + kernel->name + "' on the CPU";
  }

  /// What its threads print.
  PrintLog printed;

  /// Accesses of its threads that have not been done.
  OutsideLog outside;

  /// What its threads have launched.
  ChildLaunches children;

  /// Writes what was printed, leaves warnings and tells how the launch ended;
  /// only when no thread works on it any more.
  Status finish();

private:
  InterruptPoll poll;
  /// Blocks that wait for the grid, and those that have ended.
  std::atomic<uint64_t> gridWaiting{0}, ended{0};
  std::atomic<uint64_t> gridMeetings{0};
  std::atomic<bool> failed{false};
  std::mutex failureMutex;
  Status failure;
};

/// One worker's walk through the blocks of a launch that it takes.
class BlockCursor {
public:
  /// Begins a walk of the pool's thread `worker`; `launch` must outlive this.
  /// The walk of the launching thread also asks whether to stop.
  BlockCursor(Launch &launch, bool isLaunching, uint64_t worker)
      : launch(launch), isLaunching(isLaunching), part(worker) {}

  /// Takes the next blocks, [begin, end) as in `BlockClaims::claim`. Returns
  /// false if there is none or the launch has failed.
  bool next(uint64_t &begin, uint64_t &end);

private:
  Launch &launch;
  bool isLaunching;
  /// Of the launch, from which it takes blocks.
  uint64_t part;
  uint64_t claimSize();

  /// How many blocks were claimed last, and when.
  uint64_t claimed = 0;
  std::chrono::steady_clock::time_point claimedAt;
};

/// The public function, for a launch that ends early once `stop` is set.
Status launchOnCpu(const pyk_rt_kernel &kernel, const LaunchShape &shape,
                   void *const *arguments, const std::atomic<bool> *stop);

/// How many fibers run a block of `threads` threads.
inline int64_t countFibers(const pyk_rt_kernel &kernel, int64_t threads) {
  return kernel.thread_runs_block ? 1 : threads;
}

/// Fails with InvalidArgument unless all blocks of `shape` have room at a time.
Status checkResident(std::string_view doing, const pyk_rt_kernel &kernel,
                     const LaunchShape &shape);

/// What the host does, as failures say it.
inline constexpr std::string_view launchingOnCpu =
    "launching a kernel on the CPU";

/// What `launchOnCpu` would refuse before it runs anything, for whoever is
/// `doing` it.
Status checkCpuLaunch(std::string_view doing, const pyk_rt_kernel &kernel,
                      const LaunchShape &shape);

/// Makes `launch` one of `kernel` by the calling thread. Fails as
/// `checkCpuLaunch`.
Status prepareLaunch(Launch &launch, std::string_view doing,
                     const pyk_rt_kernel &kernel, const LaunchShape &shape,
                     void *const *arguments);

/// Runs the blocks of launches that need not wait for each other, on as many OS
/// threads as is worth it. Failures are the launches' own; fails itself if it
/// gets no OS threads.
Status runTogether(Launch *const *launches, size_t count);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_LAUNCH_H
