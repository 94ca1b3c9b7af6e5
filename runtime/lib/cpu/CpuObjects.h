// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as a device: host memory, host code, and streams that are queues. The
// default streams have no queue: their work runs on the caller at once, after
// that of the streams which keep order with them.

#ifndef PYK_RUNTIME_LIB_CPU_CPUOBJECTS_H
#define PYK_RUNTIME_LIB_CPU_CPUOBJECTS_H

#include "CommandQueue.h"
#include "WaitPoint.h"

#include "pyk/runtime/Device.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

namespace pyk::runtime {

/// The CPU. Thread rules are those of Device, here and below.
class CpuDevice final : public Device {
public:
  CpuDevice();

  Result<int64_t> attribute(DeviceAttribute attribute) override;
  Result<MemoryInfo> memoryInfo() override;
  Status setProfiling(bool) override { return Status(); }
  Result<std::unique_ptr<Buffer>> allocate(MemoryKind kind, size_t bytes,
                                           Stream *stream) override;
  Result<std::unique_ptr<Buffer>> registerHost(MemoryKind kind, void *host,
                                               size_t bytes) override;
  Result<std::unique_ptr<Stream>> createStream(StreamOrder order) override;
  Result<std::unique_ptr<Stream>> defaultStream(DefaultStream which) override;
  Result<std::unique_ptr<Stream>> externalStream(uint64_t handle) override;
  Result<std::unique_ptr<Event>> createEvent(EventTiming timing) override;
  Result<std::unique_ptr<Module>> loadImage(const DeviceImage &image) override;
  Result<std::unique_ptr<Module>> loadHost(HostImage image) override;
  Status synchronize() override;
  void holdUntilDone(std::shared_ptr<void> held) override {
    queues->dropAfterWork(std::move(held));
  }
  Status reset() override;
  Result<uint64_t> context() override { return uint64_t(0); }

  /// Bytes of memory of the machine.
  static uint64_t physicalBytes();

  /// Bytes of it that programs could have now.
  static uint64_t freeBytes();

  /// The work of all its streams.
  CpuWork &work() { return *queues; }
  const std::shared_ptr<CpuWork> &sharedWork() const { return queues; }

  /// This device, as its objects hold it.
  std::shared_ptr<CpuDevice> self() {
    return std::static_pointer_cast<CpuDevice>(shared_from_this());
  }

  /// How often it was reset.
  uint64_t epoch() const { return resets.load(); }

private:
  const std::shared_ptr<CpuWork> queues;
  std::atomic<uint64_t> resets{0};
};

/// What every object of the device has: a hold on it, and the time it is of.
struct CpuOwner {
  explicit CpuOwner(std::shared_ptr<CpuDevice> device)
      : device(std::move(device)), epoch(this->device->epoch()) {}

  /// Fails with FailedPrecondition if the device was reset since.
  Status check(std::string_view doing) const;

  const std::shared_ptr<CpuDevice> device;
  const uint64_t epoch;
};

/// Memory of the host. `memory` is null for memory that somebody else owns.
class CpuBuffer final : public Buffer {
public:
  CpuBuffer(const CpuOwner &owner, MemoryKind kind, void *address, size_t bytes,
            std::shared_ptr<void> memory)
      : Buffer(kind, reinterpret_cast<uintptr_t>(address), address, bytes),
        owner(owner), memory(std::move(memory)) {}
  ~CpuBuffer() override;

  /// Allocates. Fails with OutOfMemory.
  static Result<std::unique_ptr<Buffer>>
  allocate(const CpuOwner &owner, MemoryKind kind, size_t bytes);

private:
  const CpuOwner owner;
  std::shared_ptr<void> memory;
};

/// Kernels by name.
class CpuModule final : public Module {
public:
  /// Fails with InvalidArgument if two kernels have one name.
  static Result<std::unique_ptr<Module>> create(const CpuOwner &owner,
                                                HostImage image);

  Result<std::unique_ptr<Kernel>> kernel(const std::string &name) override;
  Result<ModuleSymbol> symbol(const std::string &name) override;

private:
  CpuModule(const CpuOwner &owner, HostImage image)
      : owner(owner),
        image(std::make_shared<const HostImage>(std::move(image))) {}

