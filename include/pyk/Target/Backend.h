// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PyK compiles for. A back end says where it parts from the stages that
// all targets share, how it goes on from there, and what comes of kernels. The
// compiler and its tools know back ends by the registry alone, so another
// project adds one without a change here.

#ifndef PYK_TARGET_BACKEND_H
#define PYK_TARGET_BACKEND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "pyk/Pipelines/CompileOptions.h"
#include "pyk/runtime/ABI.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <vector>

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace pyk {

/// Kernels in the stage that their back end starts from. The back end may do
/// with them what it likes.
struct LoweredModule {
  /// The module, if that stage is one of MLIR; else null.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The module as LLVM IR, if the stage is `llvm`; else null.
  std::unique_ptr<llvm::Module> llvmModule;
  /// Names of the functions that are launched.
  std::vector<std::string> kernels;
};

/// What a back end makes of a module.
struct DeviceCode {
  /// What there is of each kernel alone.
  struct Kernel {
    /// What the runtime launches on the CPU; null if that cannot be. Owns the
    /// machine code of the module.
    std::shared_ptr<const pyk_rt_kernel> hostEntry;
    /// What the manifest says of it beside what it says of all kernels.
    llvm::json::Object properties;
  };

  /// What its device loads: PTX, an image for the CPU.
  std::string bytes;
  /// In the order of `LoweredModule::kernels`; empty if there is nothing to
  /// say.
  std::vector<Kernel> kernels;
  /// What the manifest says beside what it says of all modules.
  llvm::json::Object properties;
};

/// One way to compile for one kind of device. Has no state that changes: any
/// number of threads use it at a time.
class TargetBackend {
public:
  virtual ~TargetBackend();

  /// As written after `--target=`. A literal.
  virtual llvm::StringRef getName() const = 0;

  /// The stages that no other back end has, each before what is made from it.
  virtual llvm::ArrayRef<const Stage *> getStages() const = 0;

  /// The stages that `emit` can start from, best first: `Stage::LLVM`, or ones
  /// of MLIR, which may be its own. Another than the first is taken for modules
  /// that it does not accept there.
  virtual llvm::SmallVector<const Stage *>
  getInputs(const CompileOptions &options) const = 0;

  /// Whether `emit` can go on from `module`, which is in `stage`, one of its
  /// own that is MLIR.
  virtual bool accepts(mlir::ModuleOp module, const Stage &stage) const {
    return true;
  }

  /// Whether what `emit` makes from `input`, one of `getInputs`, is for blocks
  /// of the shape that the options name, and for no others.
  virtual bool isForBlockShape(const Stage &input) const { return false; }

  /// What `emit` makes, in a word. If one of its stages has this name, the
  /// bytes of the code are the text of that stage.
  virtual llvm::StringRef getFormat() const = 0;

  /// Whether its code has host entries, for which the source must have a
  /// kernel.
  virtual bool launchesOnHost() const = 0;

  /// Adds the dialects of its own stages.
  virtual void registerDialects(mlir::DialectRegistry &registry) const {}

  /// Adds the passes to `stage`, one of its own that is MLIR, from the stage
  /// before. `pyk-lower-to-` and its name is the flag that pyk-opt should have
  /// for them.
  virtual void buildPipeline(const Stage &stage, mlir::OpPassManager &pm,
                             const CompileOptions &options) const;

  /// Fails, with an error at the op, where `module`, which is in stage gpu, has
  /// what no device of this kind can do.
  virtual mlir::LogicalResult check(mlir::ModuleOp module) const {
    return mlir::success();
  }

  /// Makes remarks (pyk/Support/Remarks.h) on kernels of `module`, which is in
  /// stage gpu, that none of its passes makes.
  virtual void explain(mlir::ModuleOp module,
                       const CompileOptions &options) const {}

  /// The flag of pyk-opt that shows what becomes of a module in `input`, one of
  /// `getInputs`, or before stage llvm, if that is it; empty if there is none.
  virtual std::string getReproduceFlag(const CompileOptions &options,
                                       const Stage &input) const = 0;

  /// The text of `stage`, one of its own that is not MLIR, of a module in the
  /// stage before.
  virtual llvm::Expected<std::string>
  print(const Stage &stage, LoweredModule module,
        const CompileOptions &options) const;

  /// The kernels in the form that their device loads.
  virtual llvm::Expected<DeviceCode>
  emit(LoweredModule module, const CompileOptions &options) const = 0;
};

/// Adds `backend` to those that the process has, where it stays. Its name and
/// those of its stages must be new, or the process ends. PyK's own are added by
/// `registerAllBackends`; others are added before the first compilation, so
/// that all contexts have their dialects. May be called from any thread.
void registerBackend(std::unique_ptr<TargetBackend> backend);

/// All back ends, in the order in which they were added.
std::vector<const TargetBackend *> getBackends();

/// Names of all back ends, sorted.
std::vector<llvm::StringRef> getTargets();

/// The back end called `name`. The error names all that there are.
llvm::Expected<const TargetBackend *> findBackend(llvm::StringRef name);

/// All stages: the common ones, then those of each back end.
std::vector<const Stage *> getStages();

/// The stage called `name`. The error names all that there are.
llvm::Expected<const Stage *> findStage(llvm::StringRef name);

/// The back end that `stage` belongs to; null if it is a common one.
const TargetBackend *getOwner(const Stage &stage);

/// The flag with which pyk-opt prints the PTX of a module in stage nvvm.
std::string getPrintPTXFlag(const CompileOptions &options);

} // namespace pyk

#endif // PYK_TARGET_BACKEND_H
