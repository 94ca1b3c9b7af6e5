// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference as a back end. The runtime launches it on every machine.

#include "pyk/Target/Backend.h"
#include "pyk/Target/CPU.h"
#include "pyk/runtime/CpuImage.h"

using namespace pyk;
using llvm::Expected;
using llvm::StringRef;

static constexpr Stage kReference = {
    "reference", "LLVM IR bound to the host's runtime", &Stage::LLVM, "ll"};

static std::vector<StringRef> getNames(const LoweredModule &module) {
  return {module.kernels.begin(), module.kernels.end()};
}

namespace {

class CPUBackend : public TargetBackend {
public:
  StringRef getName() const override { return "cpu"; }
  llvm::ArrayRef<const Stage *> getStages() const override {
    static const Stage *const stages[] = {&kReference};
    return stages;
  }
  const Stage &getInput() const override { return Stage::LLVM; }
  StringRef getFormat() const override { return "object"; }
  bool launchesOnHost() const override { return true; }

  /// pyk-opt makes no host code. PTX shows what becomes of the same LLVM IR.
  std::string getReproduceFlag(const CompileOptions &options) const override {
    return getPrintPTXFlag(options);
  }

  Expected<std::string> print(const Stage &stage, LoweredModule module,
                              const CompileOptions &options) const override {
    return printReference(*module.llvmModule, getNames(module));
  }

  Expected<DeviceCode> emit(LoweredModule module,
                            const CompileOptions &options) const override {
    CpuOptions cpuOptions;
    cpuOptions.optimizationLevel = options.opt;
    return emitForCpu(std::move(module), cpuOptions);
  }
};

} // namespace

Expected<DeviceCode> pyk::emitForCpu(LoweredModule module,
                                     const CpuOptions &options) {
  auto image = compileForCpu(*module.llvmModule, getNames(module), options);
  if (!image)
    return image.takeError();
  auto loaded = runtime::loadCpuImage(*image);
  if (!loaded.ok())
    // No test: it needs a system that forbids executable memory.
    return llvm::createStringError(loaded.status().message());
  DeviceCode code;
  code.bytes = std::move(*image);
  code.properties["abi_version"] = int64_t(PYK_RT_ABI_VERSION);
  // The image has them in the order in which they were asked for.
  for (const runtime::HostKernel &kernel : loaded.value().kernels) {
    DeviceCode::Kernel &made = code.kernels.emplace_back();
    made.hostEntry = {loaded.value().owner, kernel.kernel};
    made.properties["static_shared_bytes"] =
        int64_t(kernel.kernel->static_shared_bytes);
    made.properties["local_bytes"] = int64_t(kernel.kernel->local_bytes);
  }
  return code;
}

std::unique_ptr<TargetBackend> pyk::createCPUBackend() {
  return std::make_unique<CPUBackend>();
}
