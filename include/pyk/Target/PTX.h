// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From stage nvvm to LLVM IR, and from LLVM IR to PTX, within the process. The
// LLVM IR is also what the reference target executes: nothing of `compileToPTX`
// has happened to it yet.

#ifndef PYK_TARGET_PTX_H
#define PYK_TARGET_PTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace pyk {

/// A GPU that PyK compiles for.
struct Chip {
  llvm::StringLiteral name;
  /// Oldest version of PTX that knows the chip, times ten: 78 is 7.8. The
  /// default, because a driver accepts every version up to its own.
  unsigned ptxVersion;
};

/// All chips, oldest first.
llvm::ArrayRef<Chip> getChips();

/// The chip called `name`. The error names all that there are.
llvm::Expected<Chip> findChip(llvm::StringRef name);

/// What PTX is made for.
struct PtxOptions {
  std::string chip = "sm_80";
  /// Version of PTX times ten; 0 means the chip's own.
  unsigned ptxVersion = 0;
  /// 0 to 3, as for `opt`.
  unsigned optimizationLevel = 3;
};

/// Registers what `translateToLLVMIR` needs of the dialects of stage nvvm.
void registerLLVMIRTranslations(mlir::DialectRegistry &registry);

/// Translates the gpu.module of `module`, which is in stage nvvm, to LLVM IR
/// for NVPTX. Null if that fails; the reason is a diagnostic of MLIR.
std::unique_ptr<llvm::Module> translateToLLVMIR(mlir::ModuleOp module,
                                                llvm::LLVMContext &context);

/// Links libdevice if `module` needs it, optimizes and returns PTX text.
/// Consumes the contents of `module`, which `translateToLLVMIR` made. May run
/// in any number of threads at once, each with a module and context of its own.
llvm::Expected<std::string> compileToPTX(llvm::Module &module,
                                         const PtxOptions &options = {});

} // namespace pyk

#endif // PYK_TARGET_PTX_H
