// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as one call: from an `ast` buffer or MLIR to PTX, or to a kernel
// that the host can launch, with the text of any stage on the way.

#ifndef PYK_COMPILER_COMPILER_H
#define PYK_COMPILER_COMPILER_H

#include "mlir/IR/BuiltinOps.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Pipelines/Stages.h"
#include "pyk/Support/Diagnostics.h"
#include "pyk/Target/CPU.h"
#include "pyk/runtime/CpuLaunch.h"

namespace pyk {

/// What a kernel is compiled for.
enum class Target { CPU, CUDA };

/// How to compile.
struct CompileOptions {
  Target target = Target::CPU;
  /// The kernel, where the source has several; empty otherwise.
  std::string kernel;
  /// Compute capability, for PTX.
  std::string chip = "sm_80";
  /// False: a * b + c is not contracted. Counts in stages up to py only.
  bool fma = true;
  /// An index that is out of bounds, and the like, ends its thread with an
  /// error. Counts as `fma` does.
  bool checkBounds = false;
  /// What the kernel raises is told to the host, and so is a division by zero.
  /// Counts as `fma` does.
  bool reportErrors = false;
  /// A stage whose text is wanted, whatever the target.
  std::optional<Stage> emit;
  /// True: nothing happens after `emit` unless `dumpStages` asks for it, so
  /// that the kernel cannot be launched and no later stage can fail.
  bool stopAtEmit = false;
  /// Folder that receives one numbered file for each stage; empty for none.
  std::string dumpStages;
};

/// What one argument of a launch must be, as far as the source says.
struct ArgumentType {
  enum class Kind { None, Scalar, Array, Other };
  enum class Number {
    Unknown,
    Bool,
    Signed,
    Unsigned,
    Signless,
    Float,
    BFloat,
    Complex
  };

  Kind kind = Kind::Other;
  /// The scalar's type, or that of the array's elements.
  Number number = Number::Unknown;
  /// Width of `number`, of both parts if it is complex; 0 if that is unknown.
  unsigned bits = 0;
  /// Array: extents, negative where any is accepted.
  llvm::SmallVector<int64_t, 4> shape;
  /// Array: false if it may have more dimensions than `shape`.
  bool hasRank = true;
  Layout layout = Layout::C;
  /// The type as MLIR prints it; empty if the kernel does not use it.
  std::string text;
  /// What the source calls it; may be empty.
  std::string name;
};

/// One argument of a launch: a scalar's value, or an array.
struct KernelArgument {
  /// Array: its first element. Scalar: its value.
  void *data = nullptr;
  /// Array: extent of each dimension, in elements.
  const int64_t *shape = nullptr;
  /// Array: distance between neighbours in each dimension, in bytes.
  const int64_t *strides = nullptr;
};

/// One parameter of a compiled kernel: an argument of the launch or a part of
/// it. Plain data: attributes die with their context.
struct KernelParameter {
  ParameterKind kind;
  unsigned argument, dimension;
  /// Of its value.
  unsigned bytes;
};

/// What one code in the record of a thread that failed stands for; as
/// `FailureAttr`.
struct KernelFailure {
  std::string error, message, function, file;
  unsigned line;
  int64_t exception;
};

/// A kernel in the form that its target loads. Immutable.
class CompiledKernel {
public:
  /// Name of the entry in PTX or object code.
  llvm::StringRef getName() const { return name; }
  /// Number of arguments of a launch.
  unsigned getNumArguments() const { return argumentTypes.size(); }
  /// Types of the arguments of a launch.
  llvm::ArrayRef<ArgumentType> getArgumentTypes() const {
    return argumentTypes;
  }
  /// What the compiled kernel takes, in order.
  llvm::ArrayRef<KernelParameter> getParameters() const { return parameters; }
  /// True if its threads may print.
  bool mayPrint() const { return prints; }
  /// What the runtime launches; null if the target is CUDA. Lives as long as
  /// this object.
  const pyk_rt_kernel *getHostEntry() const {
    return cpu ? &cpu->getEntry() : nullptr;
  }
  /// PTX text; empty if the target is the CPU.
  llvm::StringRef getPTX() const { return ptx; }
  /// Text of the stage that was asked for, else empty.
  llvm::StringRef getEmitted() const { return emitted; }
  /// The manifest as JSON: entry, target, parameters, failures, shared memory.
  llvm::StringRef getManifest() const { return manifest; }
  /// Milliseconds by stage as JSON, in order.
  llvm::StringRef getTimes() const { return times; }
  /// Flags for pyk-opt that print the PTX of the input as made here.
  llvm::StringRef getReproduceFlags() const { return reproduceFlags; }

  /// Runs a kernel compiled for the CPU to its end; fails with LaunchFailed if
  /// a thread does. `arguments` has the number and types that the kernel was
  /// compiled for.
  runtime::Status launch(const runtime::LaunchShape &shape,
                         llvm::ArrayRef<KernelArgument> arguments) const;

private:
  friend class Compilation;
  std::string name, ptx, emitted, manifest, times, reproduceFlags;
  llvm::SmallVector<KernelParameter> parameters;
  bool prints = false;
  std::vector<KernelFailure> failures;
  std::vector<ArgumentType> argumentTypes;
  std::unique_ptr<CpuKernel> cpu;
};

/// Compiles `source`, an `ast` buffer (which begins with `{`) or MLIR text in a
/// stage from py to gpu; `sourceName` stands for it in messages. On failure the
/// result is null and `error` says why. May be called from any thread.
std::unique_ptr<CompiledKernel> compile(llvm::StringRef source,
                                        llvm::StringRef sourceName,
                                        const CompileOptions &options,
                                        RenderedError &error);

/// Compiles `module`, in a stage from py to gpu, and consumes its contents. Its
/// context must have the dialects of `registerAllDialects`. Otherwise as above.
std::unique_ptr<CompiledKernel> compile(mlir::ModuleOp module,
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
