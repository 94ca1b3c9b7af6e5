// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage `reference`: executes on the host the very LLVM IR that PTX is made
// from. What differs from the GPU is only what is bound here: special
// registers, barriers, shared memory and libdevice. The result is what
// runtime/ launches.

#ifndef PYK_TARGET_CPU_H
#define PYK_TARGET_CPU_H

#include "pyk/runtime/ABI.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

class TargetBackend;

/// How a kernel is compiled for the host.
struct CpuOptions {
  /// 0 to 3, as for `opt`. At 0 nothing is fused or inlined: useful to tell a
  /// wrong lowering from a wrong optimization.
  unsigned optimizationLevel = 3;
};

/// A kernel compiled for the host. Owns its machine code: nothing of `getEntry`
/// may be called or running when it is destroyed. Immutable, so any number of
/// threads may use it.
class CpuKernel {
public:
  ~CpuKernel();
  CpuKernel(const CpuKernel &) = delete;
  CpuKernel &operator=(const CpuKernel &) = delete;

  /// What the runtime launches. Lives as long as this object.
  const pyk_rt_kernel &getEntry() const { return entry; }

private:
  struct Code;
  friend llvm::Expected<std::unique_ptr<CpuKernel>>
  compileForCpu(llvm::Module &module, llvm::StringRef kernel,
                const CpuOptions &options);

  CpuKernel(const pyk_rt_kernel &entry, std::unique_ptr<Code> code);

  pyk_rt_kernel entry;
  std::unique_ptr<Code> code;
};

/// Compiles function `kernel` of `module`, LLVM IR for NVPTX before libdevice
/// is linked, and all that it calls. Consumes the contents of the module, on
/// failure too. Fails
/// if there is no such kernel, or if it uses something of the GPU that has no
/// counterpart on the host yet; the message names it. May be called from any
/// thread at any time.
llvm::Expected<std::unique_ptr<CpuKernel>>
compileForCpu(llvm::Module &module, llvm::StringRef kernel,
              const CpuOptions &options = {});

/// Returns the LLVM IR text of stage `reference`: `kernel` as `compileForCpu`
/// sees it after binding and before optimization. Consumes and fails as that
/// does.
llvm::Expected<std::string> printReference(llvm::Module &module,
                                           llvm::StringRef kernel);

/// The back end `cpu`, whose one stage is `reference`.
std::unique_ptr<TargetBackend> createCPUBackend();

} // namespace pyk

#endif // PYK_TARGET_CPU_H
