// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as one call: from an `ast` buffer or MLIR to PTX, or to kernels
// that the host can launch, with the text of any stage on the way.

#ifndef PYK_COMPILER_COMPILER_H
#define PYK_COMPILER_COMPILER_H

#include "mlir/IR/BuiltinOps.h"
#include "pyk/Compiler/KernelInterface.h"
#include "pyk/Pipelines/CompileOptions.h"
#include "pyk/Support/Diagnostics.h"
#include "pyk/Target/Backend.h"
#include "pyk/runtime/Artifact.h"
#include "pyk/runtime/CpuLaunch.h"

namespace pyk {

/// One argument of a launch: a scalar's value, or an array.
struct KernelArgument {
  /// Array: its first element. Scalar: its value.
  void *data = nullptr;
  /// Array: extent of each dimension, in elements.
  const int64_t *shape = nullptr;
  /// Array: distance between neighbours in each dimension, in bytes.
  const int64_t *strides = nullptr;
};

class CompiledModule;

/// A kernel of a compiled module, which must outlive it.
class CompiledKernel {
public:
  /// Name of the entry in PTX or object code.
  llvm::StringRef getName() const { return get().name; }
  /// Number of arguments of a launch.
  unsigned getNumArguments() const { return get().argumentTypes.size(); }
  /// Types of the arguments of a launch.
  llvm::ArrayRef<ArgumentType> getArgumentTypes() const {
    return get().argumentTypes;
  }
  /// What the compiled kernel takes, and takes for granted.
  pyk_rt_signature getSignature() const;
  /// True if its threads may print.
  bool mayPrint() const { return get().prints; }
  /// True if all blocks of its launches have to run at a time.
  bool isCooperative() const { return get().isCooperative; }
  /// What the runtime launches on the CPU; null if the target is another
  /// device. Lives as long as the module.
  const pyk_rt_kernel *getHostEntry() const;

  /// Runs a kernel compiled for the CPU to its end; fails with LaunchFailed if
  /// a thread does, and with InvalidArgument if `arguments` are not what the
  /// kernel takes for granted. They have the number and types that it was
  /// compiled for.
  runtime::Status launch(const runtime::LaunchShape &shape,
                         llvm::ArrayRef<KernelArgument> arguments) const;

private:
  friend class CompiledModule;
  CompiledKernel(const CompiledModule &module, unsigned index)
      : module(&module), index(index) {}
  const KernelInterface &get() const;

  const CompiledModule *module;
  unsigned index;
};

/// Kernels in the form that their target loads. Immutable.
class CompiledModule {
public:
  unsigned getNumKernels() const { return interface.kernels.size(); }
  /// A kernel by its place in the module.
  CompiledKernel getKernel(unsigned index) const { return {*this, index}; }
  /// The only kernel of a module that has one.
  CompiledKernel getKernel() const {
    assert(getNumKernels() == 1 && "expects one kernel");
    return getKernel(0);
  }
  /// The kernel with this entry; none if there is no such kernel.
  std::optional<CompiledKernel> findKernel(llvm::StringRef name) const;
  /// What codes of failures stand for, from 1, in all kernels.
  llvm::ArrayRef<KernelFailure> getFailures() const {
    return interface.failures;
  }
  /// What the target's device loads, such as PTX; may be empty.
  llvm::StringRef getCode() const { return code.bytes; }
  /// What it was compiled for; null if no code was wanted.
  const TargetBackend *getTarget() const { return target; }
  /// Text of the stage that was asked for, else empty.
  llvm::StringRef getEmitted() const { return emitted; }
  /// The manifest as JSON, as python-dialect-docs/reference/manifest.md says;
  /// empty if no code was wanted.
  llvm::StringRef getManifest() const { return manifest; }
  /// Manifest and code as one, which the runtime loads in any process
  /// (pyk/runtime/Artifact.h); only if code was wanted.
  std::string getArtifact() const {
    return runtime::writeArtifact({manifest, code.bytes});
  }
  /// Remarks on how fast kernels run on the target, or in the stage that was
  /// asked for, as text, in the order of lines; none unless they were wanted.
  llvm::ArrayRef<std::string> getRemarks() const { return remarks; }
  /// Milliseconds by stage as JSON, in order.
  llvm::StringRef getTimes() const { return times; }
  /// Flags for pyk-opt that print the PTX of the input as made here.
  llvm::ArrayRef<std::string> getReproduceFlags() const {
    return reproduceFlags;
  }

private:
  friend class Compilation;
  friend class CompiledKernel;
  ModuleInterface interface;
  DeviceCode code;
  const TargetBackend *target = nullptr;
  std::string emitted, manifest, times;
  std::vector<std::string> reproduceFlags, remarks;
};

/// Compiles `source`, an `ast` buffer (which begins with `{`) or MLIR text in a
/// stage from py to gpu; `sourceName` stands for it in messages. On failure the
/// result is null and `error` says why. May be called from any thread.
std::unique_ptr<CompiledModule> compile(llvm::StringRef source,
                                        llvm::StringRef sourceName,
                                        const CompileOptions &options,
                                        RenderedError &error);

/// Compiles `module`, in a stage from py to gpu, and consumes its contents. Its
/// context must have the dialects of `registerAllDialects`. Otherwise as above.
std::unique_ptr<CompiledModule> compile(mlir::ModuleOp module,
                                        const CompileOptions &options,
                                        RenderedError &error);

/// The type, as MLIR prints it, of what the function in `source` returns for
/// the argument types that it has there; `source` is an `ast` buffer or MLIR
/// text in stage py. On failure there is none and `error` says why. May be
/// called from any thread.
std::optional<std::string> inferResult(llvm::StringRef source,
                                       llvm::StringRef sourceName,
                                       RenderedError &error);

} // namespace pyk

#endif // PYK_COMPILER_COMPILER_H
