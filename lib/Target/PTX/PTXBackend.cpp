// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX as a back end. A driver loads it, on a machine that has a GPU.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Support/Diagnostics.h"
#include "pyk/Target/Backend.h"
#include "pyk/Target/PTX.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pyk;
using llvm::Expected;
using llvm::StringRef;

static constexpr Stage kPTX = {"ptx", "assembly for NVIDIA GPUs", &Stage::LLVM,
                               "ptx"};

/// Whether `function`, or what it calls, waits for its grid.
static bool waitsForGrid(Operation *function, gpu::GPUModuleOp module) {
  llvm::SetVector<Operation *> reached;
  reached.insert(function);
  for (size_t next = 0; next < reached.size(); ++next) {
    WalkResult walked = reached[next]->walk([&](Operation *op) {
      if (isa<GridBarrierOp>(op))
        return WalkResult::interrupt();
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
          if (Operation *called = module.lookupSymbol(callee))
            reached.insert(called);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return true;
  }
  return false;
}

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

  LogicalResult check(ModuleOp module) const override {
    WalkResult walked = module.walk([](LaunchOp op) {
      auto parent = op->getParentOfType<gpu::GPUModuleOp>();
      if (!waitsForGrid(parent.lookupSymbol(op.getKernelAttr()), parent))
        return WalkResult::advance();
      emitLoweringError(op.getLoc())
          << "kernel '" << op.getKernel()
          << "' waits for its grid, and CUDA cannot let a kernel launch such a "
             "one; launch it from the host";
      return WalkResult::interrupt();
    });
    return failure(walked.wasInterrupted());
  }

  void explain(ModuleOp module, const CompileOptions &options) const override {
    PassManager pm(module.getContext());
    pm.nest<gpu::GPUModuleOp>().addPass(createExplainAccessesPass());
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
