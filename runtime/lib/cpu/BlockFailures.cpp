// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch says of a block whose threads cannot go on.

#include "BlockScheduler.h"

#include <cstdio>
#include <string>

using namespace pyk::runtime;

static std::string tuple(const int32_t (&values)[3]) {
  return "(" + std::to_string(values[0]) + ", " + std::to_string(values[1]) +
         ", " + std::to_string(values[2]) + ")";
}

/// Says which thread waits, the first of several.
Status BlockScheduler::describeDeadlock(const OpenBlock &block) {
  return Status::failure(
      StatusCode::LaunchFailed, block.launch->running(),
      "thread " + tuple(block.runnable[0]->thread) + " of block " +
          tuple(block.abi.block_id) +
          " waits for threads of its warp that wait elsewhere",
      "let all threads that a mask names call the same function with it");
}

/// Says which thread, by its number in the block, has given which mask.
Status BlockScheduler::describeStray(const OpenBlock &block, uint32_t number,
                                     uint32_t lanes) {
  auto [width, height, depth] = block.abi.block_dim;
  auto x = uint32_t(width), y = uint32_t(height);
  const int32_t thread[] = {int32_t(number % x), int32_t(number / x % y),
                            int32_t(number / x / y)};
  char mask[2 + 8 + 1];
  std::snprintf(mask, sizeof(mask), "%#x", unsigned(lanes));
  return Status::failure(
      StatusCode::LaunchFailed, block.launch->running(),
      "thread " + tuple(thread) + " of block " + tuple(block.abi.block_id) +
          ", lane " + std::to_string(number % WarpExchange::laneCount) +
          " of its warp, is not in the mask " + mask + " that it gives",
      "let only threads that a mask names call a function with it");
}

/// Says which block, and if it is known which thread, made the bad access or
/// reached a breakpoint.
Status BlockScheduler::describeFault() {
  const OpenBlock &block = current == &main ? *loopBlock : *current->block;
  std::string who = "a thread";
  if (current != &main && !launch->kernel->thread_runs_block)
    who = "thread " + tuple(current->thread);
  if (landing.isBreakpoint())
    return Status::failure(
        StatusCode::LaunchFailed, launch->running(),
        who + " of block " + tuple(block.abi.block_id) +
            " reached a breakpoint, and no debugger is attached",
        "run the program in gdb, or remove breakpoint()");
  if (fibers.isGuarded(landing.address(), landing.stack()) ||
      (current == &main && landing.isAtEndOfStack()))
    return Status::failure(StatusCode::IllegalAddress, launch->running(),
                           who + " of block " + tuple(block.abi.block_id) +
                               " ran out of stack",
                           "check that recursion ends, and after few calls");
  char address[2 + 16 + 1];
  std::snprintf(address, sizeof(address), "%#zx", size_t(landing.address()));
  return Status::failure(
      StatusCode::IllegalAddress, launch->running(),
      who + " of block " + tuple(block.abi.block_id) +
          " accessed memory at address " + address +
          ", which is not the program's",
      "check the kernel's indices against the shapes of its arrays");
}
