// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX as a back end. A driver loads it, on a machine that has a GPU.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Target/Backend.h"
#include "pyk/Target/PTX.h"

using namespace pyk;
using llvm::Expected;
using llvm::StringRef;

static constexpr Stage kPTX = {"ptx", "assembly for NVIDIA GPUs", &Stage::LLVM,
                               "ptx"};

namespace {

class PTXBackend : public TargetBackend {
public:
  StringRef getName() const override { return "cuda"; }
  llvm::ArrayRef<const Stage *> getStages() const override {
    static const Stage *const stages[] = {&kPTX};
    return stages;
  }
  llvm::SmallVector<const Stage *>
  getInputs(const CompileOptions &options) const override {
    return {&Stage::LLVM};
  }
  StringRef getFormat() const override { return kPTX.name; }
  bool launchesOnHost() const override { return false; }

  void explain(mlir::ModuleOp module,
               const CompileOptions &options) const override {
    mlir::PassManager pm(module.getContext());
    pm.nest<mlir::gpu::GPUModuleOp>().addPass(createExplainAccessesPass());
    // It only makes remarks.
    (void)pm.run(module);
  }

  std::string getReproduceFlag(const CompileOptions &options,
                               const Stage &input) const override {
    return getPrintPTXFlag(options);
  }

  Expected<std::string> print(const Stage &stage, LoweredModule module,
                              const CompileOptions &options) const override {
    PtxOptions ptxOptions;
    ptxOptions.chip = options.chip;
    ptxOptions.optimizationLevel = options.opt;
    return compileToPTX(*module.llvmModule, ptxOptions);
  }

  Expected<DeviceCode> emit(LoweredModule module,
                            const CompileOptions &options) const override {
    auto text = print(kPTX, std::move(module), options);
    if (!text)
      return text.takeError();
    DeviceCode code;
    code.bytes = std::move(*text);
    code.properties["chip"] = options.chip;
    return code;
  }
};

} // namespace

std::unique_ptr<TargetBackend> pyk::createPTXBackend() {
  return std::make_unique<PTXBackend>();
}
