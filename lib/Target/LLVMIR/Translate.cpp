// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage nvvm to LLVM IR.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "pyk/Target/LLVMIR.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

void pyk::registerLLVMIRTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// Says of each function which one of the program it is: lines mean nothing to
/// LLVM without. There are no tables for debuggers, which PTX would have to
/// hold.
static LogicalResult addScopes(ModuleOp module) {
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return pm.run(module);
}

std::unique_ptr<llvm::Module> pyk::translateToLLVMIR(ModuleOp module,
                                                     llvm::LLVMContext &context,
                                                     bool lineInfo) {
  auto modules = module.getOps<gpu::GPUModuleOp>();
  if (!llvm::hasSingleElement(modules)) {
    module.emitError("expects one gpu.module but got ")
        << std::distance(modules.begin(), modules.end());
    return nullptr;
  }
  gpu::GPUModuleOp kernels = *modules.begin();
  // Upstream's translation would give an instruction no block to stand in.
  for (Operation &op : kernels.getOps())
    if (!isa<SymbolOpInterface>(op)) {
      op.emitError("expects to be in a function");
      return nullptr;
    }
  if (lineInfo && failed(addScopes(module)))
    return nullptr;
  auto translated = translateModuleToLLVMIR(kernels, context, "pyk",
                                            /*disableVerification=*/true);
  if (!translated)
    return nullptr;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  translated->setTargetTriple(triple);
  translated->setDataLayout(triple.computeDataLayout());
  return translated;
}
