// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primary context of a GPU between its retain and its release: every call
// of the driver that needs a context goes through it. It makes the context
// current, turns errors into statuses, and remembers the first one after which
// nothing works any more.

#ifndef PYK_RUNTIME_LIB_CUDA_CUDACONTEXT_H
#define PYK_RUNTIME_LIB_CUDA_CUDACONTEXT_H

#include "Driver.h"

#include "pyk/runtime/Status.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pyk::runtime {

/// A retained primary context. Held by its device and by every object made in
/// it; released when the last of them is gone, or at `retire`. All members may
/// be called by any thread.
class CudaContext {
public:
  /// Retains the primary context of `device`, which messages call `label`, and
  /// makes a memory pool if `pooled`.
  static Result<std::shared_ptr<CudaContext>>
  retain(std::shared_ptr<const Driver> driver, driver::CuDevice device,
         const std::string &label, bool pooled, size_t keptBytes);

  CudaContext(const CudaContext &) = delete;
  CudaContext &operator=(const CudaContext &) = delete;
  ~CudaContext();

  /// The functions to give to `call`.
  const Driver &functions() const { return *driver; }
  const std::shared_ptr<const Driver> &sharedFunctions() const {
    return driver;
  }

  /// CUcontext.
  driver::CuContext native() const { return context; }

  /// Where device memory comes from; null if the driver has no pools.
  driver::CuMemoryPool pool() const { return memoryPool; }

  /// How messages call the device.
  const std::string &label() const { return deviceLabel; }

  /// Calls `symbol`. `doing` is a phrase, or a function that makes one and is
  /// called on failure only. Fails with FailedPrecondition once retired and
  /// with DeviceLost once lost.
  template <typename Doing, typename Function, typename... Arguments>
  Status call(const Doing &doing, const DriverSymbol<Function> &symbol,
              Arguments... arguments) {
    driver::CuResult code = driver::Success;
    if (Status status = enter(doing, symbol, code, arguments...); !status.ok())
      return status;
    return code == driver::Success ? Status()
                                   : failure(phrase(doing), symbol.name, code);
  }

  /// The same, for functions that answer "not ready": true if they do not.
  template <typename Doing, typename Function, typename... Arguments>
  Result<bool> ask(const Doing &doing, const DriverSymbol<Function> &symbol,
                   Arguments... arguments) {
    driver::CuResult code = driver::Success;
    if (Status status = enter(doing, symbol, code, arguments...); !status.ok())
      return status;
    if (code == driver::NotReady)
      return false;
    if (code != driver::Success)
      return failure(phrase(doing), symbol.name, code);
    return true;
  }

  /// The same, where another call follows: whether the answer is "not ready". A
  /// failure that loses the context is left to that call, which has it too.
  template <typename Doing, typename Function, typename... Arguments>
  Result<bool> isPending(const Doing &doing,
                         const DriverSymbol<Function> &symbol,
                         Arguments... arguments) {
    driver::CuResult code = driver::Success;
    if (Status status = enter(doing, symbol, code, arguments...); !status.ok())
      return status;
    if (code != driver::Success && code != driver::NotReady &&
        !Driver::isSticky(code))
      return failure(phrase(doing), symbol.name, code);
    return code == driver::NotReady;
  }

  /// The same, for calls of destructors: does nothing if the context is gone,
  /// and keeps a failure for `takeFailure`. If another thread ends the context
  /// meanwhile, the object ends with it, and the failure is dropped.
  template <typename Function, typename... Arguments>
  void release(const char *doing, const DriverSymbol<Function> &symbol,
               Arguments... arguments) {
    if (broken.load())
      return;
    keepFailure(call(doing, symbol, arguments...));
  }

  /// The same, where the driver waits for all work before it does so: if work
  /// is left, nobody waits, and `collect` calls it later.
  template <typename Function, typename... Arguments>
  void releaseWhenIdle(const char *doing, const DriverSymbol<Function> &symbol,
                       Arguments... arguments) {
    releaseWhenIdle(doing, [this, doing, &symbol, arguments...] {
      release(doing, symbol, arguments...);
    });
  }

