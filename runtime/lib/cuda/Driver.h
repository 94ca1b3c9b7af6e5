// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver as a table of functions, and its errors as statuses. The
// library is loaded by name and never linked, so that one build serves machines
// with and without a driver.

#ifndef PYK_RUNTIME_LIB_CUDA_DRIVER_H
#define PYK_RUNTIME_LIB_CUDA_DRIVER_H

#include "DriverTypes.h"

#include "pyk/runtime/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace pyk::runtime {

/// A function of the driver.
template <typename Function>
struct DriverSymbol {
  /// As documented, "cuMemAlloc". Lives for ever.
  const char *name;
  /// The CUDA version that brought it: 12040 is 12.4.
  int32_t version;
  /// Null if the driver lacks it.
  Function *call = nullptr;
};

/// A loaded driver. It never changes after `load`; used by any thread. The
/// library stays loaded for the rest of the process.
class Driver {
public:
  /// Loads `library` and starts the driver. Fails with Unavailable if it is
  /// not there, not a driver, older than CUDA 11.0 or does not start. A driver
  /// that sees no device is a success.
  static Result<std::shared_ptr<const Driver>> load(const std::string &library);

  /// CUDA version that the driver supports: 12040 is 12.4.
  int32_t version() const { return driverVersion; }

  /// How many devices it has.
  int32_t deviceCount() const { return devices; }

  /// The failure of `call`, which returned `code`, while `doing`. `log` is what
  /// it wrote about it, if anything.
  Status failure(std::string_view doing, const char *call,
                 driver::CuResult code, std::string_view log = {}) const;

  /// The failure of a call that this driver lacks.
  Status lacks(std::string_view doing, const char *call, int32_t version) const;

  /// Whether a context that returned `code` is lost.
  static bool isSticky(driver::CuResult code);

  /// Calls a function that needs no context.
  template <typename Function, typename... Arguments>
  Status call(std::string_view doing, const DriverSymbol<Function> &symbol,
              Arguments... arguments) const {
    driver::CuResult code = symbol.call(arguments...);
    return code == driver::Success ? Status()
                                   : failure(doing, symbol.name, code);
  }

  using CuResult = driver::CuResult;
  using CuDevice = driver::CuDevice;
  using CuAddress = driver::CuAddress;
  using CuContext = driver::CuContext;
  using CuModule = driver::CuModule;
  using CuLinkState = driver::CuLinkState;
  using CuFunction = driver::CuFunction;
  using CuStream = driver::CuStream;
  using CuEvent = driver::CuEvent;
  using CuMemoryPool = driver::CuMemoryPool;
  using CuStreamCallback = driver::CuStreamCallback;
  using CuBlockToShared = driver::CuBlockToShared;
  using CuUuid = driver::CuUuid;
  using CuCopyRows = driver::CuCopyRows;
  using CuPoolProperties = driver::CuPoolProperties;
  using CuLaunchConfig = driver::CuLaunchConfig;

#define PYK_DRIVER_SYMBOL(name, exported, version, need, parameters)           \
  DriverSymbol<CuResult parameters> name = {#name, version};
#include "DriverSymbols.def"

private:
  Driver() = default;
  Status resolve(void *library);
  Status start();

  std::string library;
  int32_t driverVersion = 0;
  int32_t devices = 0;
};

/// "11.2" for 11020.
std::string cudaVersionText(int32_t version);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CUDA_DRIVER_H
