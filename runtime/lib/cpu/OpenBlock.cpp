// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens once a block, or once a round of one whose threads gather; the
// rest is in BlockScheduler.cpp, where it is inlined.

#include "BlockScheduler.h"

#include <algorithm>
#include <cstdlib>

using namespace pyk::runtime;

static constexpr size_t sharedAlignment = 128;

Status OpenBlock::outOfMemory() {
  return Status::failure(StatusCode::OutOfMemory,
                         "launching a kernel on the CPU",
                         "the system gave no memory for a block",
                         "free memory, or set PYK_CPU_THREADS to a smaller "
                         "number");
}

OpenBlock::~OpenBlock() { std::free(abi.shared); }

Status OpenBlock::begin(BlockScheduler &owner, Launch &newLaunch) {
  scheduler = &owner;
  launch = &newLaunch;
  for (int i = 0; i < 3; ++i) {
    abi.block_dim[i] = launch->block[i];
    abi.grid_dim[i] = launch->grid[i];
  }
  abi.dynamic_shared_bytes = launch->dynamicSharedBytes;
  abi.bytes_kept = launch->bytesKept;
  liveCount = runnableCount = kept = position = 0;
  started = waiting = votes = counted = 0;
  stuck = exchanged = deadlocked = isForGrid = waitsForGrid = false;
  exchanging = gathering = 0;
  stray = nullptr;
  unfinished = unfinishedBefore = launch->fibers;
  uint32_t left = launch->fibers;
  for (WarpExchange &warp : warps) {
    warp.begin(std::min(left, WarpExchange::laneCount));
    left -= std::min(left, WarpExchange::laneCount);
  }
  for (int i = 0; i < 3; ++i)
    nextThread[i] = launch->kernel->is_reversed ? launch->block[i] - 1 : 0;
  if (sharedCapacity < launch->sharedBytes || !abi.shared) {
    std::free(abi.shared);
    sharedCapacity =
        std::max(sharedAlignment, (launch->sharedBytes + sharedAlignment - 1) /
                                      sharedAlignment * sharedAlignment);
    abi.shared = static_cast<char *>(
        std::aligned_alloc(sharedAlignment, sharedCapacity));
    if (!abi.shared)
      return outOfMemory();
  }
  return Status();
}

/// At the end of a round: each thread that `kept` counts waits for lanes of its
/// warp, or goes on in the next round.
void OpenBlock::formGroups() {
  auto next = runnable.begin(), end = next + kept;
  while (next != end) {
    WarpExchange *warp = locate(**next).first;
    uint32_t stopped = 0;
    for (; next != end; ++next) {
      auto [itsWarp, lane] = locate(**next);
      if (itsWarp != warp)
        break;
      stopped |= uint32_t(1) << lane;
    }
    warp->formGroup(stopped);
  }
}
