// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of a worker through its blocks: how many it takes at once, and when
// it looks whether to go on.

#include "Launch.h"

#include "MemoryFault.h"

using namespace pyk::runtime;

/// A claim should take about as long: short against how soon a program that is
/// interrupted ends, long against what a claim costs.
static constexpr std::chrono::milliseconds claimTime{20};

static Status stopped(const Launch &launch) {
  return Status::failure(StatusCode::Cancelled, launch.running(),
                         "the program asked to stop",
                         "launch it again to run all of it");
}

void Launch::pollInterrupt() {
  if (hasFailed())
    return;
  // What is asked is the program's, and may hold its locks.
  FaultLanding::Pause pause;
  if (poll.asksToStop())
    cancel();
}

void Launch::cancel() { fail(stopped(*this)); }

bool Launch::isToEnd() {
  if (!isAskedToEnd())
    return false;
  if (!hasFailed())
    cancel();
  return true;
}

Status Launch::finish() {
  printed.write();
  outside.warn(kernel->name, [&](const ThreadPosition &position) {
    int32_t id[3];
    locate(position.block, id);
    auto print = [](int64_t x, int64_t y, int64_t z) {
      return "[" + std::to_string(x) + ", " + std::to_string(y) + ", " +
             std::to_string(z) + "]";
    };
    uint32_t row = position.thread / uint32_t(block[0]);
    return "thread " +
           print(position.thread % uint32_t(block[0]), row % uint32_t(block[1]),
                 row / uint32_t(block[1])) +
           " of block " + print(id[0], id[1], id[2]);
  });
  return std::move(failure);
}

static Status abandoned(const Launch &launch) {
  return Status::failure(
      StatusCode::LaunchFailed, launch.running(),
      "a block waits for the whole grid, of which other blocks have ended",
      "let all threads of the grid call sync() as often");
}

// Of the last one to come and of one that ends, at least one sees all others.
void Launch::arriveAtGrid() {
  uint64_t waiting = ++gridWaiting;
  if (waiting == blocks) {
    gridWaiting = 0;
    gridMeetings.fetch_add(1, std::memory_order_release);
  } else if (waiting + ended == blocks) {
    fail(abandoned(*this));
  }
}

void Launch::endBlock() {
  uint64_t done = ++ended;
  uint64_t waiting = gridWaiting;
  if (waiting > 0 && waiting + done == blocks)
    fail(abandoned(*this));
}

/// One block at first, then twice as many as before as long as that is quick.
uint64_t BlockCursor::claimSize() {
  if (launch.chunk == 1)
    return 1;
  auto now = std::chrono::steady_clock::now();
  auto took = now - claimedAt;
  claimedAt = now;
  if (claimed == 0)
    return claimed = 1;
  if (took > claimTime)
    return claimed = std::max<uint64_t>(1, claimed * claimTime / took);
  if (took < claimTime / 4)
    claimed = std::min(2 * claimed, launch.chunk);
  return claimed;
}

bool BlockCursor::next(uint64_t &begin, uint64_t &end) {
  if (isLaunching)
    launch.pollInterrupt();
  return !launch.isToEnd() &&
         launch.claims.claim(begin, end, claimSize(), part);
}