  /// Calls what was left for later and has nothing to wait for any more; costs
  /// one load if there is nothing.
  void collect();

  /// Waits for all work and then does the same with all that was left. Fails
  /// with Cancelled if the interrupt check asks to stop.
  Status synchronize(const char *doing);

  /// Lets `event` happen when all work has ended that is queued now; see
  /// CudaWait::forAllWork.
  Status recordAll(const char *doing, driver::CuEvent event);

  /// The failure of a call, with `log`; notes it if the context is lost by it.
  Status failure(std::string_view doing, const char *call,
                 driver::CuResult code, std::string_view log = {});

  /// Whether a call has failed because its context has ended.
  bool isOfEndedContext(const Status &status) const;

  /// Fails with FailedPrecondition once retired, with DeviceLost once lost.
  Status check(std::string_view doing);

  /// Whether `check` succeeds; costs one load.
  bool isUsable() const { return !broken.load(std::memory_order_relaxed); }

  /// The first failure of a release since the last call.
  Status takeFailure();

  /// Gives the context up for a reset; objects made in it are dead from now on.
  Status retire();

private:
  CudaContext(std::shared_ptr<const Driver> driver, driver::CuDevice device,
              std::string label)
      : driver(std::move(driver)), device(device),
        deviceLabel(std::move(label)) {}

  /// Makes the context current for a scope.
  class Guard {
  public:
    explicit Guard(CudaContext &context);
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;
    ~Guard();

    /// What failed, and how; then, how what it was made for has ended.
    const char *call = nullptr;
    driver::CuResult code = driver::Success;

  private:
    CudaContext &context;
    bool pushed = false;
  };

  template <typename Doing>
  std::string phrase(const Doing &doing) const {
    std::string text;
    if constexpr (std::is_convertible_v<Doing, std::string_view>)
      text = std::string_view(doing);
    else
      text = doing();
    return text + " on " + deviceLabel;
  }

  /// Calls `symbol` in this context; its answer goes to `code`.
  template <typename Doing, typename Function, typename... Arguments>
  Status enter(const Doing &doing, const DriverSymbol<Function> &symbol,
               driver::CuResult &code, Arguments... arguments) {
    if (broken.load(std::memory_order_relaxed))
      return check(phrase(doing));
    if (!symbol.call)
      return driver->lacks(phrase(doing), symbol.name, symbol.version);
    Guard guard(*this);
    if (guard.code != driver::Success)
      return failure(phrase(doing), guard.call, guard.code);
    code = guard.code = symbol.call(arguments...);
    return Status();
  }

  void releaseWhenIdle(const char *doing, std::function<void()> call);
  bool isIdle(const char *doing, driver::CuEvent event);
  /// `collect` of the thread that holds `collecting`.
  void collectHeld();
  /// Keeps a failure for `takeFailure`, unless it is one of an ended context.
  void keepFailure(Status status);
  Status makePool(size_t keptBytes);
  Status giveBack();

  const std::shared_ptr<const Driver> driver;
  const driver::CuDevice device;
  const std::string deviceLabel;
  driver::CuContext context = nullptr;
  driver::CuMemoryPool memoryPool = nullptr;

  /// Whether it is lost or retired.
  std::atomic<bool> broken{false};
  /// Whether `retire` was called: from then on the context may be gone.
  std::atomic<bool> ends{false};
  std::mutex mutex;
  bool retired = false;
  /// What lost it.
  Status firstFailure;
  /// What a release met.
  Status releaseFailure;

  /// A release, and what it waits for.
  struct Later {
    driver::CuEvent idle;
    std::function<void()> call;
  };
  /// In the order in which they came, which is that in which work ends.
  std::vector<Later> later;
  /// Held while entries are asked for and taken out: another thread would ask
  /// for an event that is destroyed.
  std::mutex collecting;
  std::atomic<bool> hasLater{false};
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CUDA_CUDACONTEXT_H
