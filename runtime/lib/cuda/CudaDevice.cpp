// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU. What can be asked without a context is asked without one: retaining it
// takes a tenth of a second and hundreds of megabytes.

#include "CudaObjects.h"
#include "CudaWait.h"

#include <algorithm>
#include <cstdio>

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

static std::string uuidText(const CuUuid &uuid) {
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x",
                  unsigned(static_cast<unsigned char>(uuid.bytes[i])));
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
      text += "-";
    text += digits;
  }
  return text;
}

Result<std::shared_ptr<Device>>
CudaDevice::create(const std::shared_ptr<const Driver> &driver, int32_t index) {
  std::string doing = "looking at cuda device " + std::to_string(index);
  CuDevice device = 0;
  if (Status status = driver->call(doing, driver->cuDeviceGet, &device, index);
      !status.ok())
    return status;
  char name[256] = {};
  if (Status status = driver->call(doing, driver->cuDeviceGetName, &name[0],
                                   int(sizeof(name)) - 1, device);
      !status.ok())
    return status;
  CuUuid uuid = {};
  if (Status status =
          driver->call(doing, driver->cuDeviceGetUuid, &uuid, device);
      !status.ok())
    return status;
  auto made =
      std::make_shared<CudaDevice>(driver, device, index, name, uuidText(uuid));
  if (Status status = made->readLimits(); !status.ok())
    return status;
  return std::shared_ptr<Device>(std::move(made));
}

Status CudaDevice::readLimits() {
  int64_t shared = 0, option = 0, pools = 0;
  const std::pair<DeviceAttribute, int64_t *> wanted[] = {
      {DeviceAttribute::MaxGridDimX, &launchLimits.shape.grid[0]},
      {DeviceAttribute::MaxGridDimY, &launchLimits.shape.grid[1]},
      {DeviceAttribute::MaxGridDimZ, &launchLimits.shape.grid[2]},
      {DeviceAttribute::MaxBlockDimX, &launchLimits.shape.block[0]},
      {DeviceAttribute::MaxBlockDimY, &launchLimits.shape.block[1]},
      {DeviceAttribute::MaxBlockDimZ, &launchLimits.shape.block[2]},
      {DeviceAttribute::MaxThreadsPerBlock,
       &launchLimits.shape.threadsPerBlock},
      {DeviceAttribute::MaxSharedMemoryPerBlock, &shared},
      {DeviceAttribute::MaxSharedMemoryPerBlockOptin, &option}};
  for (auto [attribute, value] : wanted) {
    Result<int64_t> got = this->attribute(attribute);
    if (!got.ok())
      return got.status();
    *value = got.value();
  }
  launchLimits.shape.whose = "the device's";
  launchLimits.sharedBytes = shared;
  launchLimits.sharedBytesOptin = std::max(shared, option);
  // A driver of before CUDA 11.2 does not know this attribute.
  if (driver->cuMemPoolCreate.call && driver->cuMemPoolSetAttribute.call &&
      driver->cuMemAllocFromPoolAsync.call && driver->cuMemFreeAsync.call) {
    Result<int64_t> got =
        this->attribute(DeviceAttribute::MemoryPoolsSupported);
    if (!got.ok())
      return got.status();
    pools = got.value();
  }
  pooled = pools != 0;
  return Status();
}

Result<int64_t> CudaDevice::attribute(DeviceAttribute attribute) {
  int value = 0;
  if (Status status = driver->call("asking for an attribute of the " + label(),
                                   driver->cuDeviceGetAttribute, &value,
                                   int32_t(attribute), device);
      !status.ok())
    return status;
  return int64_t(value);
}

Result<std::shared_ptr<CudaContext>> CudaDevice::retained() {
  // What the pool keeps from one synchronization to the next.
  constexpr size_t keptBytes = size_t(1) << 30;
  std::lock_guard<std::mutex> lock(mutex);
  if (current)
    return current;
  Result<std::shared_ptr<CudaContext>> made =
      CudaContext::retain(driver, device, label(), pooled, keptBytes);
  if (made.ok())
    current = made.value();
  return made;
}

