// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From stage nvvm to stage llvm, which belongs to no target.

#ifndef PYK_TARGET_LLVMIR_H
#define PYK_TARGET_LLVMIR_H

#include "pyk/Pipelines/CompileOptions.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace pyk {

/// Registers what `translateToLLVMIR` needs of the dialects of stage nvvm.
void registerLLVMIRTranslations(mlir::DialectRegistry &registry);

/// Translates the gpu.module of `module`, which is in stage nvvm, to LLVM IR
/// for NVPTX. What its `debugInfo` says of the program is added to the
/// functions of `module` before. Null if that fails; the reason is a diagnostic
/// of MLIR.
std::unique_ptr<llvm::Module>
translateToLLVMIR(mlir::ModuleOp module, llvm::LLVMContext &context,
                  DebugInfo debugInfo = DebugInfo::None);

} // namespace pyk

#endif // PYK_TARGET_LLVMIR_H
