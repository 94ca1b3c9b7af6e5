// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU and its objects, each a thin owner of one of the driver's handles.

#ifndef PYK_RUNTIME_LIB_CUDA_CUDAOBJECTS_H
#define PYK_RUNTIME_LIB_CUDA_CUDAOBJECTS_H

#include "../WorkCheck.h"
#include "CudaContext.h"

#include "pyk/runtime/Device.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace pyk::runtime {

class CudaWait;

/// What launches may ask of a GPU. A value, read once.
struct CudaLimits {
  ShapeLimits shape;
  /// Dynamic shared memory of a block that needs no permission, and with it.
  int64_t sharedBytes, sharedBytesOptin;
};

/// A GPU. Thread rules are those of Device, here and below.
class CudaDevice final : public Device {
public:
  /// Asks the driver for the device at `index`.
  static Result<std::shared_ptr<Device>>
  create(const std::shared_ptr<const Driver> &driver, int32_t index);

  CudaDevice(std::shared_ptr<const Driver> driver, driver::CuDevice device,
             int32_t index, std::string name, std::string uuid)
      : Device(Backend::Cuda, index, std::move(name), std::move(uuid)),
        driver(std::move(driver)), device(device) {}

  Result<int64_t> attribute(DeviceAttribute attribute) override;
  Result<MemoryInfo> memoryInfo() override;
  Status setProfiling(bool on) override;
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
  void holdUntilDone(std::shared_ptr<void> held) override;
  Status reset() override;
  Result<uint64_t> context() override;

  /// What launches may ask for.
  const CudaLimits &limits() const { return launchLimits; }

  /// The primary context, retained at the first call after a reset.
  Result<std::shared_ptr<CudaContext>> retained();

private:
  Status readLimits();

  const std::shared_ptr<const Driver> driver;
  const driver::CuDevice device;
  CudaLimits launchLimits = {};
  bool pooled = false;
  std::mutex mutex;
  std::shared_ptr<CudaContext> current;
};

/// What every object holds: the device, and the context that it was made in.
struct CudaOwner {
  std::shared_ptr<CudaDevice> device;
  std::shared_ptr<CudaContext> context;
};

/// A CUstream, destroyed when the last user is gone. Buffers that are to be
/// freed on it hold it too.
struct CudaStreamHandle {
  enum class Origin { Always, Made, External };

  CudaStreamHandle(std::shared_ptr<CudaContext> context,
                   driver::CuStream stream, Origin origin)
      : context(std::move(context)), stream(stream), origin(origin) {}
  CudaStreamHandle(const CudaStreamHandle &) = delete;
  CudaStreamHandle &operator=(const CudaStreamHandle &) = delete;
  ~CudaStreamHandle();

  const std::shared_ptr<CudaContext> context;
  driver::CuStream stream;
  const Origin origin;
};

/// Memory, and how it is freed.
class CudaBuffer final : public Buffer {
public:
  enum class Source { None, Pool, Device, Host, Registered };

  CudaBuffer(CudaOwner owner, MemoryKind kind, DeviceAddress address,
             void *host, size_t bytes, Source source,
             std::shared_ptr<CudaStreamHandle> stream)
      : Buffer(kind, address, host, bytes), owner(std::move(owner)),
        source(source), stream(std::move(stream)) {}
  ~CudaBuffer() override;

  /// Allocates; `stream` is not null.
  static Result<std::unique_ptr<Buffer>>
  allocate(const CudaOwner &owner, MemoryKind kind, size_t bytes,
           std::shared_ptr<CudaStreamHandle> stream);

  /// Registers the caller's memory.
  static Result<std::unique_ptr<Buffer>>
  registered(const CudaOwner &owner, MemoryKind kind, void *host, size_t bytes);

private:
  const CudaOwner owner;
  const Source source;
  /// What the memory is freed on. From the pool only.
  const std::shared_ptr<CudaStreamHandle> stream;
};

