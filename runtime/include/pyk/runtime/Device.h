// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device: what can be asked of it, and where its buffers, streams, events
// and modules come from. The CPU and each GPU are devices; the registry
// (Registry.h) has them all.

#ifndef PYK_RUNTIME_DEVICE_H
#define PYK_RUNTIME_DEVICE_H

#include "pyk/runtime/Buffer.h"
#include "pyk/runtime/Event.h"
#include "pyk/runtime/Module.h"
#include "pyk/runtime/Status.h"
#include "pyk/runtime/Stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace pyk::runtime {

/// The kinds of device.
enum class Backend : int32_t { Cpu = 0, Cuda = 1 };

/// Returns "cpu" or "cuda"; never null.
PYK_RUNTIME_EXPORT const char *backendName(Backend backend);

/// What can be asked of a device; CUDA's numbers.
enum class DeviceAttribute : int32_t {
#define PYK_DEVICE_ATTRIBUTE(identifier, name, number) identifier = (number),
#include "pyk/runtime/DeviceAttributes.def"
};

/// An attribute and its name.
struct NamedAttribute {
  DeviceAttribute attribute;
  /// CUDA's name without prefix, such as "WARP_SIZE". Lives for ever.
  const char *name;
};

/// Returns the attribute at `index` of the list of all, in the order of their
/// numbers; its name is null from the end on.
PYK_RUNTIME_EXPORT NamedAttribute deviceAttributeAt(int32_t index);

/// Returns the attribute of that name. Fails with NotFound.
PYK_RUNTIME_EXPORT Result<DeviceAttribute>
deviceAttributeNamed(std::string_view name);

/// The memory of a device, in bytes.
struct MemoryInfo {
  /// What can still be allocated, what the runtime keeps in reserve included.
  uint64_t freeBytes;
  uint64_t totalBytes;
};

/// A device. Held by shared pointers: by the registry, by users, and by every
/// object that was made from it, so that a device outlives what belongs to it.
/// All members may be called by any thread at any time.
class Device : public std::enable_shared_from_this<Device> {
public:
  PYK_RUNTIME_EXPORT virtual ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// What kind it is.
  Backend backend() const { return deviceBackend; }

  /// Its place among the devices of its kind, from 0.
  int32_t index() const { return deviceIndex; }

  /// What its maker calls it. Owned by the device.
  const std::string &name() const { return deviceName; }

  /// "GPU-" (CPU: "CPU-") and 32 hexadecimal digits in groups of 8-4-4-4-12.
  /// Owned by the device.
  const std::string &uuid() const { return deviceUuid; }

  /// "cpu device" or "cuda device 0": how messages call it. Owned by the
  /// device.
  const std::string &label() const { return deviceLabel; }

  /// The value of `attribute`, in CUDA's unit. Fails with Unsupported if this
  /// device or its driver does not know it.
  virtual Result<int64_t> attribute(DeviceAttribute attribute) = 0;

  /// How much memory there is.
  virtual Result<MemoryInfo> memoryInfo() = 0;

  /// Tells a profiler that watches the process to record from now on, or no
  /// longer. Without one nothing happens; a CPU's need no telling.
  virtual Status setProfiling(bool on) = 0;

  /// Allocates `bytes` bytes; 0 gives a buffer without memory. Device memory is
  /// ready, and later freed, in the order of `stream` (null: the default
  /// stream); other kinds are ready at once. Fails with OutOfMemory, and with
  /// Unsupported if the device has no such memory.
  virtual Result<std::unique_ptr<Buffer>>
  allocate(MemoryKind kind, size_t bytes, Stream *stream) = 0;

  /// Makes the caller's `bytes` bytes at `host` memory of `kind`, Pinned or
  /// Mapped, until the buffer goes; they must live longer.
  virtual Result<std::unique_ptr<Buffer>>
  registerHost(MemoryKind kind, void *host, size_t bytes) = 0;

  /// Makes a stream.
  virtual Result<std::unique_ptr<Stream>> createStream(StreamOrder order) = 0;

  /// One of the streams that are always there.
  virtual Result<std::unique_ptr<Stream>>
  defaultStream(DefaultStream which) = 0;

  /// A stream that somebody else owns and keeps alive: a CUstream as an
  /// integer, or on the CPU what `Stream::handle` of one of its streams
  /// returned. Fails with InvalidArgument if it belongs to another device.
  virtual Result<std::unique_ptr<Stream>> externalStream(uint64_t handle) = 0;

  /// Makes an event.
  virtual Result<std::unique_ptr<Event>> createEvent(EventTiming timing) = 0;

  /// Loads code that was compiled for this kind of device. Fails with
  /// InvalidImage if the code is damaged or the JIT refuses it, whose log is in
  /// the message then, and with Unsupported if it is for another kind of
  /// device, or for a processor that can do more.
  virtual Result<std::unique_ptr<Module>>
  loadImage(const DeviceImage &image) = 0;

  /// Makes a module of kernels that the CPU target compiled. Fails with
  /// InvalidArgument if two have one name, and with Unsupported on a GPU.
  virtual Result<std::unique_ptr<Module>> loadHost(HostImage image) = 0;

  /// Waits for all work. Reports the first failure of work that no stream has
  /// reported yet, or else of an object's destruction since the last call.
  virtual Status synchronize() = 0;

  /// Lets go of `held` once all work that is queued now has ended, as memory
  /// that is freed: at once if nothing is queued, else on a thread of the
  /// runtime or the driver, where what goes with it must not use the runtime.
  /// Work of a GPU's streams that are StreamOrder::Alone is not waited for.
  virtual void holdUntilDone(std::shared_ptr<void> held) = 0;

  /// Gives back all that the device holds, after the work that is queued.
  /// Objects made before are dead: using them fails with FailedPrecondition.
  virtual Status reset() = 0;

  /// The primary context (CUcontext) as an integer, which the device retains
  /// from its first use until it is reset or goes; 0 on the CPU.
  virtual Result<uint64_t> context() = 0;

protected:
  PYK_RUNTIME_EXPORT Device(Backend backend, int32_t index, std::string name,
                            std::string uuid);

private:
  const Backend deviceBackend;
  const int32_t deviceIndex;
  const std::string deviceName, deviceUuid, deviceLabel;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_DEVICE_H
