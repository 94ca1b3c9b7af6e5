// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work for a device, in order: launches, copies, fills, events and callbacks.

#ifndef PYK_RUNTIME_STREAM_H
#define PYK_RUNTIME_STREAM_H

#include "pyk/runtime/Buffer.h"
#include "pyk/runtime/CpuLaunch.h"
#include "pyk/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace pyk::runtime {

class Device;
class Event;
class Kernel;

/// How a stream stands to the legacy default stream.
enum class StreamOrder : int32_t {
  /// Work on the default stream waits for what this one has, and the reverse.
  WithDefault = 0,
  /// The two do not know each other.
  Alone = 1,
};

/// The streams that are always there; the numbers are CUDA's handles of them.
enum class DefaultStream : int32_t {
  /// What "no stream" means: the legacy default stream.
  Unnamed = 0,
  /// Work on it waits for all streams that keep order with it, and they for it.
  Legacy = 1,
  /// Each OS thread's own.
  PerThread = 2,
};

/// A launch. Dimensions are those of LaunchShape.
struct LaunchConfig : LaunchShape {
  /// All blocks run at a time, so that the grid may synchronize.
  bool cooperative = false;
};

/// Whether a call returns when the work is queued, or when it is done.
enum class Completion : int32_t { Queued = 0, Done = 1 };

/// Between which memories a copy goes.
enum class CopyDirection : int32_t { ToDevice = 0, ToHost = 1, OnDevice = 2 };

/// A copy of rows. Addresses are of the host or the device, as the direction
/// says; pitches are the bytes from one row to the next.
struct CopyRows {
  CopyDirection direction;
  uint64_t to, from;
  size_t toPitch, fromPitch;
  /// Bytes of a row that are copied; at most a pitch.
  size_t rowBytes;
  size_t rows;
};

/// A stream. What is queued runs in order, beside the host and other streams.
/// It keeps its device alive. All members may be called by any thread at any
/// time; the order of work is the order of the calls. Destroying a stream lets
/// the work that it has go on.
///
/// Work that fails shows at the next `query` or `synchronize` of its stream. On
/// the CPU the work behind it is dropped until then and the stream is good
/// again after it; a GPU is lost.
class Stream {
public:
  PYK_RUNTIME_EXPORT virtual ~Stream();
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  /// The device that it works for.
  virtual Device &device() const = 0;

  /// CUstream as an integer; 0, 1 and 2 are the streams that are always there.
  virtual uint64_t handle() const = 0;

  /// Launches `kernel`; `arguments[k]` points at the value of its k-th
  /// parameter, which is copied before the return. Fails with InvalidArgument
  /// if the shape exceeds a limit or the kernel is of another device. Allocates
  /// nothing once warm.
  virtual Status launch(Kernel &kernel, const LaunchConfig &config,
                        void *const *arguments) = 0;

  /// Copies `bytes` bytes to the device. Until the work is done, the memory at
  /// `from` must live and stay as it is.
  virtual Status copyToDevice(DeviceAddress to, const void *from, size_t bytes,
                              Completion completion) = 0;

  /// Copies `bytes` bytes from the device. Until the work is done, the memory
  /// at `to` must live.
  virtual Status copyToHost(void *to, DeviceAddress from, size_t bytes,
                            Completion completion) = 0;

  /// Queues a copy within the device.
  virtual Status copyOnDevice(DeviceAddress to, DeviceAddress from,
                              size_t bytes) = 0;

  /// Copies rows; memory of the host as in the other copies.
  virtual Status copyRows(const CopyRows &copy, Completion completion) = 0;

  /// Queues the setting of `count` elements of `elementBytes` (1, 2 or 4) bytes
  /// at `to`, which is aligned to them, to the low bytes of `value`.
  virtual Status fill(DeviceAddress to, uint32_t value, int32_t elementBytes,
                      size_t count) = 0;

  /// Lets later work wait for what `event` recorded last; nothing if it was
  /// never recorded.
  virtual Status wait(Event &event) = 0;

  /// What a stream calls when it has come so far: with success, or with why the
  /// work before failed.
  using Callback = std::function<void(const Status &)>;

  /// Queues a call of `callback`, on a thread of the runtime or the driver. It
  /// must not use the runtime. It is destroyed there too, or here on failure.
  virtual Status addCallback(Callback callback) = 0;

  /// Whether all work has ended. Fails if some of it has.
  virtual Result<bool> query() = 0;

  /// Waits until all work that was queued before has ended. Fails if some of it
  /// has.
  virtual Status synchronize() = 0;

protected:
  Stream() = default;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_STREAM_H
