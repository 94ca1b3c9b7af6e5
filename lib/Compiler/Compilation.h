// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of a module down the tree of stages.

#ifndef PYK_LIB_COMPILER_COMPILATION_H
#define PYK_LIB_COMPILER_COMPILATION_H

#include "InterfaceReader.h"
#include "LoweringPasses.h"
#include "pyk/Compiler/Compiler.h"
#include "llvm/ADT/MapVector.h"
#include <chrono>

namespace pyk {

/// The state of one compilation. It walks to what is wanted: the stages whose
/// texts are, and the target's code. Where ways part, all but the last get
/// a copy; the target's is the last.
class Compilation {
public:
  /// `passes` are those of the context of what it will run on.
  Compilation(const CompileOptions &options, LoweringPasses &passes);

  /// Lowers `module`, which was read from `sources`, to what is wanted; null
  /// after an error.
  std::unique_ptr<CompiledModule> run(mlir::ModuleOp module,
                                      const SourceText &sources);

  /// Measures from now on.
  void start() { last = Clock::now(); }
  /// Ascribes the time since the last call to `what`.
  void stop(llvm::StringRef what);

private:
  using Clock = std::chrono::steady_clock;

  /// A way on from a stage: to the next one, or out of the stages that are
  /// walked, into a back end.
  struct Branch {
    const Stage *stage;
    const TargetBackend *backend;
  };

  /// True if the text of `stage` is wanted.
  bool wants(const Stage &stage) const;
  /// True if the way to what is wanted leads through `stage`.
  bool needs(const Stage &stage) const;
  /// True if `backend` has something to make from `stage`.
  bool needs(const TargetBackend &backend, const Stage &stage) const;
  /// Goes on to `stage`, of the target, which may not take the module there;
  /// `module` stays as it is. Returns whether it does.
  mlir::FailureOr<bool> tryInput(mlir::ModuleOp module, const Stage &stage);
  /// True if something that is made is launched on the host.
  bool isLaunchedOnHost() const;
  /// The ways on from `stage`; that to the target is the last.
  llvm::SmallVector<Branch> getBranches(const Stage &stage) const;

  /// The back end whose errors and remarks are wanted; null if there is none.
  const TargetBackend *getAskedFor() const;
  /// Makes the remarks on `module`, in `stage`, that no pass makes that lowers
  /// it.
  void explain(mlir::ModuleOp module, const Stage &stage);

  /// Goes on from `module`, which is in `stage`, one of MLIR.
  mlir::LogicalResult walk(mlir::ModuleOp module, const Stage &stage);
  /// Lowers `module` to `stage`, one of MLIR, from the one before.
  mlir::LogicalResult lower(mlir::ModuleOp module, const Stage &stage);
  /// Goes on from `module`, which is in stage nvvm, by way of LLVM IR.
  mlir::LogicalResult walkLLVM(mlir::ModuleOp module);
  /// Has `backend` make what is wanted of it. `give` makes a copy of what it
  /// starts from, which `module` is or was translated to, or gives it away if
  /// its argument is true.
  mlir::LogicalResult
  finish(const TargetBackend &backend, mlir::ModuleOp module,
         const Stage &stage,
         llvm::function_ref<LoweredModule(bool isLast)> give);
  /// Names of the kernels of a module in stage gpu or later.
  std::vector<std::string> getKernelNames() const;
  /// Keeps the text of `stage`, which is wanted.
  mlir::LogicalResult keep(const Stage &stage, std::string text,
                           mlir::ModuleOp module);
  void writeTimes();

  const CompileOptions &options;
  LoweringPasses &passes;
  std::unique_ptr<CompiledModule> result;
  InterfaceReader reader;
  /// All stages, in the order of their numbers in `dumpStages`.
  std::vector<const Stage *> stages;
  std::vector<const TargetBackend *> backends;
  /// Null if no code is wanted.
  const TargetBackend *target = nullptr;
  /// The stages that the target can start from and has not refused, best first.
  llvm::SmallVector<const Stage *> inputs;
  /// What `tryInput` made and the target takes, and its stage.
  mlir::OwningOpRef<mlir::ModuleOp> tried;
  const Stage *triedStage = nullptr;
  /// The stage that the source is in.
  const Stage *first = nullptr;
  llvm::MapVector<llvm::StringRef, double> times;
  Clock::time_point last = Clock::now();
};

} // namespace pyk

#endif // PYK_LIB_COMPILER_COMPILATION_H
