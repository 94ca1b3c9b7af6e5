// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A point in the work of a stream that others wait for, or whose time is taken.

#ifndef PYK_RUNTIME_EVENT_H
#define PYK_RUNTIME_EVENT_H

#include "pyk/runtime/Status.h"

#include <cstdint>

namespace pyk::runtime {

class Device;
class Stream;

/// Whether an event takes the time; without, it is cheaper.
enum class EventTiming : int32_t { None = 0, Taken = 1 };

/// An event. It keeps its device alive. All members may be called by any thread
/// at any time.
class Event {
public:
  PYK_RUNTIME_EXPORT virtual ~Event();
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  /// The device it was made by.
  virtual Device &device() const = 0;

  /// CUevent as an integer; on the CPU a number of no other use.
  virtual uint64_t handle() const = 0;

  /// Lets the event happen when all work that `stream` has so far has ended.
  /// Forgets what was recorded before. Fails with InvalidArgument if `stream`
  /// is of another device.
  virtual Status record(Stream &stream) = 0;

  /// Whether it has happened; true if it was never recorded.
  virtual Result<bool> query() = 0;

  /// Waits until it has happened; returns at once if it was never recorded.
  virtual Status synchronize() = 0;

  /// Milliseconds from this event to `end`. Fails with FailedPrecondition if
  /// one of them was not recorded, has not happened or takes no time.
  virtual Result<double> millisecondsUntil(Event &end) = 0;

protected:
  Event() = default;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_EVENT_H
