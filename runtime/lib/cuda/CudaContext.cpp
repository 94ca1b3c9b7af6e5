// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread without a context gets ours and keeps it, as CUDA's own runtime
// does: the next call then finds it with one query. A thread with another
// context gets it back after each call.

#include "CudaContext.h"

#include "CudaWait.h"

#include <utility>

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

CudaContext::Guard::Guard(CudaContext &context) : context(context) {
  const Driver &functions = *context.driver;
  CuContext current = nullptr;
  call = functions.cuCtxGetCurrent.name;
  code = functions.cuCtxGetCurrent.call(&current);
  if (code != Success || current == context.context)
    return;
  if (!current) {
    call = functions.cuCtxSetCurrent.name;
    code = functions.cuCtxSetCurrent.call(context.context);
    return;
  }
  call = functions.cuCtxPushCurrent.name;
  code = functions.cuCtxPushCurrent.call(context.context);
  pushed = code == Success;
}

CudaContext::Guard::~Guard() {
  if (!pushed)
    return;
  const Driver &functions = *context.driver;
  CuContext popped = nullptr;
  CuResult result = functions.cuCtxPopCurrent.call(&popped);
  // Of a call that has lost the context, it is a consequence.
  if (result != Success && !Driver::isSticky(code))
    context.keepFailure(context.failure(
        "giving a thread its context back on " + context.deviceLabel,
        functions.cuCtxPopCurrent.name, result));
}

Result<std::shared_ptr<CudaContext>>
CudaContext::retain(std::shared_ptr<const Driver> driver, CuDevice device,
                    const std::string &label, bool pooled, size_t keptBytes) {
  std::shared_ptr<CudaContext> made(
      new CudaContext(std::move(driver), device, label));
  CuContext context = nullptr;
  if (Status status = made->driver->call(
          "retaining the primary context on " + label,
          made->driver->cuDevicePrimaryCtxRetain, &context, device);
      !status.ok())
    return status;
  made->context = context;
  if (pooled)
    if (Status status = made->makePool(keptBytes); !status.ok())
      return status;
  return made;
}

Status CudaContext::makePool(size_t keptBytes) {
  constexpr std::string_view doing = "making a memory pool";
  CuPoolProperties properties = {};
  properties.allocType = allocationPinned;
  properties.locationType = locationDevice;
  properties.locationId = device;
  CuMemoryPool made = nullptr;
  CuResult code = Success;
  if (Status status =
          enter(doing, driver->cuMemPoolCreate, code, &made, &properties);
      !status.ok())
    return status;
  // Virtual GPUs may say that they have pools and mean the default one.
  if (code == NotSupported)
    return Status();
  if (code != Success)
    return failure(phrase(doing), driver->cuMemPoolCreate.name, code);
  memoryPool = made;
  uint64_t threshold = keptBytes;
  return call(doing, driver->cuMemPoolSetAttribute, made, poolReleaseThreshold,
              static_cast<void *>(&threshold));
}

CudaContext::~CudaContext() {
  // Nobody is left who could be told of a failure.
  if (context && !retired)
    (void)giveBack();
}

Status CudaContext::giveBack() {
  std::vector<Later> left;
  {
    std::lock_guard<std::mutex> own(collecting);
    std::lock_guard<std::mutex> lock(mutex);
    left.swap(later);
  }
  for (const Later &entry : left) {
    entry.call();
    release("destroying an event", driver->cuEventDestroy, entry.idle);
  }
  if (memoryPool)
    release("destroying a memory pool", driver->cuMemPoolDestroy, memoryPool);
  return driver->call("releasing the primary context on " + deviceLabel,
                      driver->cuDevicePrimaryCtxRelease, device);
}

Status CudaContext::retire() {
  bool wasLost;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (retired)
      return Status();
    wasLost = !firstFailure.ok();
  }
  ends.store(true);
  Status status = giveBack();
  std::lock_guard<std::mutex> lock(mutex);
  // What a lost context could not give back goes with it.
  if (status.ok() && !wasLost)
    status = releaseFailure;
  retired = true;
  broken.store(true);
  return status;
}

