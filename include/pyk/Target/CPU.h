// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage `reference`: executes on the host the very LLVM IR that PTX is made
// from. What differs from the GPU is only what is bound here: special
// registers, barriers, shared memory and libdevice. The result is what
// runtime/ launches.

#ifndef PYK_TARGET_CPU_H
#define PYK_TARGET_CPU_H

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
struct DeviceCode;
struct LoweredModule;

/// How a kernel is compiled for the CPU.
struct CpuOptions {
  /// 0 to 3, as for `opt`. At 0 nothing is fused or inlined: useful to tell a
  /// wrong lowering from a wrong optimization.
  unsigned optimizationLevel = 3;
  /// The least processor that the code is for, as `runtime::getCpuTarget` takes
  /// it. Of another architecture it does not run here.
  std::string level = "native";
  /// Whether threads begin with the last of a block, and blocks with the last
  /// of the grid: of functions that run single threads.
  bool isReversed = false;
};

/// Compiles functions `kernels` of `module`, LLVM IR for NVPTX before libdevice
/// is linked, and all that they call, to an image that
/// `runtime::loadCpuImage` loads, here or in another process. Consumes the
/// contents of the module, on failure too. Fails if there is no such kernel, or
/// if one uses something of the GPU that has no counterpart on the host yet;
/// the message names it. May be called from any thread at any time.
llvm::Expected<std::string>
compileForCpu(llvm::Module &module, llvm::ArrayRef<llvm::StringRef> kernels,
              const CpuOptions &options = {});

/// Returns the LLVM IR text of stage `reference`: `kernels` as `compileForCpu`
/// sees them after binding and before optimization. Consumes and fails as that
/// does.
llvm::Expected<std::string>
printReference(llvm::Module &module, llvm::ArrayRef<llvm::StringRef> kernels,
               const CpuOptions &options = {});

/// What a back end for the CPU emits: the image of `module`, which is LLVM IR
/// as `compileForCpu` takes it, loaded if it runs here, and what the manifest
/// says of it. Fails as that does.
llvm::Expected<DeviceCode> emitForCpu(LoweredModule module,
                                      const CpuOptions &options = {});

/// The back end `cpu`. Its stages are `reference`, of what PTX is made from,
/// and `simd` and `host`, in which kernels run whole blocks.
std::unique_ptr<TargetBackend> createCPUBackend();

/// Gives the pipelines to stages `simd` and `host` their flags.
void registerCPUPipelines();

} // namespace pyk

#endif // PYK_TARGET_CPU_H
