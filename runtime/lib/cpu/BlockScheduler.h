// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the blocks of a launch on one OS thread. Kernels without barriers run as
// loops. For the others each thread of a block gets a fiber, and blocks that
// wait for each other share the OS thread in turns.

#ifndef PYK_RUNTIME_LIB_CPU_BLOCKSCHEDULER_H
#define PYK_RUNTIME_LIB_CPU_BLOCKSCHEDULER_H

#include "FiberPool.h"
#include "KernelThreads.h"
#include "Launch.h"
#include "MemoryFault.h"
#include "WarpExchange.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace pyk::runtime {

class BlockScheduler;

/// A block that has begun and not ended. Its threads run in rounds: in each
/// round every thread that can go on runs once, in the order of thread indices
/// or in reverse, until it comes to a barrier, yields or ends.
struct OpenBlock {
  /// What compiled code sees; first, because it hands back a pointer to it.
  pyk_rt_block abi = {};
  /// The scheduler it runs on; set once.
  BlockScheduler *scheduler = nullptr;
  /// What the block belongs to. Not owned.
  Launch *launch = nullptr;
  /// Fibers of threads that had not ended when the last barrier opened, in
  /// order; room for all threads.
  std::vector<Fiber *> live;
  /// Fibers that run in this round, in order; the first `kept` ones are already
  /// those of the next round.
  std::vector<Fiber *> runnable;
  uint32_t liveCount, runnableCount, kept;
  /// Index in `runnable` of the fiber that runs.
  uint32_t position;
  /// Threads that have begun, have not ended, and wait at the barrier.
  uint32_t started, unfinished, waiting;
  /// Of those that wait, the ones that count; and how many did when the last
  /// barrier opened.
  uint32_t votes, counted;
  /// Whether one of those that wait does so for the grid; then whether the
  /// block does, and how often the grid had met when it came.
  bool isForGrid, waitsForGrid;
  uint64_t meetings;
  /// Index of the thread that begins next: x, y, z.
  int32_t nextThread[3];
  /// What is left of the block's turn.
  int32_t credit;
  /// Whether all rounds of its turn were in vain so far.
  bool stuck;
  /// Whether lanes of a warp have met in this round.
  bool exchanged;
  /// Of the threads that `kept` counts, those that wait for lanes.
  uint32_t exchanging;
  /// Of the same, those that wait for the lanes that run with them.
  uint32_t gathering;
  /// `unfinished` when the round began.
  uint32_t unfinishedBefore;
  /// Whether all threads wait for others of them, in vain.
  bool deadlocked;
  /// The fiber of a thread that is not in a mask of its own, at which the block
  /// has stopped; null if there is none.
  const Fiber *stray;
  uint32_t strayMask;
  /// Its warps; room for all threads.
  std::vector<WarpExchange> warps;
  /// Bytes of memory at `abi.shared`, which this owns.
  size_t sharedCapacity = 0;

  OpenBlock() = default;
  OpenBlock(const OpenBlock &) = delete;
  OpenBlock &operator=(const OpenBlock &) = delete;
  ~OpenBlock();

  /// Makes this a new block of `newLaunch`, none of whose threads has begun;
  /// its index is still to be set. Fails with OutOfMemory.
  Status begin(BlockScheduler &owner, Launch &newLaunch);

  /// What it fails with.
  static Status outOfMemory();

  /// Makes `fiber` run the thread that begins next.
  void startThread(Fiber &fiber);

  /// The linear index of the thread that `fiber` runs.
  uint32_t getNumber(const Fiber &fiber) const;

  /// The warp of the thread that `fiber` runs, and its lane.
  std::pair<WarpExchange *, uint32_t> locate(const Fiber &fiber);

  /// Puts the running fiber into the list of live ones, if it is not there.
  void registerLive(Fiber *fiber) {
    if (fiber->registered)
      return;
    fiber->registered = true;
    live[liveCount++] = fiber;
  }

  /// The fiber that runs after one that has stopped; null if the block has
  /// ended or its turn is over.
  Fiber *next();

private:
  Fiber *startRound();
  void openBarrier();
  void formGroups();
  void gotSomewhere();
  bool isDeadlocked() const;
};

