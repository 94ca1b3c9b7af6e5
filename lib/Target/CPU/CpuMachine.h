// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processors as LLVM sees them, this one or others, and what is done with their
// description: optimization and code generation. Private to lib/Target/CPU.

#ifndef PYK_LIB_TARGET_CPU_CPUMACHINE_H
#define PYK_LIB_TARGET_CPU_CPUMACHINE_H

#include "pyk/runtime/CpuFeatures.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace pyk {

/// The processors that code is for.
struct CpuMachine {
  runtime::CpuTarget target;
  llvm::Triple triple;
  /// Whose costs count; empty for those that LLVM has for the architecture.
  std::string tuning;
  /// As LLVM writes them.
  std::string features;
  /// How many threads a vector holds, each with a number of 32 bits; 0 if there
  /// are no vectors that are worth it.
  unsigned lanes = 0;
  /// Whether its divider is no slower than multiply-adds at reciprocals
  /// (rationale/reciprocals.md).
  bool dividesFast = false;
  /// Whether it sees by itself which rows of an array a loop goes down.
  bool fetchesRows = false;
  const llvm::Target *backEnd = nullptr;
};

/// Sets what was measured of the processor that code is tuned for, if that is
/// one of those that differ from most.
void setMeasured(CpuMachine &machine);

/// Describes the processors of a level, as `runtime::getCpuTarget` takes it.
/// Found out once for each. Fails as that does, and if LLVM was built without
/// them. May be called from any thread.
llvm::Expected<const CpuMachine *> getCpuMachine(llvm::StringRef level);

/// The vectors of a level; none if there is no such machine.
unsigned getLanes(llvm::StringRef level);

/// Whether processors of a level fetch rows by themselves; not if there is no
/// such machine.
bool fetchesRows(llvm::StringRef level);

/// What makes code for a machine. It belongs to the calling thread and lives
/// until that ends, because making one costs a tenth of what compiling a small
/// kernel does.
llvm::TargetMachine &getTargetMachine(const CpuMachine &machine,
                                      unsigned optimizationLevel);

/// Runs LLVM's default pipeline of `optimizationLevel`, 0 to 3, vectorizers
/// included; if the kernels run whole blocks (`hasVectors`), a few passes for
/// any level but 0.
void optimizeForCpu(llvm::Module &module, const CpuMachine &machine,
                    unsigned optimizationLevel, bool hasVectors);

/// Compiles `module` to a relocatable object. Changes the module, also to keep
/// clear of faults of LLVM: all code for the CPU is emitted here.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
emitObject(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_CPUMACHINE_H
