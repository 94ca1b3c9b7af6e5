// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host as LLVM sees it, and what is done with its description: optimization
// and code generation. Private to lib/Target/CPU.

#ifndef PYK_LIB_TARGET_CPU_HOSTMACHINE_H
#define PYK_LIB_TARGET_CPU_HOSTMACHINE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace pyk {

/// Returns a machine for this processor with all features that
/// `runtime::getUsedCpuFeatures` says. It belongs to the calling thread and
/// lives until that ends, because making one costs a tenth of what compiling a
/// small kernel does. Fails if LLVM was built without the processor, or if
/// PYK_CPU_LEVEL names no level.
llvm::Expected<llvm::TargetMachine *>
getHostMachine(unsigned optimizationLevel);

/// How many threads a vector of this processor holds, each with a number of 32
/// bits; 0 if it has no vectors that are worth it.
unsigned getHostLanes();

/// Runs LLVM's default pipeline of `optimizationLevel`, 0 to 3, vectorizers
/// included; if the kernels run whole blocks (`hasVectors`), a few passes for
/// any level but 0.
void optimizeForHost(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned optimizationLevel, bool hasVectors);

/// Compiles `module` to a relocatable object. Changes the module.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
emitObject(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_HOSTMACHINE_H
