// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for each backend once, when it is first asked for: loading a driver
// takes a tenth of a second that a program for the CPU should not wait.

#include "pyk/runtime/Registry.h"

#include "cpu/CpuObjects.h"
#include "cuda/CudaBackend.h"

#include <cstdlib>
#include <mutex>
#include <vector>

using namespace pyk::runtime;

/// The devices of a backend, or why there is none.
namespace {
struct Found {
  std::vector<std::shared_ptr<Device>> devices;
  int32_t driverVersion = 0;
  Status failure;
};
} // namespace

struct Registry::State {
  RegistryOptions options;
  std::once_flag lookedForCpu, lookedForCuda;
  Found cpu, cuda;

  const Found &find(Backend backend);
};

static std::string libraryFromEnvironment() {
  const char *named = std::getenv("PYK_LIBCUDA");
  return named && *named ? named : "libcuda.so.1";
}

const Found &Registry::State::find(Backend backend) {
  if (backend == Backend::Cpu) {
    std::call_once(lookedForCpu, [this] {
      cpu.devices.push_back(std::make_shared<CpuDevice>());
    });
    return cpu;
  }
  std::call_once(lookedForCuda, [this] {
    Result<CudaBackend> opened =
        openCuda(options.cudaLibrary.empty() ? libraryFromEnvironment()
                                             : options.cudaLibrary);
    if (!opened.ok()) {
      cuda.failure = opened.status();
      return;
    }
    cuda.devices = std::move(opened.value().devices);
    cuda.driverVersion = opened.value().driverVersion;
  });
  return cuda;
}

Registry::Registry(RegistryOptions options) : state(std::make_unique<State>()) {
  state->options = std::move(options);
}

Registry::~Registry() = default;

Registry &Registry::ofProcess() {
  static auto *registry = new Registry;
  return *registry;
}

Result<int32_t> Registry::deviceCount(Backend backend) {
  const Found &found = state->find(backend);
  if (!found.failure.ok())
    return found.failure;
  return int32_t(found.devices.size());
}

Result<std::shared_ptr<Device>> Registry::device(Backend backend,
                                                 int32_t index) {
  const Found &found = state->find(backend);
  if (!found.failure.ok())
    return found.failure;
  if (index >= 0 && size_t(index) < found.devices.size())
    return found.devices[size_t(index)];
  std::string name = backendName(backend);
  std::string count = std::to_string(found.devices.size());
  return Status::failure(
      StatusCode::NotFound, "choosing a " + name + " device",
      "there is none with index " + std::to_string(index) + ", only " + count +
          (found.devices.size() == 1 ? " device" : " devices"),
      found.devices.empty() ? "use the CPU"
                            : "choose an index from 0 to " +
                                  std::to_string(found.devices.size() - 1));
}

Result<int32_t> Registry::driverVersion(Backend backend) {
  const Found &found = state->find(backend);
  if (!found.failure.ok())
    return found.failure;
  return found.driverVersion;
}
