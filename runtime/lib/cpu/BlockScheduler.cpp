// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot path is a barrier: a counter, the next fiber of the round, one switch
// to it. Everything else happens once a round or less often. Fibers switch to
// each other directly; the OS thread's own stack is only gone back to when a
// block has ended or its turn is over.

#include "BlockScheduler.h"
#include "ThreadPool.h"

#include "pyk/runtime/CpuLaunch.h"

#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <type_traits>

// Compiled code looks these up by name.
#pragma GCC visibility push(default)
extern "C" void pyk_rt_barrier(pyk_rt_block *block);
extern "C" int32_t pyk_rt_barrier_count(pyk_rt_block *block,
                                        uint32_t predicate);
extern "C" void pyk_rt_grid_barrier(pyk_rt_block *block);
extern "C" void pyk_rt_yield(pyk_rt_block *block);
extern "C" void pyk_rt_exchange(pyk_rt_block *block, uint32_t mask,
                                uint64_t value, uint64_t *values);
extern "C" void pyk_rt_stray_lane(pyk_rt_block *block, uint32_t thread,
                                  uint32_t mask);
extern "C" uint32_t pyk_rt_active_mask(pyk_rt_block *block, uint32_t site);
#pragma GCC visibility pop

using namespace pyk::runtime;

namespace {

/// A turn ends after so many units; it is over sooner the more it looks as if
/// the block waits for another one. A turn that ends too soon costs a visit to
/// the other blocks, one that ends too late delays what the block waits for.
constexpr int32_t unitsOfTurn = 4096;
/// All threads came to a barrier: progress, but `while (!flag) syncthreads()`
/// looks like this too.
constexpr int32_t unitsOfBarrier = 1;
/// Some threads yielded, others ended or came to a barrier.
constexpr int32_t unitsOfMixedRound = 8;
/// All threads that could run yielded: 64 such rounds.
constexpr int32_t unitsOfIdleRound = 64;
/// The turn of a block that got nowhere in its last one, until it does.
constexpr int32_t unitsOfStuckTurn = 8 * unitsOfIdleRound;

/// Bytes of a fiber's stack beside local arrays.
constexpr size_t stackOfThread = 64 * 1024;
/// The same if it runs a block: what threads keep from one barrier to the next
/// are some thousand vectors, as many as a plan lets a block have ops.
constexpr size_t stackOfBlock = 1024 * 1024;

} // namespace

//===----------------------------------------------------------------------===//
// OpenBlock
//===----------------------------------------------------------------------===//

static_assert(std::is_standard_layout_v<OpenBlock> &&
              "a pointer to the ABI's part is a pointer to the block");

void OpenBlock::startThread(Fiber &fiber) {
  ++started;
  fiber.block = this;
  fiber.registered = false;
  for (int i = 0; i < 3; ++i)
    fiber.thread[i] = nextThread[i];
  bool isReversed = launch->kernel->is_reversed != 0;
  for (int i = 0; i < 3; ++i) {
    int32_t last = abi.block_dim[i] - 1;
    if (nextThread[i] != (isReversed ? 0 : last)) {
      nextThread[i] += isReversed ? -1 : 1;
      return;
    }
    nextThread[i] = isReversed ? last : 0;
  }
}

uint32_t OpenBlock::getNumber(const Fiber &fiber) const {
  return uint32_t((fiber.thread[2] * abi.block_dim[1] + fiber.thread[1]) *
                      abi.block_dim[0] +
                  fiber.thread[0]);
}

std::pair<WarpExchange *, uint32_t> OpenBlock::locate(const Fiber &fiber) {
  uint32_t index = getNumber(fiber);
  return {&warps[index / WarpExchange::laneCount],
          index % WarpExchange::laneCount};
}

inline Fiber *OpenBlock::next() {
  if (++position < runnableCount)
    return runnable[position];
  if (started < launch->fibers) {
    Fiber *fiber = scheduler->fibers.take();
    startThread(*fiber);
    return fiber;
  }
  return startRound();
}

