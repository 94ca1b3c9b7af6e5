// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles cases as the CPU target compiles kernels, runs them, and compares
// all memory with what the code for one element says.

#ifndef PYK_TEST_UNIT_TARGET_CPU_BACKENDRUNNER_H
#define PYK_TEST_UNIT_TARGET_CPU_BACKENDRUNNER_H

#include "BackEndCases.h"
#include "CpuMachine.h"
#include "pyk/runtime/Module.h"
#include "llvm/IR/Module.h"

namespace pyk::test {

/// A case that does something else than it should.
struct Fault {
  Case test;
  /// What was seen.
  std::string text;
};

/// Code in this process; its functions are in the order of the names with
/// which it was compiled.
struct LoadedCode {
  runtime::HostImage image;

  pyk_rt_thread_fn getFunction(size_t index) const {
    return image.kernels[index].kernel->thread;
  }
};

/// Compiles the functions `names` of `module`, which are pyk_rt_thread_fns, for
/// `machine`, and loads them: as kernels are compiled or, if `onlyLLVM`,
/// without the passes of the CPU target.
LoadedCode compileForTest(llvm::Module &module,
                          llvm::ArrayRef<std::string> names,
                          const CpuMachine &machine, bool onlyLLVM);

/// The faults of `cases` in code for `machine`, which runs here.
std::vector<Fault> findFaults(llvm::ArrayRef<Case> cases,
                              const CpuMachine &machine);

} // namespace pyk::test

#endif // PYK_TEST_UNIT_TARGET_CPU_BACKENDRUNNER_H