  const CpuOwner owner;
  const std::shared_ptr<const HostImage> image;
};

/// A host function.
class CpuKernel final : public Kernel {
public:
  CpuKernel(const CpuOwner &owner, std::shared_ptr<const HostImage> image,
            const HostKernel &kernel)
      : Kernel(kernel.name), owner(owner), image(std::move(image)),
        kernel(kernel) {}

  Device &device() const override { return *owner.device; }
  Result<KernelInfo> info() override;
  Status setMaxDynamicShared(int64_t bytes) override;
  Status setCarveout(int32_t percent) override;
  Status setCache(CachePreference preference) override;
  Result<int32_t> activeBlocks(int32_t blockThreads,
                               size_t dynamicSharedBytes) override;
  Result<BestBlock> bestBlock(size_t dynamicSharedBytes,
                              int32_t limit) override;

  const CpuOwner owner;
  const std::shared_ptr<const HostImage> image;
  /// Owned by `image`.
  /// Threads of a block at most.
  int32_t mostThreads() const;

  const HostKernel &kernel;
};

/// An event. What it recorded last is an occurrence, which streams that wait
/// for it hold too, so that recording again does not disturb them.
class CpuEvent final : public Event {
public:
  /// One recording.
  struct Occurrence {
    /// Says that it has happened, now, after work that failed with `earlier`.
    void happen(const Status &earlier);
    /// Waits until it has happened. If the program asks to stop, cancels the
    /// work before it and fails with Cancelled; so it does on a thread that
    /// runs commands if the one that waits is cancelled.
    Status wait(std::string_view doing);

    std::atomic<bool> happened{false};
    /// Why the work before it failed; only once it has happened.
    Status failure;
    std::chrono::steady_clock::time_point time;
    WaitPoint point;
    /// The queue that it was recorded in, if any, and how many commands that
    /// had then.
    std::weak_ptr<CommandQueue> queue;
    uint64_t ticket = 0;
  };

  CpuEvent(const CpuOwner &owner, EventTiming timing)
      : owner(owner), timing(timing) {}

  Device &device() const override { return *owner.device; }
  uint64_t handle() const override { return reinterpret_cast<uintptr_t>(this); }
  Status record(Stream &stream) override;
  Result<bool> query() override;
  Status synchronize() override;
  Result<double> millisecondsUntil(Event &end) override;

  /// What was recorded last; null if nothing was.
  std::shared_ptr<Occurrence> latest();

private:
  Result<std::chrono::steady_clock::time_point> time();

  const CpuOwner owner;
  const EventTiming timing;
  std::mutex mutex;
  std::shared_ptr<Occurrence> occurrence;
};

/// A stream: a queue, or one of the default streams, which have none.
class CpuStream final : public Stream {
public:
  /// `queue` is null for a default stream; `owned` if it ends with this stream.
  CpuStream(const CpuOwner &owner, DefaultStream which,
            std::shared_ptr<CommandQueue> queue, bool owned)
      : owner(owner), which(which), queue(std::move(queue)), owned(owned) {}
  ~CpuStream() override;

  Device &device() const override { return *owner.device; }
  uint64_t handle() const override;
  Status launch(Kernel &kernel, const LaunchConfig &config,
                void *const *arguments) override;
  Status copyToDevice(DeviceAddress to, const void *from, size_t bytes,
                      Completion completion) override;
  Status copyToHost(void *to, DeviceAddress from, size_t bytes,
                    Completion completion) override;
  Status copyOnDevice(DeviceAddress to, DeviceAddress from,
                      size_t bytes) override;
  Status copyRows(const CopyRows &copy, Completion completion) override;
  Status fill(DeviceAddress to, uint32_t value, int32_t elementBytes,
              size_t count) override;
  Status wait(Event &event) override;
  Status addCallback(Callback callback) override;
  Result<bool> query() override;
  Status synchronize() override;

  /// Does or queues `action`, in order.
  Status perform(std::string_view doing, CommandQueue::Action action,
                 Completion completion, CommandQueue::CommandKind kind);

  /// Null for a default stream.
  const std::shared_ptr<CommandQueue> &commands() const { return queue; }

private:
  Status copy(std::string_view doing, uint64_t to, uint64_t from, size_t bytes,
              Completion completion);
  Status begin(std::string_view doing);

  const CpuOwner owner;
  const DefaultStream which;
  const std::shared_ptr<CommandQueue> queue;
  const bool owned;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_CPUOBJECTS_H
