// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on a GPU. The JIT's log is part of its error. Limits of a kernel are
// read once, so that launches are judged without the driver.

#include "CudaLink.h"
#include "CudaObjects.h"
#include "JitOptions.h"
#include "pyk/runtime/Artifact.h"
#include "pyk/runtime/CpuImage.h"

#include <algorithm>

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// What the JIT, or the linker in its place, is asked for.
static void addOptions(const DeviceImage &image, JitOptions &options) {
  if (image.maxRegisters > 0)
    options.add(jitMaxRegisters, uintptr_t(image.maxRegisters));
  if (image.optimizationLevel >= 0 || image.debugInfo)
    options.add(jitOptimizationLevel,
                uintptr_t(std::max(image.optimizationLevel, 0)));
  if (image.debugInfo)
    options.add(jitDebugInfo, uintptr_t(1));
  if (image.lineInfo)
    options.add(jitLineInfo, uintptr_t(1));
}

Result<std::unique_ptr<Module>> CudaModule::load(const CudaOwner &owner,
                                                 const DeviceImage &image) {
  CudaContext &context = *owner.context;
  const Driver &functions = context.functions();
  std::string doing = "loading module '" + image.name + "'";
  if (image.maxRegisters < 0 || image.optimizationLevel < -1 ||
      image.optimizationLevel > 4)
    return Status::failure(
        StatusCode::InvalidArgument, doing,
        "the register limit is " + std::to_string(image.maxRegisters) +
            " and the optimization level " +
            std::to_string(image.optimizationLevel),
        "pass a limit of at least 0, and a level from 0 to 4 or -1");
  // The driver would refuse it, too, but say nothing of whose choice it was.
  if (image.debugInfo && image.optimizationLevel > 0)
    return Status::failure(StatusCode::InvalidArgument, doing,
                           "the optimization level is " +
                               std::to_string(image.optimizationLevel) +
                               ", and code for debuggers is not optimized",
                           "pass level 0 or -1");

  JitOptions options;
  addOptions(image, options);

  Result<std::string_view> given = getCode(image.code);
  if (!given.ok())
    return given.status();
  if (isCpuImage(given.value()))
    return Status::failure(StatusCode::Unsupported, doing,
                           context.label() + " runs no code for the CPU",
                           "compile the kernels for PTX");

  // PTX ends with a zero, which a view need not have.
  std::string code(given.value());
  std::vector<std::string> links = image.links;
  if (needsDeviceRuntime(code)) {
    Result<std::string> library = findDeviceRuntime(doing);
    if (!library.ok())
      return library.status();
    links.push_back(library.value());
  }
  if (!links.empty()) {
    // The driver writes into options, so each call gets its own.
    JitOptions linking;
    addOptions(image, linking);
    Result<std::string> linked =
        link(context, doing, image.name, code, links, linking);
    if (!linked.ok())
      return linked.status();
    code = std::move(linked.value());
  }
  CuModule module = nullptr;
  if (Status status =
          context.call(doing, functions.cuModuleLoadDataEx, &module,
                       static_cast<const void *>(code.c_str()), options.count,
                       &options.numbers[0], &options.values[0]);
      !status.ok()) {
    std::string_view told = options.getLog();
    if (!status.native() || told.empty() ||
        status.code() == StatusCode::DeviceLost)
      return status;
    return context.failure(doing + " on " + context.label(),
                           functions.cuModuleLoadDataEx.name,
                           CuResult(status.native()->code), told);
  }
  return std::unique_ptr<Module>(
      new CudaModule(owner, std::make_shared<Loaded>(owner.context, module)));
}

CudaModule::Loaded::~Loaded() {
  context->releaseWhenIdle("unloading a module",
                           context->functions().cuModuleUnload, module);
}

Result<std::unique_ptr<Kernel>> CudaModule::kernel(const std::string &name) {
  CuFunction function = nullptr;
  if (Status status = owner.context->call(
          [&] { return "looking for kernel '" + name + "'"; },
          owner.context->functions().cuModuleGetFunction, &function,
          loaded->module, name.c_str());
      !status.ok())
    return status;
  auto made = std::make_unique<CudaKernel>(owner, loaded, function, name);
  if (Status status = made->readLimits(); !status.ok())
    return status;
  return std::unique_ptr<Kernel>(std::move(made));
}

