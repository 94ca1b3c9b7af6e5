// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stand-in driver as the tests use it: its control functions, and devices
// of it. What its functions do is in test/lib/StandInDriver/StandIn.h.

#ifndef PYK_TEST_UNIT_RUNTIME_STANDINSUPPORT_H
#define PYK_TEST_UNIT_RUNTIME_STANDINSUPPORT_H

#include "StandIn.h"

#include "pyk/runtime/Registry.h"

#include <dlfcn.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace pyk::runtime::test {

/// The control functions of one of the two libraries, which stay loaded.
class StandIn {
public:
  /// `name` is that of a file in the folder lib beside the one of this program.
  explicit StandIn(const char *name)
      : path(std::filesystem::canonical("/proc/self/exe")
                 .parent_path()
                 .parent_path() /
             "lib" / name),
        library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
    if (!library)
      throw std::runtime_error(dlerror());
  }

  /// The stand-in of a present driver.
  static StandIn &get() {
    static StandIn standIn("libpyk-standin-cuda.so");
    return standIn;
  }

  /// The one of before CUDA 11.2.
  static StandIn &old() {
    static StandIn standIn("libpyk-standin-cuda-old.so");
    return standIn;
  }

  void reset() { call<void()>("standin_reset"); }
  void setDevices(int32_t count) {
    call<void(int32_t)>("standin_set_devices", count);
  }
  void setVersion(int32_t version) {
    call<void(int32_t)>("standin_set_version", version);
  }
  void setMemory(uint64_t bytes) {
    call<void(uint64_t)>("standin_set_memory", bytes);
  }
  void hide(const char *symbol) {
    call<void(const char *)>("standin_hide", symbol);
  }
  void fail(const char *name, int32_t occurrence, int32_t result) {
    call<void(const char *, int32_t, int32_t)>("standin_fail", name, occurrence,
                                               result);
  }
  void failWork(int32_t result) {
    call<void(int32_t)>("standin_fail_work", result);
  }
  void setBusy(bool on) { call<void(int32_t)>("standin_set_busy", on); }
  /// Work on streams that keep no order with the default one does not end.
  void setBusyAlone() { call<void(int32_t)>("standin_set_busy", 2); }
  int32_t calls(const char *name = nullptr) {
    return call<int32_t(const char *)>("standin_calls", name);
  }
  const char *callAt(int32_t index) {
    return call<const char *(int32_t)>("standin_call", index);
  }
  int32_t live() { return call<int32_t()>("standin_live"); }
  std::string misuses() { return call<const char *()>("standin_misuses"); }
  void setKernel(const char *name, void (*run)(const standin_launch *)) {
    call<void(const char *, void (*)(const standin_launch *))>(
        "standin_set_kernel", name, run);
  }
  int64_t jitOption(int32_t option) {
    return call<int64_t(int32_t)>("standin_jit_option", option);
  }
  void *memory(uint64_t address) {
    return call<void *(uint64_t)>("standin_memory", address);
  }

  /// A registry that knows this driver.
  std::unique_ptr<Registry> registry() const {
    RegistryOptions options;
    options.cudaLibrary = path;
    return std::make_unique<Registry>(std::move(options));
  }

  /// A device of a driver that has just been started, with the kernels of the
  /// conformance tests.
  Result<std::shared_ptr<Device>> freshDevice();

  /// Where the library is.
  const std::string path;

private:
  template <typename Function, typename... Arguments>
  std::invoke_result_t<Function *, Arguments...> call(const char *name,
                                                      Arguments... arguments) {
    return reinterpret_cast<Function *>(dlsym(library, name))(arguments...);
  }

  void *library;
};

/// Gives the present stand-in the kernels of the conformance tests.
void setKernelsOfStandIn();

inline Result<std::shared_ptr<Device>> StandIn::freshDevice() {
  reset();
  if (this == &get())
    setKernelsOfStandIn();
  return registry()->device(Backend::Cuda, 0);
}

} // namespace pyk::runtime::test

#endif // PYK_TEST_UNIT_RUNTIME_STANDINSUPPORT_H
