// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter behind py-infer-types.
//
// A function is walked in source order, again and again, with an environment
// for each way that control goes, until a walk changes nothing. What is given
// to an expression, an assignment or a join accumulates: its type is the
// unification of all that walks have seen, as in Numba. The first walks look at
// names only, and decide with `Branches` which code is never typed. Errors of
// the last walk count; those of earlier ones may be about types that were yet
// to grow.
//
// `FunctionInference` has what all rules share, and drives. The rules are in
// parts, each with a header and state of its own, which it owns and hands out.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_FUNCTIONINFERENCE_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_FUNCTIONINFERENCE_H

#include "Annotations.h"
#include "Branches.h"
#include "Definitions.h"
#include "mlir/IR/Diagnostics.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include <memory>

namespace pyk::py {

class ProgramInference;

// The parts, each in a header of its own.
class ArrayTyping;
class AttributeTyping;
class CallTyping;
class ChoiceTyping;
class ClosureTyping;
class ConstantTyping;
class ItemTyping;
class LaunchTyping;
class LoopUnrolling;
class OperandTyping;
class OperatorTyping;
class ResultTyping;
class StatementWalker;
class StoreTyping;
class UnpackTyping;
class VariableTyping;

/// What walks look at.
enum class Phase : uint8_t { Names, Types };

/// Where a walk over the function is, and what it has met.
struct Walk {
  Phase phase = Phase::Names;
  /// True until a walk has come to the end of the function.
  bool isFirst = true;
  /// True if the walk has changed anything.
  bool changed = false;
  /// Statements around the current one that may not run, or run many times.
  unsigned nested = 0;
  /// True if a construct was met that kernels cannot have; what it may assign
  /// is not known.
  bool hasUnsupported = false;
  /// True if a return stands above.
  bool hasReturned = false;
  /// Which copy of a loop's condition is being read, if one is.
  Copy copy = Copy::Only;
  bool isInCondition = false;
};

/// Infers one specialized function.
class FunctionInference {
public:
  /// `name` is the function's own, without the suffix of a specialization.
  FunctionInference(ProgramInference &program, FuncOp function,
                    mlir::StringAttr name, mlir::ArrayRef<Fact> arguments);
  ~FunctionInference();

  /// Interprets the body and writes all types into it. Yields the result; on
  /// failure `takeErrors` has the reasons.
  mlir::FailureOr<Fact> run();

  /// The errors of the last walk, none of which follows from another.
  std::vector<mlir::Diagnostic> takeErrors() { return std::move(errors); }

  /// True if `run` has replaced loops by copies of their bodies instead; the
  /// function has to be inferred again.
  bool hasUnrolled() const { return unrolled; }
  /// Interprets the copy of a loop's body for one item. Its errors get `note`
  /// at `loc`; what is wrong at the same place with another item is one error.
  void interpretCopy(mlir::Location loc, const llvm::Twine &note,
                     llvm::function_ref<void()> interpret);

  /// What is known so far of the result, for a recursive call.
  Fact getPartialResult();

  // What all parts share.
  ProgramInference &getProgram() { return program; }
  FuncOp getFunction() const { return function; }
  llvm::StringRef getName() const { return name; }
  /// Whose rules operators follow.
  Typing getTyping() const { return typing; }
  Branches &getBranches() { return branches; }
  Walk &getWalk() { return walk; }
  /// What is written into the IR besides the types of values.
  Annotations &getAnnotations() { return annotations; }

  /// What is known of `value`; nothing yet if it has not been evaluated.
  Fact get(mlir::Value value) const { return facts.lookup(value); }
  /// Adds `fact` to what is known of `value`.
  void record(mlir::Value value, const Fact &fact);
  /// Adds `fact` to what is `known`; false if they have no common type.
  bool grow(Fact &known, const Fact &fact);
  /// What the expression `op` yields, by the part that has its rules.
  mlir::FailureOr<Fact> evaluate(mlir::Operation &op, Environment &environment);

  // The parts.
  ArrayTyping &arrays();
  AttributeTyping &attributes();
  CallTyping &calls();
  ChoiceTyping &choices();
  ClosureTyping &closures();
  ConstantTyping &constants();
  ItemTyping &items();
  LaunchTyping &launches();
  OperandTyping &operands();
  OperatorTyping &operators();
  ResultTyping &results();
  StatementWalker &statements();
  StoreTyping &stores();
  UnpackTyping &unpacking();
  LoopUnrolling &unrolling();
  VariableTyping &variables();

private:
  struct Parts;

  void walkOnce();
  void walkUntilStable();
  void addNameErrors();
  void checkComplete();
  void checkTruths();
  void writeTypes();

  ProgramInference &program;
  FuncOp function;
  llvm::StringRef name;
  mlir::MLIRContext *context;
  Typing typing;
  mlir::ArrayRef<Fact> arguments;
  Branches branches;
  Walk walk;
  Annotations annotations;
  /// What all walks have found of values.
  llvm::DenseMap<mlir::Value, Fact> facts;
  /// Values of this walk that have no type yet.
  llvm::SmallVector<mlir::Value, 1> untyped;
  /// Errors of this walk. What has one has no type, and what it is given to
  /// is not judged, so that none follows from another.
  std::vector<mlir::Diagnostic> errors;
  bool unrolled = false;
  /// Errors of the walk that looked at names only.
  std::vector<mlir::Diagnostic> nameErrors;
  std::unique_ptr<Parts> parts;
};

/// A part of the inference of one function: the rules for one kind of values or
/// statements.
class InferencePart {
protected:
  explicit InferencePart(FunctionInference &inference)
      : inference(inference), walk(inference.getWalk()),
        context(inference.getFunction().getContext()) {}

  FunctionInference &inference;
  Walk &walk;
  mlir::MLIRContext *context;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_FUNCTIONINFERENCE_H