//===----------------------------------------------------------------------===//
// All work
//===----------------------------------------------------------------------===//

Status CudaContext::recordAll(const char *doing, CuEvent event) {
  if (driver->cuCtxRecordEvent.call)
    return call(doing, driver->cuCtxRecordEvent, context, event);
  // The legacy default stream waits for all but those that want no order.
  return call(doing, driver->cuEventRecord, event, CuStream(nullptr));
}

Status CudaContext::synchronize(const char *doing) {
  CudaWait wait(*this, doing);
  if (Status status = wait.forAllWork(); !status.ok())
    return status;
  if (Status status = call(doing, driver->cuCtxSynchronize); !status.ok())
    return status;
  // The caller expects that it is free; another thread may be freeing it.
  std::lock_guard<std::mutex> own(collecting);
  collectHeld();
  return Status();
}

void CudaContext::releaseWhenIdle(const char *doing,
                                  std::function<void()> releasing) {
  collect();
  if (broken.load())
    return;
  CuEvent idle = nullptr;
  if (Status status = call(doing, driver->cuEventCreate, &idle,
                           unsigned(eventDisableTiming));
      !status.ok()) {
    keepFailure(status);
    releasing();
    return;
  }
  if (Status status = recordAll(doing, idle); !status.ok())
    keepFailure(status);
  else if (!isIdle(doing, idle)) {
    std::lock_guard<std::mutex> lock(mutex);
    later.push_back({idle, std::move(releasing)});
    hasLater.store(true);
    return;
  }
  releasing();
  release("destroying an event", driver->cuEventDestroy, idle);
}

/// What cannot be asked for is not waited for: the driver will wait.
bool CudaContext::isIdle(const char *doing, CuEvent event) {
  Result<bool> ended = ask(doing, driver->cuEventQuery, event);
  keepFailure(ended.status());
  return !ended.ok() || ended.value();
}

void CudaContext::collect() {
  if (!hasLater.load(std::memory_order_relaxed))
    return;
  // Another thread that collects does it for this one, too.
  std::unique_lock<std::mutex> own(collecting, std::try_to_lock);
  if (own)
    collectHeld();
}

void CudaContext::collectHeld() {
  for (;;) {
    Later first;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (later.empty()) {
        hasLater.store(false);
        return;
      }
      first = later.front();
    }
    if (!isIdle("freeing what was left for later", first.idle))
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      later.erase(later.begin());
    }
    first.call();
    release("destroying an event", driver->cuEventDestroy, first.idle);
  }
}

Status CudaContext::failure(std::string_view doing, const char *call,
                            CuResult code, std::string_view log) {
  Status status = driver->failure(doing, call, code, log);
  if (!Driver::isSticky(code))
    return status;
  std::lock_guard<std::mutex> lock(mutex);
  if (firstFailure.ok())
    firstFailure = status;
  broken.store(true);
  return status;
}

Status CudaContext::check(std::string_view doing) {
  if (!broken.load())
    return Status();
  std::lock_guard<std::mutex> lock(mutex);
  if (retired)
    return Status::failure(StatusCode::FailedPrecondition, doing,
                           deviceLabel + " was reset since the object was made",
                           "make it anew");
  return Status::failure(StatusCode::DeviceLost, doing,
                         "an earlier failure has made the device unusable: " +
                             firstFailure.message(),
                         "only then will " + deviceLabel + " work again",
                         *firstFailure.native());
}

bool CudaContext::isOfEndedContext(const Status &status) const {
  const NativeFailure *native = status.native();
  return native &&
         (native->code == ContextIsDestroyed || native->code == Deinitialized ||
          (native->code == InvalidContext && ends.load()));
}

void CudaContext::keepFailure(Status status) {
  if (status.ok() || isOfEndedContext(status))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (releaseFailure.ok())
    releaseFailure = std::move(status);
}

Status CudaContext::takeFailure() {
  std::lock_guard<std::mutex> lock(mutex);
  Status taken;
  std::swap(taken, releaseFailure);
  return taken;
}
