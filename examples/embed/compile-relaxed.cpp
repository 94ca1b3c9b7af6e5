// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A back end of another project: the CPU, but sums and products may be
// reordered, as -ffast-math lets a C compiler do. Compiles the kernels of a
// file of MLIR with it and writes an artifact, which run-artifact runs:
//
//   compile-relaxed two-kernels.mlir two-kernels.pyk

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "pyk/Compiler/Compiler.h"
#include "pyk/InitAll.h"
#include "pyk/Pipelines/Pipelines.h"
#include "pyk/Target/CPU.h"
#include "pyk/Target/LLVMIR.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using llvm::StringRef;

namespace {

/// Lets all arithmetic of stage nvvm be changed as if floats were real numbers.
class RelaxFloatsPass
    : public mlir::PassWrapper<RelaxFloatsPass,
                               mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RelaxFloatsPass)

  StringRef getArgument() const override { return "relax-floats"; }
  StringRef getDescription() const override {
    return "Allows floating point to be reordered";
  }

  void runOnOperation() override {
    auto fast = mlir::LLVM::FastmathFlagsAttr::get(
        &getContext(), mlir::LLVM::FastmathFlags::fast);
    getOperation().walk([&](mlir::LLVM::FastmathFlagsInterface op) {
      op->setAttr(op.getFastmathAttrName(), fast);
    });
  }
};

/// A stage of its own, made from stage gpu on a way beside stage nvvm.
constexpr pyk::Stage kRelaxed = {"relaxed",
                                 "LLVM dialect with relaxed floating point",
                                 &pyk::Stage::GPU, "mlir"};

class RelaxedBackend : public pyk::TargetBackend {
public:
  StringRef getName() const override { return "relaxed"; }
  llvm::ArrayRef<const pyk::Stage *> getStages() const override {
    static const pyk::Stage *const stages[] = {&kRelaxed};
    return stages;
  }
  llvm::SmallVector<const pyk::Stage *>
  getInputs(const pyk::CompileOptions &options) const override {
    return {&kRelaxed};
  }
  StringRef getFormat() const override { return "object"; }
  bool launchesOnHost() const override { return true; }
  std::string getReproduceFlag(const pyk::CompileOptions &,
                               const pyk::Stage &) const override {
    return "";
  }

  void buildPipeline(const pyk::Stage &, mlir::OpPassManager &pm,
                     const pyk::CompileOptions &options) const override {
    pyk::buildLoweringPipeline(pyk::Stage::NVVM, pm, options);
    pm.addPass(std::make_unique<RelaxFloatsPass>());
  }

  llvm::Expected<pyk::DeviceCode>
  emit(pyk::LoweredModule module, const pyk::CompileOptions &) const override {
    llvm::LLVMContext context;
    module.llvmModule = pyk::translateToLLVMIR(*module.module, context);
    if (!module.llvmModule)
      return llvm::createStringError("cannot translate to LLVM IR");
    return pyk::emitForCpu(std::move(module));
  }
};

} // namespace

/// Ends the program with a message.
[[noreturn]] static void fail(const llvm::Twine &message) {
  llvm::errs() << "compile-relaxed: " << message << "\n";
  std::exit(1);
}

int main(int argc, char **argv) {
  if (argc != 3)
    fail("expects a file of MLIR and one to write to");
  // Before the first compilation, so that all know the new stage.
  mlir::PassRegistration<RelaxFloatsPass>();
  pyk::registerBackend(std::make_unique<RelaxedBackend>());

  auto source = llvm::MemoryBuffer::getFile(argv[1]);
  if (!source)
    fail("cannot read " + llvm::Twine(argv[1]));
  pyk::CompileOptions options;
  options.target = "relaxed";
  pyk::RenderedError error;
  auto module = pyk::compile((*source)->getBuffer(), argv[1], options, error);
  if (!module)
    fail(error.text);
  std::error_code code;
  llvm::raw_fd_ostream file(argv[2], code);
  if (code)
    fail("cannot write " + llvm::Twine(argv[2]));
  file << module->getArtifact();
  llvm::outs() << module->getManifest() << "\n";
  return 0;
}
