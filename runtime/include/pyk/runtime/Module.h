// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on a device: what it is loaded from, and its kernels.

#ifndef PYK_RUNTIME_MODULE_H
#define PYK_RUNTIME_MODULE_H

#include "pyk/runtime/ABI.h"
#include "pyk/runtime/Buffer.h"
#include "pyk/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pyk::runtime {

class Device;

/// Code for a device. A value; the bytes are only read while it is loaded.
struct DeviceImage {
  /// What messages call it.
  std::string name;
  /// For a GPU PTX text or a cubin, for the CPU an image (CpuImage.h); or an
  /// artifact that has them. Not owned.
  std::string_view code;
  /// GPUs only, as all that follows: registers per thread at most; 0 leaves it
  /// to the JIT.
  int32_t maxRegisters = 0;
  /// 0 to 4; -1 is the JIT's default.
  int32_t optimizationLevel = -1;
  /// Whether the machine code carries line numbers.
  bool lineInfo = false;
  /// Whether it carries what debuggers want; the optimization level must be 0
  /// or -1 then.
  bool debugInfo = false;
  /// Paths of files that it is linked with: .ptx, .cubin, .fatbin, .o or .a.
  /// What lets kernels launch kernels is not among them.
  std::vector<std::string> links;
};

/// A kernel that the CPU target compiled.
struct HostKernel {
  std::string name;
  /// Not owned; alive as long as the image's owner.
  const pyk_rt_kernel *kernel;
  /// The bytes of each parameter's value, in order: a launch that is queued
  /// copies them.
  std::vector<uint32_t> parameterBytes;
};

/// Code for the CPU.
struct HostImage {
  std::vector<HostKernel> kernels;
  /// Keeps the code alive; held until no module, kernel or launch of it is
  /// left.
  std::shared_ptr<void> owner;
};

/// What a kernel needs.
struct KernelInfo {
  int32_t registersPerThread;
  int32_t maxThreadsPerBlock;
  int64_t staticSharedBytes;
  int64_t localBytesPerThread;
  int64_t constantBytes;
  /// What a launch may ask for at present.
  int64_t maxDynamicSharedBytes;
};

/// What a kernel prefers first-level memory to be used for; CUDA's numbers.
enum class CachePreference : int32_t {
  Default = 0,
  Shared = 1,
  L1 = 2,
  Equal = 3,
};

/// A launch that fills a device.
struct BestBlock {
  /// The least number of blocks that does.
  int32_t minGrid;
  int32_t blockThreads;
};

/// A kernel of a module. It keeps the module's code loaded, and its device
/// alive. All members may be called by any thread at any time.
class Kernel {
public:
  PYK_RUNTIME_EXPORT virtual ~Kernel();
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// The device that it is loaded on.
  virtual Device &device() const = 0;

  /// Its name in the module. Owned by the kernel.
  const std::string &name() const { return kernelName; }

  /// What it needs.
  virtual Result<KernelInfo> info() = 0;

  /// Lets launches ask for `bytes` of dynamic shared memory. Not needed: a
  /// launch that asks for more raises the limit itself.
  virtual Status setMaxDynamicShared(int64_t bytes) = 0;

  /// Prefers shared memory: -1 for the default, or 0 to 100 percent of what is
  /// there. A hint, which the CPU checks and ignores.
  virtual Status setCarveout(int32_t percent) = 0;

  /// A hint, which the CPU ignores.
  virtual Status setCache(CachePreference preference) = 0;

  /// How many blocks of `blockThreads` threads one multiprocessor runs at a
  /// time.
  virtual Result<int32_t> activeBlocks(int32_t blockThreads,
                                       size_t dynamicSharedBytes) = 0;

  /// The size of block, at most `limit` (0: no limit), that fills the device
  /// best.
  virtual Result<BestBlock> bestBlock(size_t dynamicSharedBytes,
                                      int32_t limit) = 0;

protected:
  explicit Kernel(std::string name) : kernelName(std::move(name)) {}

private:
  const std::string kernelName;
};

/// Where a module keeps a variable.
struct ModuleSymbol {
  DeviceAddress address;
  size_t bytes;
};

/// Code that is loaded on a device. Destroying it unloads the code when no
/// kernel of it is left. All members may be called by any thread at any time.
class Module {
public:
  PYK_RUNTIME_EXPORT virtual ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// The kernel of that name. Fails with NotFound.
  virtual Result<std::unique_ptr<Kernel>> kernel(const std::string &name) = 0;

  /// The variable of that name. Fails with NotFound.
  virtual Result<ModuleSymbol> symbol(const std::string &name) = 0;

protected:
  Module() = default;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_MODULE_H