Result<ModuleSymbol> CudaModule::symbol(const std::string &name) {
  ModuleSymbol symbol = {};
  if (Status status = owner.context->call(
          [&] { return "looking for variable '" + name + "'"; },
          owner.context->functions().cuModuleGetGlobal, &symbol.address,
          &symbol.bytes, loaded->module, name.c_str());
      !status.ok())
    return status;
  return symbol;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Result<int64_t> CudaKernel::attribute(int32_t number) {
  int value = 0;
  if (Status status = owner.context->call(
          [&] { return "asking what kernel '" + name() + "' needs"; },
          owner.context->functions().cuFuncGetAttribute, &value, number,
          function);
      !status.ok())
    return status;
  return int64_t(value);
}

Status CudaKernel::readLimits() {
  int64_t dynamic = 0;
  const std::pair<int32_t, int64_t *> wanted[] = {
      {functionMaxThreads, &maxThreads},
      {functionSharedBytes, &staticSharedBytes},
      {functionRegisters, &registers},
      {functionMaxDynamicShared, &dynamic}};
  for (auto [number, value] : wanted) {
    Result<int64_t> got = attribute(number);
    if (!got.ok())
      return got.status();
    *value = got.value();
  }
  maxDynamicShared.store(dynamic);
  return Status();
}

Result<KernelInfo> CudaKernel::info() {
  Result<int64_t> local = attribute(functionLocalBytes);
  if (!local.ok())
    return local.status();
  Result<int64_t> constant = attribute(functionConstBytes);
  if (!constant.ok())
    return constant.status();
  return KernelInfo{int32_t(registers), int32_t(maxThreads), staticSharedBytes,
                    local.value(),      constant.value(),    maxDynamicShared};
}

Status CudaKernel::setMaxDynamicShared(int64_t bytes) {
  auto doing = [&] {
    return "setting the dynamic shared memory of kernel '" + name() + "'";
  };
  int64_t sharedBytes;
  if (Status status = checkSharedBytes(doing(), staticSharedBytes, bytes,
                                       owner.device->limits().sharedBytesOptin,
                                       "the device's", sharedBytes);
      !status.ok())
    return status;
  if (Status status = owner.context->call(
          doing, owner.context->functions().cuFuncSetAttribute, function,
          functionMaxDynamicShared, int(bytes));
      !status.ok())
    return status;
  maxDynamicShared.store(bytes);
  return Status();
}

Status CudaKernel::setCarveout(int32_t percent) {
  auto doing = [&] {
    return "setting the carve-out of kernel '" + name() + "'";
  };
  if (Status status = checkCarveout(doing(), percent); !status.ok())
    return status;
  return owner.context->call(doing,
                             owner.context->functions().cuFuncSetAttribute,
                             function, functionCarveout, int(percent));
}

Status CudaKernel::setCache(CachePreference preference) {
  return owner.context->call(
      [&] { return "setting the cache preference of '" + name() + "'"; },
      owner.context->functions().cuFuncSetCacheConfig, function,
      int32_t(preference));
}

Result<int32_t> CudaKernel::activeBlocks(int32_t blockThreads,
                                         size_t dynamicSharedBytes) {
  int blocks = 0;
  if (Status status = owner.context->call(
          [&] { return "asking for the occupancy of '" + name() + "'"; },
          owner.context->functions()
              .cuOccupancyMaxActiveBlocksPerMultiprocessor,
          &blocks, function, int(blockThreads), dynamicSharedBytes);
      !status.ok())
    return status;
  return int32_t(blocks);
}

Result<BestBlock> CudaKernel::bestBlock(size_t dynamicSharedBytes,
                                        int32_t limit) {
  int minGrid = 0, block = 0;
  if (Status status = owner.context->call(
          [&] { return "asking for the best block of '" + name() + "'"; },
          owner.context->functions().cuOccupancyMaxPotentialBlockSize, &minGrid,
          &block, function, CuBlockToShared(nullptr), dynamicSharedBytes,
          int(limit));
      !status.ok())
    return status;
  return BestBlock{minGrid, block};
}

Status CudaKernel::prepare(const LaunchConfig &config) {
  const CudaLimits &limits = owner.device->limits();
  auto doing = [&] {
    return "launching kernel '" + name() + "' on " + owner.context->label();
  };
  if (!owner.context->isUsable())
    return owner.context->check(doing());
  // The common launch passes without a word being put together.
  int64_t threads = 1;
  bool inside = true;
  for (int i = 0; i < 3; ++i) {
    inside &= config.grid[i] >= 1 && config.grid[i] <= limits.shape.grid[i];
    inside &= config.block[i] >= 1 && config.block[i] <= limits.shape.block[i];
    threads *= inside ? config.block[i] : 1;
  }
  if (!inside || threads > limits.shape.threadsPerBlock)
    return checkShape(doing(), config, limits.shape);
  if (threads > maxThreads)
    return Status::failure(
        StatusCode::InvalidArgument, doing(),
        "a block has " + std::to_string(threads) + " threads, more than the " +
            std::to_string(maxThreads) + " that the kernel can have with its " +
            std::to_string(registers) +
            " registers per thread and its launch bounds",
        "use smaller blocks and more of them, or compile with fewer registers "
        "(max_registers) or larger launch bounds (launch_bounds)");
  int64_t dynamic = config.dynamicSharedBytes;
  if (dynamic >= 0 && dynamic <= maxDynamicShared.load())
    return Status();
  int64_t sharedBytes;
  if (Status status = checkSharedBytes(doing(), staticSharedBytes, dynamic,
                                       limits.sharedBytesOptin, "the device's",
                                       sharedBytes);
      !status.ok())
    return status;
  return setMaxDynamicShared(dynamic);
}
