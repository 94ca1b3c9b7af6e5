// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading the driver. cuGetProcAddress is asked for the very version of each
// function that the table's prototype is of; the library's exported names
// serve drivers of before CUDA 11.3, which lack it.

#include "Driver.h"

#include <dlfcn.h>

#include <mutex>

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

namespace {

/// The oldest driver that is enough: PTX for compute capability 8.0, and the
/// present forms of the primary context's functions.
constexpr int32_t oldestVersion = 11000;

constexpr std::string_view loading = "loading the CUDA driver";

/// Hands out the functions of a library.
class SymbolLookup {
public:
  explicit SymbolLookup(void *library) : library(library) {
    second = reinterpret_cast<Second *>(dlsym(library, "cuGetProcAddress_v2"));
    first = reinterpret_cast<First *>(dlsym(library, "cuGetProcAddress"));
  }

  void *find(const char *name, const char *exported, int32_t version) const {
    // Where the driver hands functions out itself, its word is final: a name
    // that the library exports may have another form.
    void *found = nullptr;
    int32_t reason = 0;
    if (second)
      return second(name, &found, version, legacyStream, &reason) == Success
                 ? found
                 : nullptr;
    if (first)
      return first(name, &found, version, legacyStream) == Success ? found
                                                                   : nullptr;
    return dlsym(library, exported);
  }

private:
  /// The default stream is the legacy one, whatever the environment says.
  static constexpr uint64_t legacyStream = 1;

  using First = CuResult(const char *, void **, int, uint64_t);
  using Second = CuResult(const char *, void **, int, uint64_t, int32_t *);

  void *library;
  First *first;
  Second *second;
};

struct Mapping {
  StatusCode status;
  const char *remedy;
};

Mapping mappingOf(CuResult code) {
  switch (code) {
  case InvalidValue:
  case InvalidHandle:
    return {StatusCode::InvalidArgument, "check the values that were passed"};
  case OutOfMemory:
    return {StatusCode::OutOfMemory, "free arrays or use smaller ones"};
  case NoDevice:
  case InvalidDevice:
  case DeviceUnavailable:
    return {StatusCode::Unavailable,
            "check with nvidia-smi that the GPU can be used"};
  case StubLibrary:
    return {StatusCode::Unavailable,
            "remove the toolkit's stub of libcuda.so.1 from the library path"};
  case InvalidImage:
  case NoBinaryForGpu:
  case InvalidPtx:
  case InvalidSource:
    return {StatusCode::InvalidImage,
            "compile for the chip of this device, or report the log as a "
            "defect of PyK"};
  case UnsupportedPtxVersion:
  case JitCompilerNotFound:
    return {StatusCode::InvalidImage,
            "update the driver, or compile for an older PTX version"};
  case driver::NotFound:
    return {StatusCode::NotFound, "check the name"};
  case LaunchOutOfResources:
    return {StatusCode::LaunchFailed,
            "launch smaller blocks, or compile with fewer registers "
            "(max_registers)"};
  case CooperativeLaunchTooLarge:
    return {StatusCode::InvalidArgument,
            "launch fewer blocks, and let each thread do more"};
  case NotSupported:
    return {StatusCode::Unsupported, "use another device or driver"};
  case IllegalAddress:
  case MisalignedAddress:
  case InvalidAddressSpace:
    return {StatusCode::LaunchFailed,
            "look for an index out of range in the kernels launched before, "
            "and start the process again"};
  default:
    if (Driver::isSticky(code))
      return {StatusCode::LaunchFailed,
              "look for the cause in the kernels launched before, and start "
              "the process again"};
    return {StatusCode::DriverFailed,
            "look the error up in the documentation of the CUDA driver"};
  }
}

} // namespace