inline void OpenBlock::gotSomewhere() {
  if (!stuck)
    return;
  stuck = false;
  credit = unitsOfTurn;
}

/// At the end of a round: each thread waits at the barrier or for lanes, and no
/// thread ended in it, which might have been the last that others wait for.
inline bool OpenBlock::isDeadlocked() const {
  return exchanging == kept && !exchanged && unfinished == unfinishedBefore;
}

/// Lets all threads go on in the next round: each waits at the barrier.
inline void OpenBlock::openBarrier() {
  gotSomewhere();
  credit -= unitsOfBarrier;
  waiting = 0;
  counted = std::exchange(votes, 0);
  if (liveCount != unfinished) {
    // A fiber that has ended its thread is idle, or another block's by now.
    uint32_t count = 0;
    for (uint32_t i = 0; i < liveCount; ++i)
      if (live[i]->block == this)
        live[count++] = live[i];
    liveCount = count;
    runnableCount = 0;
  }
  if (runnableCount != liveCount) {
    std::copy_n(live.begin(), liveCount, runnable.begin());
    runnableCount = liveCount;
  }
  if (!std::exchange(isForGrid, false))
    return;
  // Before it arrives: it may be the last one.
  meetings = launch->meetings();
  waitsForGrid = true;
  launch->arriveAtGrid();
}

Fiber *OpenBlock::startRound() {
  if (unfinished == 0)
    return nullptr;
  if (waiting == unfinished) {
    openBarrier();
  } else {
    if (gathering)
      formGroups();
    if (isDeadlocked()) {
      deadlocked = true;
      return nullptr;
    }
    if (exchanged) {
      gotSomewhere();
      credit -= unitsOfBarrier;
    } else if (kept == runnableCount) {
      credit -= unitsOfIdleRound;
    } else {
      gotSomewhere();
      credit -= unitsOfMixedRound;
    }
    runnableCount = kept;
  }
  exchanged = false;
  unfinishedBefore = unfinished;
  kept = exchanging = gathering = 0;
  position = 0;
  return credit > 0 && !waitsForGrid ? runnable[0] : nullptr;
}

//===----------------------------------------------------------------------===//
// Switching
//===----------------------------------------------------------------------===//

/// Goes on with `to`; returns when something switches to `from` again.
[[gnu::always_inline]] inline void BlockScheduler::switchFrom(Fiber &from,
                                                              Fiber &to) {
  previous = &from;
  current = &to;
  from.notes.leave(to.notes);
  boost::context::fiber left = std::move(to.context).resume();
  from.notes.arrive(previous->notes);
  previous->context = std::move(left);
}

/// Goes on with `next`, or with the OS thread's own stack if there is none;
/// returns when the running fiber is to go on.
[[gnu::always_inline]] inline void BlockScheduler::passTo(Fiber *next) {
  Fiber *self = current;
  if (next != self)
    switchFrom(*self, next ? *next : main);
}

/// Goes on with another thread of `block`; returns in its next round.
[[gnu::always_inline]] inline void
BlockScheduler::letOthersRun(OpenBlock &block) {
  block.registerLive(current);
  block.runnable[block.kept++] = current;
  passTo(block.next());
}

inline void BlockScheduler::barrier(OpenBlock &block) {
  BlockScheduler &scheduler = *block.scheduler;
  scheduler.leaveKernel();
  block.registerLive(scheduler.current);
  ++block.waiting;
  scheduler.passTo(block.next());
  scheduler.enterKernel();
}

inline void BlockScheduler::gridBarrier(OpenBlock &block) {
  block.isForGrid = true;
  barrier(block);
}

inline void BlockScheduler::yield(OpenBlock &block) {
  BlockScheduler &scheduler = *block.scheduler;
  scheduler.leaveKernel();
  scheduler.letOthersRun(block);
  scheduler.enterKernel();
}

