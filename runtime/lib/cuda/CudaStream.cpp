// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work for a GPU. A launch is one query for the current context and one call of
// the driver; nothing is allocated for it.

#include "CudaObjects.h"
#include "CudaWait.h"

#include <tuple>

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

CudaStreamHandle::~CudaStreamHandle() {
  if (origin == Origin::Made)
    context->release("destroying a stream",
                     context->functions().cuStreamDestroy, stream);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Status CudaStream::launch(Kernel &kernel, const LaunchConfig &config,
                          void *const *arguments) {
  if (Status status = checkSameDevice("launching a kernel", "kernel",
                                      kernel.device(), device());
      !status.ok())
    return status;
  auto &launched = static_cast<CudaKernel &>(kernel);
  if (Status status = launched.prepare(config); !status.ok())
    return status;
  auto doing = [&] { return "launching kernel '" + kernel.name() + "'"; };
  CudaContext &context = *owner.context;
  const Driver &functions = context.functions();
  unsigned grid[3], block[3];
  for (int i = 0; i < 3; ++i) {
    grid[i] = unsigned(config.grid[i]);
    block[i] = unsigned(config.block[i]);
  }
  auto shared = unsigned(config.dynamicSharedBytes);
  auto values = const_cast<void **>(arguments);

  if (functions.cuLaunchKernelEx.call) {
    CuLaunchAttribute cooperative = {};
    cooperative.id = launchCooperative;
    cooperative.value.cooperative = 1;
    CuLaunchConfig launch = {grid[0],      grid[1],
                             grid[2],      block[0],
                             block[1],     block[2],
                             shared,       this->shared->stream,
                             &cooperative, config.cooperative ? 1u : 0u};
    return context.call(doing, functions.cuLaunchKernelEx,
                        static_cast<const CuLaunchConfig *>(&launch),
                        launched.native(), values,
                        static_cast<void **>(nullptr));
  }
  if (config.cooperative)
    return context.call(doing, functions.cuLaunchCooperativeKernel,
                        launched.native(), grid[0], grid[1], grid[2], block[0],
                        block[1], block[2], shared, this->shared->stream,
                        values);
  return context.call(doing, functions.cuLaunchKernel, launched.native(),
                      grid[0], grid[1], grid[2], block[0], block[1], block[2],
                      shared, this->shared->stream, values,
                      static_cast<void **>(nullptr));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {

/// What a transfer is doing: put together only when it fails.
struct Transfer {
  const char *verb;
  size_t bytes;
  std::string operator()() const {
    return std::string(verb) + " " + std::to_string(bytes) + " bytes";
  }
};

} // namespace

/// Before a copy too: memory that is not page-locked is copied by the driver's
/// call itself, which waits for what is queued before.
Status CudaStream::waitBefore(CudaWait &wait, Completion completion) {
  if (completion == Completion::Queued)
    return Status();
  return wait.forWorkBefore(shared->stream);
}

/// Asks nobody: a copy that has been queued uses memory of the host, which the
/// program could free once it is told that the wait was given up.
Status CudaStream::finish(Status status, Completion completion) {
  if (!status.ok() || completion == Completion::Queued)
    return status;
  CudaContext &context = *owner.context;
  return context.call("waiting for a stream",
                      context.functions().cuStreamSynchronize, shared->stream);
}

Status CudaStream::copyToDevice(DeviceAddress to, const void *from,
                                size_t bytes, Completion completion) {
  constexpr const char *doing = "copying to the device";
  if (Status status =
          checkCopy(doing, to, reinterpret_cast<uintptr_t>(from), bytes);
      !status.ok())
    return status;
  CudaContext &context = *owner.context;
  CudaWait wait(context, doing);
  if (Status status = waitBefore(wait, completion); !status.ok())
    return status;
  if (bytes == 0)
    return finish(context.check(doing), completion);
  return finish(context.call(Transfer{doing, bytes},
                             context.functions().cuMemcpyHtoDAsync, to, from,
                             bytes, shared->stream),
                completion);
}

Status CudaStream::copyToHost(void *to, DeviceAddress from, size_t bytes,
                              Completion completion) {
  constexpr const char *doing = "copying to the host";
  if (Status status =
          checkCopy(doing, reinterpret_cast<uintptr_t>(to), from, bytes);
      !status.ok())
    return status;
  CudaContext &context = *owner.context;
  CudaWait wait(context, doing);
  if (Status status = waitBefore(wait, completion); !status.ok())
    return status;
  if (bytes == 0)
    return finish(context.check(doing), completion);
  return finish(context.call(Transfer{doing, bytes},
                             context.functions().cuMemcpyDtoHAsync, to, from,
                             bytes, shared->stream),
                completion);
}

Status CudaStream::copyOnDevice(DeviceAddress to, DeviceAddress from,
                                size_t bytes) {
  if (Status status = checkCopy("copying on the device", to, from, bytes);
      !status.ok())
    return status;
  if (bytes == 0)
    return owner.context->check("copying on the device");
  return owner.context->call(Transfer{"copying on the device", bytes},
                             owner.context->functions().cuMemcpyDtoDAsync, to,
                             from, bytes, shared->stream);
}

Status CudaStream::copyRows(const CopyRows &copy, Completion completion) {
  constexpr const char *doing = "copying rows";
  if (Status status = checkRows(doing, copy); !status.ok())
    return status;
  CudaWait wait(*owner.context, doing);
  if (Status status = waitBefore(wait, completion); !status.ok())
    return status;
  if (copy.rowBytes == 0 || copy.rows == 0)
    return finish(owner.context->check(doing), completion);
  CuCopyRows native = {};
  bool fromHost = copy.direction == CopyDirection::ToDevice;
  bool toHost = copy.direction == CopyDirection::ToHost;
  native.srcMemoryType = fromHost ? memoryTypeHost : memoryTypeDevice;
  native.dstMemoryType = toHost ? memoryTypeHost : memoryTypeDevice;
  if (fromHost)
    native.srcHost =
        reinterpret_cast<const void *>(static_cast<uintptr_t>(copy.from));
  else
    native.srcDevice = copy.from;
  if (toHost)
    native.dstHost = reinterpret_cast<void *>(static_cast<uintptr_t>(copy.to));
  else
    native.dstDevice = copy.to;
  native.srcPitch = copy.fromPitch;
  native.dstPitch = copy.toPitch;
  native.widthInBytes = copy.rowBytes;
  native.height = copy.rows;
  return finish(owner.context->call(
                    doing, owner.context->functions().cuMemcpy2DAsync,
                    static_cast<const CuCopyRows *>(&native), shared->stream),
                completion);
}

Status CudaStream::fill(DeviceAddress to, uint32_t value, int32_t elementBytes,
                        size_t count) {
  if (Status status = checkFill("filling memory", to, elementBytes, count);
      !status.ok())
    return status;
  if (count == 0)
    return owner.context->check("filling memory");
  Transfer doing = {"filling", count * size_t(elementBytes)};
  const Driver &functions = owner.context->functions();
  if (elementBytes == 1)
    return owner.context->call(doing, functions.cuMemsetD8Async, to,
                               static_cast<unsigned char>(value), count,
                               shared->stream);
  if (elementBytes == 2)
    return owner.context->call(doing, functions.cuMemsetD16Async, to,
                               static_cast<unsigned short>(value), count,
                               shared->stream);
  return owner.context->call(doing, functions.cuMemsetD32Async, to, value,
                             count, shared->stream);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

Status CudaStream::wait(Event &event) {
  constexpr const char *doing = "letting a stream wait for an event";
  if (Status status = checkSameDevice(doing, "event", event.device(), device());
      !status.ok())
    return status;
  return owner.context->call(
      doing, owner.context->functions().cuStreamWaitEvent, shared->stream,
      static_cast<CudaEvent &>(event).native(), 0u);
}

namespace {

/// A callback on its way through the driver. It must not hold the context: a
/// callback cannot call the driver, not even to release something.
struct PendingCallback {
  std::shared_ptr<const Driver> driver;
  std::string doing;
  Stream::Callback callback;
};

void runCallback(CuStream, CuResult code, void *data) {
  std::unique_ptr<PendingCallback> pending(
      static_cast<PendingCallback *>(data));
  pending->callback(code == Success
                        ? Status()
                        : pending->driver->failure(
                              pending->doing, "cuStreamAddCallback", code));
}

} // namespace

Status CudaStream::addCallback(Callback callback) {
  auto pending = std::make_unique<PendingCallback>(
      PendingCallback{owner.context->sharedFunctions(),
                      "calling back from a stream on " + owner.context->label(),
                      std::move(callback)});
  Status status = owner.context->call(
      "adding a callback to a stream",
      owner.context->functions().cuStreamAddCallback, shared->stream,
      CuStreamCallback(runCallback), static_cast<void *>(pending.get()), 0u);
  // The driver's from here on; only then will it be called.
  if (status.ok())
    std::ignore = pending.release();
  return status;
}

Result<bool> CudaStream::query() {
  return owner.context->ask("asking for a stream",
                            owner.context->functions().cuStreamQuery,
                            shared->stream);
}

Status CudaStream::synchronize() {
  CudaWait wait(*owner.context, "waiting for a stream");
  return finish(waitBefore(wait, Completion::Done), Completion::Done);
}
