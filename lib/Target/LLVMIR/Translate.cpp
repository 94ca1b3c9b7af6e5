// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage nvvm to LLVM IR.

#include "DebugInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
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

std::unique_ptr<llvm::Module> pyk::translateToLLVMIR(ModuleOp module,
                                                     llvm::LLVMContext &context,
                                                     DebugInfo debugInfo) {
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
  if (debugInfo != DebugInfo::None)
    addDebugInfo(kernels, debugInfo);
  auto translated = translateModuleToLLVMIR(kernels, context, "pyk",
                                            /*disableVerification=*/true);
  if (!translated)
    return nullptr;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  translated->setTargetTriple(triple);
  translated->setDataLayout(triple.computeDataLayout());
  return translated;
}
