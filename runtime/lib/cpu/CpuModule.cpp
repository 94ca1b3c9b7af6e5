// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code as a module. Registers and constants have no counterpart on the
// CPU; occupancy is what the block scheduler keeps open on each OS thread.

#include "../WorkCheck.h"
#include "CpuObjects.h"
#include "Launch.h"

#include <algorithm>
#include <set>

using namespace pyk::runtime;

Result<std::unique_ptr<Module>> CpuModule::create(const CpuOwner &owner,
                                                  HostImage image) {
  std::set<std::string> names;
  for (const HostKernel &kernel : image.kernels) {
    if (!kernel.kernel || !names.insert(kernel.name).second)
      return Status::failure(
          StatusCode::InvalidArgument, "making a module of host code",
          "kernel '" + kernel.name + "' " +
              (kernel.kernel ? "is there twice" : "has no description"),
          "pass each kernel once, with its description");
  }
  return std::unique_ptr<Module>(new CpuModule(owner, std::move(image)));
}

Result<std::unique_ptr<Kernel>> CpuModule::kernel(const std::string &name) {
  if (Status status = owner.check("looking for kernel '" + name + "'");
      !status.ok())
    return status;
  for (const HostKernel &kernel : image->kernels)
    if (kernel.name == name)
      return std::unique_ptr<Kernel>(new CpuKernel(owner, image, kernel));
  std::string known;
  for (const HostKernel &kernel : image->kernels)
    known += (known.empty() ? "'" : ", '") + kernel.name + "'";
  return Status::failure(
      StatusCode::NotFound, "looking for kernel '" + name + "'",
      "the module has none of that name",
      known.empty() ? "load a module with kernels" : "ask for one of " + known);
}

Result<ModuleSymbol> CpuModule::symbol(const std::string &name) {
  return Status::failure(StatusCode::NotFound,
                         "looking for variable '" + name + "'",
                         "modules of host code tell of no variables",
                         "pass the memory to the kernel as an argument");
}

int32_t CpuKernel::mostThreads() const {
  int64_t bound = kernel.kernel->max_threads;
  return int32_t(bound == 0 ? LaunchLimits::threadsPerBlock
                            : std::min(bound, LaunchLimits::threadsPerBlock));
}

Result<KernelInfo> CpuKernel::info() {
  if (Status status = owner.check("asking what kernel '" + name() + "' needs");
      !status.ok())
    return status;
  KernelInfo info = {};
  info.maxThreadsPerBlock = mostThreads();
  info.staticSharedBytes = kernel.kernel->static_shared_bytes;
  info.localBytesPerThread = int64_t(kernel.kernel->local_bytes);
  info.maxDynamicSharedBytes =
      std::max<int64_t>(0, LaunchLimits::sharedBytesPerBlock -
                               (info.staticSharedBytes + 15) / 16 * 16);
  return info;
}

Status CpuKernel::setMaxDynamicShared(int64_t bytes) {
  int64_t sharedBytes;
  return checkSharedBytes(
      "setting the dynamic shared memory of kernel '" + name() + "'",
      kernel.kernel->static_shared_bytes, bytes,
      LaunchLimits::sharedBytesPerBlock, "CUDA's", sharedBytes);
}

Status CpuKernel::setCarveout(int32_t percent) {
  return checkCarveout("setting the carve-out of kernel '" + name() + "'",
                       percent);
}

Status CpuKernel::setCache(CachePreference) { return Status(); }

Result<int32_t> CpuKernel::activeBlocks(int32_t blockThreads,
                                        size_t dynamicSharedBytes) {
  LaunchShape shape;
  shape.block[0] = blockThreads;
  shape.dynamicSharedBytes = int64_t(dynamicSharedBytes);
  if (Status status = checkCpuLaunch(launchingOnCpu, *kernel.kernel, shape);
      !status.ok())
    return status;
  return int32_t(LaunchLimits::residentThreadsPerWorker /
                 countFibers(*kernel.kernel, blockThreads));
}

Result<BestBlock> CpuKernel::bestBlock(size_t dynamicSharedBytes,
                                       int32_t limit) {
  // Small enough that few threads already make blocks for several OS threads.
  constexpr int32_t best = 256;
  int32_t most = std::min(mostThreads(), best);
  int32_t block = limit > 0 ? std::min(limit, most) : most;
  Result<int32_t> active = activeBlocks(block, dynamicSharedBytes);
  if (!active.ok())
    return active.status();
  Result<int32_t> workers = cpuThreadCount();
  if (!workers.ok())
    return workers.status();
  return BestBlock{workers.value(), block};
}