/// The blocks and fibers of one OS thread; every member is used by that thread
/// only. Kept between launches, so that a warm launch allocates nothing.
class BlockScheduler {
public:
  BlockScheduler();
  BlockScheduler(const BlockScheduler &) = delete;
  BlockScheduler &operator=(const BlockScheduler &) = delete;
  ~BlockScheduler();

  /// The calling OS thread's own; made at the first call, gone with the thread.
  static BlockScheduler &ofThisThread();

  /// Whether this OS thread is inside a kernel.
  bool isRunning() const { return registration.isRunning.load(); }

  /// Runs blocks of `launch` until none is left; failures go to `launch`.
  void run(Launch &launch);

  /// What pyk_rt_barrier, pyk_rt_grid_barrier, pyk_rt_yield, pyk_rt_exchange,
  /// pyk_rt_stray_lane, pyk_rt_active_mask, pyk_rt_outside (and
  /// pyk_rt_outside_lanes), pyk_rt_print, pyk_rt_launch and pyk_rt_new_stream
  /// do.
  static void barrier(OpenBlock &block);
  static void gridBarrier(OpenBlock &block);
  static void yield(OpenBlock &block);
  static void exchange(OpenBlock &block, uint32_t mask, uint64_t value,
                       uint64_t *values);
  [[noreturn]] static void failOfStray(OpenBlock &block, uint32_t thread,
                                       uint32_t mask);
  static uint32_t getActiveMask(OpenBlock &block, uint32_t site);
  static void noteOutside(OpenBlock &block, const char *text, uint32_t thread,
                          const OutsideLog::Indices &indices);
  static int32_t print(OpenBlock &block, const char *format,
                       const void *values);
  static void launchChild(OpenBlock &block, const pyk_rt_kernel &kernel,
                          const LaunchShape &shape, void *const *arguments,
                          int64_t stream);
  static int64_t makeStream(OpenBlock &block);

  /// Called by the handler of KernelThreads' signal. If the calling OS thread
  /// is in a kernel's code, asks whether its launch is to stop, and leaves the
  /// kernel if it is; returns otherwise.
  static void interruptThisThread();

private:
  friend struct OpenBlock;

  static boost::context::fiber enter(Fiber *self, boost::context::fiber &&from);
  void runBlocks(Launch &launch);
  Status describeFault();
  static Status describeDeadlock(const OpenBlock &block);
  static Status describeStray(const OpenBlock &block, uint32_t number,
                              uint32_t lanes);
  void runLoops(Launch &launch);
  void runFibers(Launch &launch);
  bool openBlock(Launch &launch, BlockCursor &cursor);
  bool giveTurn(size_t index);
  void finishThread(Fiber &self);
  void switchFrom(Fiber &from, Fiber &to);
  void passTo(Fiber *next);
  void letOthersRun(OpenBlock &block);
  void enterKernel();
  void leaveKernel();
  void interrupt();
  void giveUp();

  FiberPool fibers;
  /// The OS thread's own stack, in the form in which fibers are switched.
  Fiber main;
  /// The fiber that runs, and the one that ran before it.
  Fiber *current = &main;
  Fiber *previous = nullptr;
  KernelThread registration;
  /// The launch whose blocks run.
  Launch *launch = nullptr;
  /// Whether code of a kernel runs, which owns nothing and may be left between
  /// any two instructions. Read by the handler of a signal on this OS thread.
  volatile bool inKernel = false;
  /// The fiber that was interrupted and lets the OS thread's own stack ask.
  Fiber *interrupted = nullptr;
  // Read by the handler: must not need a call that allocates.
  [[gnu::tls_model("initial-exec")]] static thread_local BlockScheduler *active;
  /// The block whose threads run as a loop.
  OpenBlock *loopBlock = nullptr;
  FaultLanding landing;
  /// Blocks that have begun, in the order of their turns, and old ones to use
  /// again.
  std::vector<std::unique_ptr<OpenBlock>> open, spare;
};

inline void BlockScheduler::enterKernel() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  inKernel = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

inline void BlockScheduler::leaveKernel() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  inKernel = false;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_BLOCKSCHEDULER_H
