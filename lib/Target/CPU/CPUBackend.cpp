// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference as a back end. The runtime launches it on every machine.

#include "pyk/Target/Backend.h"
#include "pyk/Target/CPU.h"

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

  Expected<std::string> print(const Stage &stage, LoweredKernel kernel,
                              const CompileOptions &options) const override {
    return printReference(*kernel.llvmModule, kernel.name);
  }

  Expected<Artifact> emit(LoweredKernel kernel,
                          const CompileOptions &options) const override {
    auto compiled = compileForCpu(*kernel.llvmModule, kernel.name);
    if (!compiled)
      return compiled.takeError();
    std::shared_ptr<CpuKernel> code = std::move(*compiled);
    Artifact artifact;
    artifact.hostEntry = {code, &code->getEntry()};
    artifact.properties["abi_version"] = int64_t(PYK_RT_ABI_VERSION);
    artifact.properties["static_shared_bytes"] =
        int64_t(code->getEntry().static_shared_bytes);
    return artifact;
  }
};

} // namespace

std::unique_ptr<TargetBackend> pyk::createCPUBackend() {
  return std::make_unique<CPUBackend>();
}
