// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of a worker through its blocks: the index of a block is worked out
// by division once for each claim, then counted on.

#include "Launch.h"

using namespace pyk::runtime;

void Launch::pollInterrupt() {
  if (!hasFailed() && poll.asksToStop())
    fail(Status::failure(StatusCode::Cancelled, "running a kernel on the CPU",
                         "the program asked to stop",
                         "launch it again to run all of it"));
}

bool BlockCursor::next(int32_t id[3]) {
  if (current < end) {
    for (int i = 0; i < 3; ++i) {
      if (++index[i] < launch.grid[i])
        break;
      index[i] = 0;
    }
  } else {
    if (isLaunching)
      launch.pollInterrupt();
    if (launch.hasFailed() || !launch.claim(current, end))
      return false;
    uint64_t rest = current;
    for (int i = 0; i < 3; ++i) {
      index[i] = int32_t(rest % uint64_t(launch.grid[i]));
      rest /= uint64_t(launch.grid[i]);
    }
  }
  ++current;
  std::copy_n(index, 3, id);
  return true;
}
