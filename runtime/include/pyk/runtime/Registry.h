// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All devices of the machine. The only place that knows every backend.

#ifndef PYK_RUNTIME_REGISTRY_H
#define PYK_RUNTIME_REGISTRY_H

#include "pyk/runtime/Device.h"
#include "pyk/runtime/Status.h"

#include <cstdint>
#include <memory>
#include <string>

namespace pyk::runtime {

/// How a registry finds its devices.
struct RegistryOptions {
  /// The CUDA driver's library, as for dlopen. Empty: the environment variable
  /// PYK_LIBCUDA, or else "libcuda.so.1".
  std::string cudaLibrary;
};

/// The devices of the machine. A backend is looked for when it is first asked
/// for; what was found, or why not, stays. All members may be called by any
/// thread at any time.
class Registry {
public:
  /// A registry of its own, for tests; others use `ofProcess`. Devices live on
  /// after it.
  PYK_RUNTIME_EXPORT explicit Registry(RegistryOptions options = {});
  PYK_RUNTIME_EXPORT ~Registry();
  Registry(const Registry &) = delete;
  Registry &operator=(const Registry &) = delete;

  /// The process's registry; never destroyed.
  PYK_RUNTIME_EXPORT static Registry &ofProcess();

  /// How many devices `backend` has. Fails with Unavailable, saying why, if it
  /// cannot be used at all: no driver, or one that is too old.
  PYK_RUNTIME_EXPORT Result<int32_t> deviceCount(Backend backend);

  /// The device at `index`; always the same one. Fails as `deviceCount`, and
  /// with NotFound if there is none.
  PYK_RUNTIME_EXPORT Result<std::shared_ptr<Device>> device(Backend backend,
                                                            int32_t index);

  /// The driver's version as CUDA counts: 12040 is 12.4; 0 for the CPU. Fails
  /// as `deviceCount`.
  PYK_RUNTIME_EXPORT Result<int32_t> driverVersion(Backend backend);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_REGISTRY_H
