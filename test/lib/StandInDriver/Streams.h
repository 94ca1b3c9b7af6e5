// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of work. A thread of each stream executes its tasks in order while the
// program goes on. A task waits for tasks of other streams: those of the
// default stream, or of the streams that keep order with it, and those before
// an event.

#ifndef PYK_TEST_LIB_STANDINDRIVER_STREAMS_H
#define PYK_TEST_LIB_STANDINDRIVER_STREAMS_H

#include "DriverTypes.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace standin {

/// A piece of work, from when it is queued.
struct Task {
  /// Does it, without the lock; its argument is what lost the context before.
  std::function<void(pyk::runtime::driver::CuResult)> work;
  /// Tasks that must finish first.
  std::vector<std::shared_ptr<Task>> after;
  bool isDone = false;
  /// When it was done.
  std::chrono::steady_clock::time_point end;
};

struct Stream {
  uintptr_t context = 0;
  bool isDefault = false;
  /// Whether it keeps no order with the default stream.
  bool isAlone = false;
  std::deque<std::shared_ptr<Task>> queue;
  /// What was queued last, also if it is done.
  std::shared_ptr<Task> last;
  /// Whether a thread works on the queue.
  bool hasThread = false;
};

} // namespace standin

#endif // PYK_TEST_LIB_STANDINDRIVER_STREAMS_H
