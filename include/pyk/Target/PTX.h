// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR to PTX, within the process.

#ifndef PYK_TARGET_PTX_H
#define PYK_TARGET_PTX_H

#include "pyk/Pipelines/CompileOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

class TargetBackend;

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
  std::string chip = CompileOptions().chip;
  /// Version of PTX times ten; 0 means the chip's own.
  unsigned ptxVersion = 0;
  /// 0 to 3, as for `opt`.
  unsigned optimizationLevel = 3;
};

/// Links libdevice if `module` needs it, optimizes and returns PTX text.
/// Consumes the contents of `module`, which `translateToLLVMIR` made. May run
/// in any number of threads at once, each with a module and context of its own.
llvm::Expected<std::string> compileToPTX(llvm::Module &module,
                                         const PtxOptions &options = {});

/// The back end `cuda`, whose one stage is `ptx`.
std::unique_ptr<TargetBackend> createPTXBackend();

} // namespace pyk

#endif // PYK_TARGET_PTX_H