void BlockScheduler::exchange(OpenBlock &block, uint32_t mask, uint64_t value,
                              uint64_t *values) {
  BlockScheduler &scheduler = *block.scheduler;
  scheduler.leaveKernel();
  auto [warp, lane] = block.locate(*scheduler.current);
  if (!(mask >> lane & 1)) {
    block.stray = scheduler.current;
    block.strayMask = mask;
    // For good: the launch has failed.
    scheduler.passTo(nullptr);
  }
  warp->arrive(lane, mask, value, values);
  while (!warp->hasCompleted(lane)) {
    ++block.exchanging;
    scheduler.letOthersRun(block);
  }
  block.exchanged = true;
  scheduler.enterKernel();
}

/// Of a block without fibers: leaves the kernel.
void BlockScheduler::failOfStray(OpenBlock &block, uint32_t thread,
                                 uint32_t mask) {
  BlockScheduler &scheduler = *block.scheduler;
  scheduler.leaveKernel();
  block.launch->fail(describeStray(block, thread, mask));
  scheduler.landing.leave();
}

uint32_t BlockScheduler::getActiveMask(OpenBlock &block, uint32_t site) {
  BlockScheduler &scheduler = *block.scheduler;
  scheduler.leaveKernel();
  auto [warp, lane] = block.locate(*scheduler.current);
  warp->gather(lane, site);
  do {
    ++block.gathering;
    scheduler.letOthersRun(block);
  } while (warp->isGathering(lane));
  block.exchanged = true;
  scheduler.enterKernel();
  return warp->getGroup(lane);
}

void pyk_rt_barrier(pyk_rt_block *block) {
  BlockScheduler::barrier(*reinterpret_cast<OpenBlock *>(block));
}

int32_t pyk_rt_barrier_count(pyk_rt_block *block, uint32_t predicate) {
  auto &open = *reinterpret_cast<OpenBlock *>(block);
  open.votes += predicate != 0;
  BlockScheduler::barrier(open);
  return int32_t(open.counted);
}

void pyk_rt_grid_barrier(pyk_rt_block *block) {
  BlockScheduler::gridBarrier(*reinterpret_cast<OpenBlock *>(block));
}

void pyk_rt_yield(pyk_rt_block *block) {
  BlockScheduler::yield(*reinterpret_cast<OpenBlock *>(block));
}

void pyk_rt_exchange(pyk_rt_block *block, uint32_t mask, uint64_t value,
                     uint64_t *values) {
  BlockScheduler::exchange(*reinterpret_cast<OpenBlock *>(block), mask, value,
                           values);
}

void pyk_rt_stray_lane(pyk_rt_block *block, uint32_t thread, uint32_t mask) {
  BlockScheduler::failOfStray(*reinterpret_cast<OpenBlock *>(block), thread,
                              mask);
}

uint32_t pyk_rt_active_mask(pyk_rt_block *block, uint32_t site) {
  return BlockScheduler::getActiveMask(*reinterpret_cast<OpenBlock *>(block),
                                       site);
}

boost::context::fiber BlockScheduler::enter(Fiber *self,
                                            boost::context::fiber &&from) {
  BlockScheduler &scheduler = *self->block->scheduler;
  self->notes.arrive(scheduler.previous->notes);
  scheduler.previous->context = std::move(from);
  for (;;) {
    OpenBlock &block = *self->block;
    const Launch &launch = *block.launch;
    scheduler.enterKernel();
    launch.kernel->thread(&block.abi, self->thread[0], self->thread[1],
                          self->thread[2], launch.arguments);
    scheduler.leaveKernel();
    scheduler.finishThread(*self);
  }
}

/// Returns on `self` when it has a thread to run again.
void BlockScheduler::finishThread(Fiber &self) {
  OpenBlock &block = *self.block;
  auto [warp, lane] = block.locate(self);
  warp->end(lane);
  --block.unfinished;
  if (block.started < block.launch->fibers) {
    block.startThread(self);
    return;
  }
  self.block = nullptr;
  Fiber *next = block.next();
  fibers.give(&self);
  switchFrom(self, next ? *next : main);
}