std::string pyk::runtime::cudaVersionText(int32_t version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

bool Driver::isSticky(CuResult code) {
  switch (code) {
  case Deinitialized:
  case EccUncorrectable:
  case NvlinkUncorrectable:
  case IllegalAddress:
  case LaunchTimeout:
  case ContextIsDestroyed:
  case Assert:
  case HardwareStackError:
  case IllegalInstruction:
  case MisalignedAddress:
  case InvalidAddressSpace:
  case InvalidPc:
  case driver::LaunchFailed:
    return true;
  default:
    return false;
  }
}

Status Driver::failure(std::string_view doing, const char *call, CuResult code,
                       std::string_view log) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName.call(code, &name) != Success || !name)
    name = "UNKNOWN_CUDA_ERROR";
  if (cuGetErrorString.call(code, &text) != Success)
    text = nullptr;
  std::string problem = "[" + std::to_string(int32_t(code)) + "] Call to " +
                        call + " results in " + name;
  if (text)
    problem.append(" (").append(text).append(")");
  if (!log.empty())
    problem.append(", with this log:\n").append(log).append("\n");
  Mapping mapping = mappingOf(code);
  return Status::failure(mapping.status, doing, problem, mapping.remedy,
                         {call, int32_t(code), name});
}

Status Driver::lacks(std::string_view doing, const char *call,
                     int32_t version) const {
  // No test: pools and launch attributes are used only where the driver has all
  // of them; this keeps a driver that has some from being called at null.
  return Status::failure(StatusCode::Unsupported, doing,
                         std::string("the driver, which supports CUDA ") +
                             cudaVersionText(driverVersion) + ", lacks " +
                             call + ", which CUDA " + cudaVersionText(version) +
                             " brought",
                         "update the driver");
}

Status Driver::resolve(void *handle) {
  SymbolLookup lookup(handle);
  enum Need { Required, Optional };
  const char *missing = nullptr;
  int32_t missingVersion = 0;
  // Types and members cannot stand in parentheses.
  // NOLINTBEGIN(bugprone-macro-parentheses)
#define PYK_DRIVER_SYMBOL(symbol, exported, version, need, parameters)         \
  symbol.call = reinterpret_cast<CuResult(*) parameters>(                      \
      lookup.find(#symbol, #exported, version));                               \
  if (!symbol.call && need == Required && !missing) {                          \
    missing = #symbol;                                                         \
    missingVersion = version;                                                  \
  }
#include "DriverSymbols.def"
  // NOLINTEND(bugprone-macro-parentheses)
  if (!missing)
    return Status();
  return Status::failure(StatusCode::Unavailable, loading,
                         "'" + library + "' lacks " + missing +
                             ", which CUDA " + cudaVersionText(missingVersion) +
                             " brought",
                         "install a driver for CUDA " +
                             cudaVersionText(oldestVersion) + " or later");
}

Status Driver::start() {
  if (Status status = call(loading, cuDriverGetVersion, &driverVersion);
      !status.ok())
    return status;
  if (driverVersion < oldestVersion)
    return Status::failure(
        StatusCode::Unavailable, loading,
        "'" + library + "' supports CUDA " + cudaVersionText(driverVersion) +
            ", and PyK needs CUDA " + cudaVersionText(oldestVersion),
        "update the driver");
  CuResult code = cuInit.call(0);
  if (code == NoDevice)
    return Status();
  if (code != Success) {
    Status status = failure("starting the CUDA driver", cuInit.name, code);
    return Status::failure(StatusCode::Unavailable, "starting the CUDA driver",
                           status.message().substr(status.message().find('[')),
                           "or use the CPU", *status.native());
  }
  return call("counting CUDA devices", cuDeviceGetCount, &devices);
}

Result<std::shared_ptr<const Driver>> Driver::load(const std::string &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    const char *reason = dlerror();
    return Status::failure(
        StatusCode::Unavailable, loading,
        reason ? reason : "the system gives no reason",
        "install NVIDIA's driver, name its library in PYK_LIBCUDA, or use the "
        "CPU");
  }
  std::shared_ptr<Driver> driver(new Driver);
  driver->library = library;
  if (Status status = driver->resolve(handle); !status.ok())
    return status;
  if (Status status = driver->start(); !status.ok())
    return status;
  return std::shared_ptr<const Driver>(std::move(driver));
}
