// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inference of a whole program: the kernel and what it calls, each function for
// each tuple of arguments that it is given.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_PROGRAMINFERENCE_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_PROGRAMINFERENCE_H

#include "Definitions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include <memory>

namespace pyk::py {

class FunctionInference;

/// A function for one tuple of arguments.
struct Specialization {
  enum State { New, Running, Done, Failed };

  FuncOp function;
  /// Name of the function that this one specializes.
  mlir::StringAttr name;
  State state = New;
  /// What it returns, once done.
  Fact result;
  /// The errors, once failed.
  std::vector<mlir::Diagnostic> errors;
  /// What to do instead, if a function of PyK's library says so of what it
  /// refuses; once failed.
  std::string remedy;
  /// The inference while it runs, for recursive calls.
  FunctionInference *inference = nullptr;
  /// Position among the functions that are being inferred, and the lowest such
  /// position whose unfinished result was used.
  unsigned position = 0, lowest = 0;
};

/// Infers a whole program: the kernel and what it calls.
class ProgramInference {
public:
  explicit ProgramInference(mlir::ModuleOp module, bool allowResult)
      : module(module), allowResult(allowResult) {}

  /// Infers everything that the entries reach and drops the rest.
  mlir::LogicalResult run();

  /// What `callee` returns for `arguments`, inferring it if need be; of no type
  /// if it calls itself and nothing is known yet. Fails after an error.
  mlir::FailureOr<Fact> call(FuncOp callee, mlir::ArrayRef<Fact> arguments,
                             mlir::Location loc, FuncOp &target);

  /// Infers `callee` as a kernel that a kernel launches with `arguments`. Fails
  /// after an error.
  mlir::LogicalResult launch(FuncOp callee, mlir::ArrayRef<Fact> arguments,
                             mlir::Location loc, FuncOp &target);

  /// True if the function that is being inferred rests on an unfinished result
  /// of a caller, so that it will be inferred anew.
  bool waitsForCaller() const {
    return running.back()->lowest < running.back()->position;
  }

  /// True once an error was met that no further walk can mend.
  bool isHopeless() const { return hopeless; }

private:
  mlir::LogicalResult infer(Specialization &specialization,
                            mlir::ArrayRef<Fact> arguments);
  Specialization &specialize(FuncOp callee, mlir::ArrayRef<Fact> arguments,
                             bool isLaunched);
  mlir::LogicalResult infer(Specialization &entry, FuncOp callee,
                            mlir::ArrayRef<Fact> arguments,
                            mlir::ArrayRef<Fact> given, mlir::Location loc,
                            llvm::StringRef called);
  void keepText(FuncOp entry);
  mlir::LogicalResult inferEntry(FuncOp function);
  void keepReachable(mlir::ArrayRef<FuncOp> entries);

  mlir::ModuleOp module;
  /// False: a kernel has no result.
  bool allowResult;
  /// By function and arguments.
  llvm::MapVector<std::pair<mlir::Operation *, mlir::ArrayAttr>,
                  std::unique_ptr<Specialization>>
      specializations;
  /// Entries as they were before they were inferred, if something names them.
  llvm::DenseMap<mlir::Operation *, FuncOp> texts;
  /// The functions that are being inferred, callers first.
  llvm::SmallVector<Specialization *> running;
  unsigned inferences = 0;
  bool hopeless = false;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_PROGRAMINFERENCE_H