Result<uint64_t> CudaDevice::context() {
  Result<std::shared_ptr<CudaContext>> context = retained();
  if (!context.ok())
    return context.status();
  return uint64_t(reinterpret_cast<uintptr_t>(context.value()->native()));
}

Status CudaDevice::setProfiling(bool on) {
  Result<std::shared_ptr<CudaContext>> context = retained();
  if (!context.ok())
    return context.status();
  const Driver &functions = context.value()->functions();
  return on ? context.value()->call("starting the profiler",
                                    functions.cuProfilerStart)
            : context.value()->call("stopping the profiler",
                                    functions.cuProfilerStop);
}

Result<MemoryInfo> CudaDevice::memoryInfo() {
  constexpr const char *doing = "asking for free memory";
  Result<std::shared_ptr<CudaContext>> context = retained();
  if (!context.ok())
    return context.status();
  const Driver &functions = context.value()->functions();
  size_t freeBytes = 0, totalBytes = 0;
  if (Status status = context.value()->call(doing, functions.cuMemGetInfo,
                                            &freeBytes, &totalBytes);
      !status.ok())
    return status;
  uint64_t reserved = 0, used = 0;
  CuMemoryPool pool = context.value()->pool();
  if (pool && functions.cuMemPoolGetAttribute.call)
    for (auto [attribute, value] :
         {std::pair(poolReservedBytes, &reserved), {poolUsedBytes, &used}})
      if (Status status = context.value()->call(
              doing, functions.cuMemPoolGetAttribute, pool, attribute,
              static_cast<void *>(value));
          !status.ok())
        return status;
  return MemoryInfo{freeBytes + (reserved - std::min(used, reserved)),
                    totalBytes};
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static Result<CudaOwner> ownerOf(CudaDevice &device) {
  Result<std::shared_ptr<CudaContext>> context = device.retained();
  if (!context.ok())
    return context.status();
  return CudaOwner{
      std::static_pointer_cast<CudaDevice>(device.shared_from_this()),
      std::move(context.value())};
}

static std::unique_ptr<Stream> streamOf(const CudaOwner &owner, CuStream stream,
                                        CudaStreamHandle::Origin origin) {
  return std::make_unique<CudaStream>(
      owner, std::make_shared<CudaStreamHandle>(owner.context, stream, origin));
}

static CuStream streamFrom(uint64_t handle) {
  return reinterpret_cast<CuStream>(static_cast<uintptr_t>(handle));
}

Result<std::unique_ptr<Buffer>>
CudaDevice::allocate(MemoryKind kind, size_t bytes, Stream *stream) {
  if (stream)
    if (Status status = checkSameDevice("allocating memory", "stream",
                                        stream->device(), *this);
        !status.ok())
      return status;
  Result<CudaOwner> owner = ownerOf(*this);
  if (!owner.ok())
    return owner.status();
  std::shared_ptr<CudaStreamHandle> handle =
      stream ? static_cast<CudaStream *>(stream)->sharedHandle()
             : std::make_shared<CudaStreamHandle>(
                   owner.value().context, nullptr,
                   CudaStreamHandle::Origin::Always);
  // A stream of before a reset must not order anything.
  if (Status status = handle->context->check("allocating memory"); !status.ok())
    return status;
  return CudaBuffer::allocate(owner.value(), kind, bytes, std::move(handle));
}

Result<std::unique_ptr<Buffer>>
CudaDevice::registerHost(MemoryKind kind, void *host, size_t bytes) {
  if (Status status = checkRegistration("registering memory of the host", kind,
                                        host, bytes);
      !status.ok())
    return status;
  Result<CudaOwner> owner = ownerOf(*this);
  if (!owner.ok())
    return owner.status();
  return CudaBuffer::registered(owner.value(), kind, host, bytes);
}

Result<std::unique_ptr<Stream>> CudaDevice::createStream(StreamOrder order) {
  Result<CudaOwner> owner = ownerOf(*this);
  if (!owner.ok())
    return owner.status();
  CudaContext &context = *owner.value().context;
  CuStream stream = nullptr;
  if (Status status = context.call(
          "making a stream", context.functions().cuStreamCreate, &stream,
          order == StreamOrder::Alone ? streamNonBlocking : 0u);
      !status.ok())
    return status;
  return streamOf(owner.value(), stream, CudaStreamHandle::Origin::Made);
}

Result<std::unique_ptr<Stream>> CudaDevice::defaultStream(DefaultStream which) {
  Result<CudaOwner> owner = ownerOf(*this);
  if (!owner.ok())
    return owner.status();
  return streamOf(owner.value(), streamFrom(uint64_t(which)),
                  CudaStreamHandle::Origin::Always);
}

Result<std::unique_ptr<Stream>> CudaDevice::externalStream(uint64_t handle) {
  if (handle <= uint64_t(DefaultStream::PerThread))
    return defaultStream(DefaultStream(handle));
  Result<CudaOwner> owner = ownerOf(*this);
  if (!owner.ok())
    return owner.status();
  CudaContext &context = *owner.value().context;
  constexpr const char *doing = "using a stream of somebody else";
  CuContext its = nullptr;
  if (Status status = context.call(doing, context.functions().cuStreamGetCtx,
                                   streamFrom(handle), &its);
      !status.ok())
    return status;
  if (its != context.native())
    return Status::failure(StatusCode::InvalidArgument, doing,
                           "the stream does not belong to the primary context "
                           "of " +
                               label(),
                           "pass a stream of this device");
  return streamOf(owner.value(), streamFrom(handle),
                  CudaStreamHandle::Origin::External);
}

Result<std::unique_ptr<Event>> CudaDevice::createEvent(EventTiming timing) {
  Result<CudaOwner> owner = ownerOf(*this);
  if (!owner.ok())
    return owner.status();
  CudaContext &context = *owner.value().context;
  CuEvent event = nullptr;
  if (Status status = context.call(
          "making an event", context.functions().cuEventCreate, &event,
          timing == EventTiming::None ? eventDisableTiming : 0u);
      !status.ok())
    return status;
  return std::unique_ptr<Event>(new CudaEvent(owner.value(), event, timing));
}

Result<std::unique_ptr<Module>>
CudaDevice::loadImage(const DeviceImage &image) {
  Result<CudaOwner> owner = ownerOf(*this);
  if (!owner.ok())
    return owner.status();
  return CudaModule::load(owner.value(), image);
}

Result<std::unique_ptr<Module>> CudaDevice::loadHost(HostImage) {
  return Status::failure(
      StatusCode::Unsupported, "making a module of host code",
      label() + " runs no code for the CPU", "compile the kernels for PTX");
}

//===----------------------------------------------------------------------===//
// All work
//===----------------------------------------------------------------------===//

Status CudaDevice::synchronize() {
  Result<std::shared_ptr<CudaContext>> context = retained();
  if (!context.ok())
    return context.status();
  if (Status status = context.value()->synchronize("waiting for all work");
      !status.ok())
    return status;
  return context.value()->takeFailure();
}

void CudaDevice::holdUntilDone(std::shared_ptr<void> held) {
  // As memory is freed: in the order of the default stream, behind all others.
  Result<std::unique_ptr<Stream>> stream =
      defaultStream(DefaultStream::Unnamed);
  // If the device is lost, no work is left that could use it.
  if (stream.ok())
    (void)stream.value()->addCallback([held](const Status &) {});
}

Status CudaDevice::reset() {
  // The driver waits for all work, and cannot be interrupted.
  std::shared_ptr<CudaContext> used;
  {
    std::lock_guard<std::mutex> lock(mutex);
    used = current;
  }
  if (used) {
    CudaWait wait(*used, "resetting");
    // Other failures end with the context.
    if (Status status = wait.forAllWork();
        status.code() == StatusCode::Cancelled)
      return status;
  }
  std::lock_guard<std::mutex> lock(mutex);
  Status released;
  if (current) {
    released = current->retire();
    current = nullptr;
  }
  Status status = driver->call("resetting " + label(),
                               driver->cuDevicePrimaryCtxReset, device);
  return status.ok() ? released : status;
}