/// Returns whether the block has ended: null is in its place in `open` then,
/// which the caller takes out.
bool BlockScheduler::giveTurn(size_t index) {
  OpenBlock &block = *open[index];
  if (block.waitsForGrid) {
    if (launch->meetings() == block.meetings)
      return false;
    block.waitsForGrid = false;
  }
  block.credit = block.stuck ? unitsOfStuckTurn : unitsOfTurn;
  // Until a round shows otherwise; the first turn has a first round.
  block.stuck = block.started > 0;
  Fiber *first;
  if (block.started == 0) {
    first = fibers.take();
    block.startThread(*first);
  } else {
    first = block.runnable[0];
  }
  switchFrom(main, *first);
  // The check of the program needs a stack of the usual size.
  while (Fiber *asking = interrupted) {
    interrupted = nullptr;
    launch->pollInterrupt();
    switchFrom(main, *asking);
  }
  if (block.deadlocked)
    launch->fail(describeDeadlock(block));
  if (block.stray)
    launch->fail(
        describeStray(block, block.getNumber(*block.stray), block.strayMask));
  if (block.unfinished > 0)
    return false;
  if (launch->kernel->waits_for_grid)
    launch->endBlock();
  spare.push_back(std::move(open[index]));
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

thread_local BlockScheduler *BlockScheduler::active = nullptr;

BlockScheduler::BlockScheduler() : fibers(enter) {
  main.notes.useThread();
  KernelThreads::get().add(registration);
}

BlockScheduler::~BlockScheduler() { KernelThreads::get().remove(registration); }

BlockScheduler &BlockScheduler::ofThisThread() {
  static thread_local BlockScheduler scheduler;
  return scheduler;
}

void BlockScheduler::run(Launch &newLaunch) {
  launch = &newLaunch;
  active = this;
  registration.isRunning.store(true);
  bool asks = this == launch->launcher && launch->asks();
  if (asks)
    KernelThreads::get().beginAsking(registration);
  switch (sigsetjmp(landing.target, /*savemask=*/0)) {
  case 0:
    landing.arm();
    runBlocks(*launch);
    landing.disarm();
    break;
  case FaultLanding::leaves:
    giveUp();
    break;
  default:
    launch->fail(describeFault());
    giveUp();
  }
  if (!open.empty()) {
    // The launch has failed, and these would wait for ever.
    open.clear();
    fibers.reset();
  }
  if (fibers.trim())
    // As many blocks have as much shared memory.
    spare.clear();
  if (asks)
    KernelThreads::get().endAsking(registration);
  registration.isRunning.store(false);
  active = nullptr;
}

/// After a jump out of the kernel: this runs on the OS thread's own stack.
void BlockScheduler::giveUp() {
  inKernel = false;
  interrupted = nullptr;
  if (current != &main)
    main.notes.arriveForGood(current->notes);
  current = &main;
  // What it holds is where this thread was, and must not be gone back to.
  new (&main.context) boost::context::fiber();
  // The other workers have no reason to go on.
  if (this == launch->launcher)
    KernelThreads::get().interrupt();
}

void BlockScheduler::interruptThisThread() {
  // The kernel's code is interrupted only where nothing is held.
  if (active && active->inKernel)
    active->interrupt();
}

void BlockScheduler::interrupt() {
  do {
    // Signals are not deferred, and what follows allocates: another one must
    // not jump out of it.
    leaveKernel();
    if (this == launch->launcher && launch->asks()) {
      if (current == &main) {
        launch->pollInterrupt();
      } else {
        interrupted = current;
        switchFrom(*current, main);
      }
    }
    if (launch->isToEnd())
      landing.leave();
    enterKernel();
    // For signals that came meanwhile.
  } while (launch->isAskedToEnd());
}

void BlockScheduler::runBlocks(Launch &launch) {
  try {
    if (launch.kernel->blocks)
      runLoops(launch);
    else
      runFibers(launch);
  } catch (const std::bad_alloc &) {
    // Thrown on this stack only, never on a fiber's.
    launch.fail(OpenBlock::outOfMemory());
  }
}

void BlockScheduler::runLoops(Launch &launch) {
  if (spare.empty())
    spare.push_back(std::make_unique<OpenBlock>());
  OpenBlock &block = *spare.back();
  if (Status status = block.begin(*this, launch); !status.ok()) {
    launch.fail(std::move(status));
    return;
  }
  loopBlock = &block;
  BlockCursor cursor(launch, this == launch.launcher, ThreadPool::getNumber());
  uint64_t begin, end;
  while (cursor.next(begin, end)) {
    launch.locate(begin, block.abi.block_id);
    enterKernel();
    launch.kernel->blocks(&block.abi, begin, end, launch.arguments);
    leaveKernel();
  }
}

/// Returns false if no further block can be opened: none is left, the bound is
/// reached, or there is no memory (which fails the launch if none is open).
bool BlockScheduler::openBlock(Launch &launch, BlockCursor &cursor) {
  // Of a grid that waits for all of its blocks, each has to begin.
  if (!launch.kernel->waits_for_grid &&
      fibers.inUse() + launch.fibers > LaunchLimits::residentThreadsPerWorker)
    return false;
  if (spare.empty())
    spare.push_back(std::make_unique<OpenBlock>());
  OpenBlock &block = *spare.back();
  block.live.resize(std::max<size_t>(block.live.size(), launch.fibers));
  block.runnable.resize(block.live.size());
  block.warps.resize(std::max<size_t>(
      block.warps.size(),
      (launch.fibers + WarpExchange::laneCount - 1) / WarpExchange::laneCount));
  makeRoomForOne(open);

  // Memory first: a block that was taken from the launch must run.
  Status status = fibers.reserve(launch.fibers);
  if (status.ok())
    status = block.begin(*this, launch);
  if (!status.ok()) {
    // Those that are open can go on without this one, unless they wait for it.
    if (open.empty() || launch.kernel->waits_for_grid)
      launch.fail(std::move(status));
    return false;
  }
  uint64_t begin, end;
  if (!cursor.next(begin, end))
    return false;
  if (launch.kernel->is_reversed)
    begin = launch.blocks - end;
  launch.locate(begin, block.abi.block_id);
  open.push_back(std::move(spare.back()));
  spare.pop_back();
  return true;
}

/// Gives every open block a turn, again and again. Only when none of them ended
/// in a pass are further ones opened: as many as are open, so that a barrier
/// across the grid costs few passes, while a kernel whose blocks do not wait
/// for each other has one open at a time.
void BlockScheduler::runFibers(Launch &launch) {
  fibers.setStackBytes(
      (launch.kernel->thread_runs_block ? stackOfBlock : stackOfThread) +
      2 * launch.kernel->local_bytes);
  bool isLaunching = this == launch.launcher;
  BlockCursor cursor(launch, isLaunching, ThreadPool::getNumber());
  do {
    if (isLaunching)
      launch.pollInterrupt();
    for (size_t i = 0; i < open.size(); ++i)
      giveTurn(i);
    auto ended = std::remove(open.begin(), open.end(), nullptr);
    bool anyEnded = ended != open.end();
    open.erase(ended, open.end());

    size_t wanted = anyEnded ? 0 : open.size();
    if (open.empty())
      wanted = 1;
    else if (!anyEnded)
      // What they wait for may be on another OS thread.
      std::this_thread::yield();
    // A new block gets its first turn at once: it takes the fibers that were
    // reserved for it before another block can.
    while (wanted > 0 && openBlock(launch, cursor))
      if (!giveTurn(open.size() - 1)) {
        --wanted;
      } else {
        open.pop_back();
        // The others may have waited for this one.
        if (!open.empty())
          wanted = 0;
      }
  } while (!open.empty() && !launch.isToEnd());
}
