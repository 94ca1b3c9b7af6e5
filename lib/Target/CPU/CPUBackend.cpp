// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference as a back end. The runtime launches it on every machine.

#include "pyk/Target/Backend.h"
#include "pyk/Target/CPU.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace pyk;
using llvm::Expected;
using llvm::StringRef;

static const Stage kReference = {
    "reference", "LLVM IR bound to the host's runtime", &Stage::LLVM, "ll"};

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
    return "--pyk-print-ptx=chip=" + options.chip;
  }

  Expected<std::string> print(const Stage &stage, LoweredModule module,
                              const CompileOptions &options) const override {
    std::string all;
    for (StringRef kernel : module.kernels) {
      auto text = printReference(*takeFor(kernel, module), kernel);
      if (!text)
        return text.takeError();
      all += *text;
    }
    return all;
  }

  Expected<Artifact> emit(LoweredModule module,
                          const CompileOptions &options) const override {
    Artifact artifact;
    artifact.properties["abi_version"] = int64_t(PYK_RT_ABI_VERSION);
    for (StringRef kernel : module.kernels) {
      auto compiled = compileForCpu(*takeFor(kernel, module), kernel);
      if (!compiled)
        return compiled.takeError();
      std::shared_ptr<CpuKernel> code = std::move(*compiled);
      const pyk_rt_kernel &entry = code->getEntry();
      Artifact::Kernel &made = artifact.kernels.emplace_back();
      made.hostEntry = {code, &entry};
      made.properties["static_shared_bytes"] =
          int64_t(entry.static_shared_bytes);
      made.properties["local_bytes"] = int64_t(entry.local_bytes);
    }
    return artifact;
  }

private:
  /// The module for one of its kernels, which is bound to the host alone: where
  /// shared arrays lie, and whether threads wait, is a kernel's own. The last
  /// kernel gets the module itself.
  static std::unique_ptr<llvm::Module> takeFor(StringRef kernel,
                                               LoweredModule &module) {
    return kernel == module.kernels.back()
               ? std::move(module.llvmModule)
               : llvm::CloneModule(*module.llvmModule);
  }
};

} // namespace

std::unique_ptr<TargetBackend> pyk::createCPUBackend() {
  return std::make_unique<CPUBackend>();
}