/// A loaded CUmodule.
class CudaModule final : public Module {
public:
  /// A CUmodule, unloaded when the last user is gone.
  struct Loaded {
    Loaded(std::shared_ptr<CudaContext> context, driver::CuModule module)
        : context(std::move(context)), module(module) {}
    Loaded(const Loaded &) = delete;
    Loaded &operator=(const Loaded &) = delete;
    ~Loaded();

    const std::shared_ptr<CudaContext> context;
    driver::CuModule module;
  };

  /// Loads `image` through the driver's JIT.
  static Result<std::unique_ptr<Module>> load(const CudaOwner &owner,
                                              const DeviceImage &image);

  Result<std::unique_ptr<Kernel>> kernel(const std::string &name) override;
  Result<ModuleSymbol> symbol(const std::string &name) override;

private:
  CudaModule(CudaOwner owner, std::shared_ptr<Loaded> loaded)
      : owner(std::move(owner)), loaded(std::move(loaded)) {}

  const CudaOwner owner;
  const std::shared_ptr<Loaded> loaded;
};

/// A CUfunction.
class CudaKernel final : public Kernel {
public:
  CudaKernel(CudaOwner owner, std::shared_ptr<CudaModule::Loaded> loaded,
             driver::CuFunction function, std::string name)
      : Kernel(std::move(name)), owner(std::move(owner)),
        loaded(std::move(loaded)), function(function) {}

  Device &device() const override { return *owner.device; }
  Result<KernelInfo> info() override;
  Status setMaxDynamicShared(int64_t bytes) override;
  Status setCarveout(int32_t percent) override;
  Status setCache(CachePreference preference) override;
  Result<int32_t> activeBlocks(int32_t blockThreads,
                               size_t dynamicSharedBytes) override;
  Result<BestBlock> bestBlock(size_t dynamicSharedBytes,
                              int32_t limit) override;

  /// Reads what launches are judged by; before the first use.
  Status readLimits();

  /// Fails with InvalidArgument if `config` exceeds a limit, and raises the
  /// limit of dynamic shared memory if that is all it needs.
  Status prepare(const LaunchConfig &config);

  /// CUfunction.
  driver::CuFunction native() const { return function; }

private:
  Result<int64_t> attribute(int32_t number);

  const CudaOwner owner;
  const std::shared_ptr<CudaModule::Loaded> loaded;
  driver::CuFunction function;
  int64_t maxThreads = 0, staticSharedBytes = 0, registers = 0;
  /// What launches may ask for at present.
  std::atomic<int64_t> maxDynamicShared{0};
};

/// A CUstream.
class CudaStream final : public Stream {
public:
  CudaStream(CudaOwner owner, std::shared_ptr<CudaStreamHandle> handle)
      : owner(std::move(owner)), shared(std::move(handle)) {}

  Device &device() const override { return *owner.device; }
  uint64_t handle() const override {
    return reinterpret_cast<uintptr_t>(shared->stream);
  }
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

  /// The stream's handle, shared.
  const std::shared_ptr<CudaStreamHandle> &sharedHandle() const {
    return shared;
  }

private:
  Status waitBefore(CudaWait &wait, Completion completion);
  /// Waits for all work unless it need not, or `status` is a failure.
  Status finish(Status status, Completion completion);

  const CudaOwner owner;
  const std::shared_ptr<CudaStreamHandle> shared;
};

/// A CUevent.
class CudaEvent final : public Event {
public:
  CudaEvent(CudaOwner owner, driver::CuEvent event, EventTiming timing)
      : owner(std::move(owner)), event(event), timing(timing) {}
  ~CudaEvent() override;

  Device &device() const override { return *owner.device; }
  uint64_t handle() const override {
    return reinterpret_cast<uintptr_t>(event);
  }
  Status record(Stream &stream) override;
  Result<bool> query() override;
  Status synchronize() override;
  Result<double> millisecondsUntil(Event &end) override;

  /// CUevent.
  driver::CuEvent native() const { return event; }

  /// Whether its context can still be used.
  Status check(std::string_view doing) { return owner.context->check(doing); }

private:
  Status checkTime();

  const CudaOwner owner;
  driver::CuEvent event;
  const EventTiming timing;
  std::atomic<bool> recorded{false};
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CUDA_CUDAOBJECTS_H
