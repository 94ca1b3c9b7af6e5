// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter behind py-infer-types.
//
// A *fact* is what is known of a value or a variable: its type, its value if
// that is known at compile time, and which assignment it comes from. An
// *environment* maps variables to facts; each way out of a statement has one.
// Facts only grow: what an expression or an assignment has been given is
// unified with what it had, so that loops come to rest. A variable that two
// paths give types without a common one carries the conflict along; reading it
// is the error.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_INFERENCE_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_INFERENCE_H

#include "mlir/IR/BuiltinOps.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "pyk/Intrinsics/Intrinsics.h"
#include "llvm/ADT/MapVector.h"
#include <memory>

namespace pyk::py {

/// What is known of a value.
struct Fact {
  /// Null: nothing is known yet (a value on the way around a loop).
  mlir::Type type;
  /// The value itself where it is known at compile time, else null.
  mlir::Attribute constant;
  /// True if branches on the value are pruned before typing, as Numba does:
  /// a constant in the text, a global, or one comparison of such.
  bool decides = false;
  /// True if `decides` and the value is such a comparison: it decides a branch,
  /// but not another comparison.
  bool isComparison = false;
  /// The assignment that a variable got its value from; null for others and
  /// where several meet.
  mlir::Operation *definition = nullptr;
  /// Where types met that have no common one: the other type and assignment.
  mlir::Type conflict;
  mlir::Operation *conflictDefinition = nullptr;

  bool operator==(const Fact &other) const {
    return type == other.type && constant == other.constant &&
           decides == other.decides && isComparison == other.isComparison &&
           definition == other.definition && conflict == other.conflict;
  }
};

/// The variables that have a value on some path to here.
using Environment = llvm::SmallMapVector<mlir::StringAttr, Fact, 8>;

/// Where control may go after a statement, and what is known there. No
/// environment means that control does not go that way.
struct Flow {
  std::optional<Environment> next, breaks, continues;
};

/// A function for one tuple of argument types.
struct Specialization {
  FuncOp function;
  /// Name of the function that this one specializes.
  mlir::StringAttr name;
  /// Null while nothing is known, which is how recursion starts.
  mlir::Type result;
  /// The round in which it was inferred last.
  unsigned round = 0;
};

/// Infers a whole program: the kernel and what it calls.
class ProgramInference {
public:
  explicit ProgramInference(mlir::ModuleOp module) : module(module) {}

  /// Infers everything that the kernel reaches and drops the rest.
  mlir::LogicalResult run();

  /// The result type of `callee` for `arguments`, inferring it if need be; null
  /// in `result` if a recursion has to settle first. Fails after an error.
  mlir::LogicalResult call(FuncOp callee, mlir::ArrayRef<Fact> arguments,
                           mlir::Location loc, mlir::Type &result,
                           FuncOp &target);

private:
  mlir::LogicalResult infer(Specialization &specialization,
                            mlir::ArrayRef<Fact> arguments);

  mlir::ModuleOp module;
  /// By function and argument types.
  llvm::MapVector<std::pair<mlir::Operation *, mlir::ArrayAttr>,
                  std::unique_ptr<Specialization>>
      specializations;
  unsigned round = 0;
  /// True if a call saw a result that changed afterwards.
  bool unsettled = false;
  unsigned depth = 0;
};

/// Infers one specialized function.
class FunctionInference {
public:
  FunctionInference(ProgramInference &program, FuncOp function)
      : program(program), function(function), context(function.getContext()) {}

  /// Interprets the body for `arguments` and writes all types into it. Yields
  /// the result type, null if a recursion has to settle first.
  mlir::FailureOr<mlir::Type> run(mlir::ArrayRef<Fact> arguments);

private:
  // Statements (InferStatements.cpp).
  mlir::LogicalResult interpret(mlir::Block &block, Flow &flow);
  mlir::LogicalResult interpret(mlir::Operation &op, Flow &flow);
  mlir::LogicalResult interpret(IfOp op, Flow &flow);
  mlir::LogicalResult interpret(WhileOp op, Flow &flow);
  mlir::LogicalResult interpret(ForOp op, Flow &flow);
  mlir::LogicalResult interpret(ReturnOp op, Flow &flow);
  mlir::LogicalResult interpret(SetOp op, Environment &environment);
  mlir::LogicalResult interpret(SetSubscriptOp op);
  mlir::LogicalResult interpret(UnpackOp op);
  mlir::LogicalResult interpretLoop(
      mlir::Operation *op, Flow &flow,
      llvm::function_ref<mlir::LogicalResult(Environment, Flow &,
                                             std::optional<Environment> &)>
          turn);
  mlir::FailureOr<mlir::Type> getResult();
  void writeTypes();
  mlir::DictionaryAttr getSlots(mlir::Operation *op,
                                const Environment &environment);

  // Expressions (InferExpressions.cpp).
  mlir::FailureOr<Fact> evaluate(mlir::Operation &op, Environment &environment);
  mlir::FailureOr<Fact> evaluate(GetOp op, Environment &environment);
  mlir::FailureOr<Fact> evaluate(ConstantOp op);
  mlir::FailureOr<Fact> evaluate(BinaryOp op);
  mlir::FailureOr<Fact> evaluate(UnaryOp op);
  mlir::FailureOr<Fact> evaluate(CompareOp op);
  mlir::FailureOr<Fact> evaluate(LogicalOp op, Environment &environment);
  mlir::FailureOr<Fact> evaluate(ConditionalOp op, Environment &environment);
  mlir::FailureOr<Fact> evaluate(AttributeOp op);
  mlir::FailureOr<Fact> evaluate(SubscriptOp op);
  mlir::FailureOr<Fact> evaluate(TupleOp op);
  mlir::FailureOr<Fact> evaluateYield(mlir::Region &region,
                                      Environment &environment);
  mlir::FailureOr<mlir::Type> getElement(mlir::Location loc, ArrayType array,
                                         mlir::Type index);

  // Calls (InferCalls.cpp).
  mlir::FailureOr<Fact> evaluate(CallOp op);
  mlir::FailureOr<Fact> evaluateIntrinsic(CallOp op, const Intrinsic &intrinsic,
                                          mlir::ArrayRef<Fact> arguments);
  mlir::FailureOr<Fact> evaluateCast(CallOp op, mlir::Type target,
                                     mlir::ArrayRef<Fact> arguments);
  mlir::FailureOr<Fact> evaluateAlloc(CallOp op, const Intrinsic &intrinsic,
                                      mlir::ArrayRef<Fact> arguments);

  // Facts.
  /// What is known of `value`; nothing yet if it has not been evaluated.
  Fact get(mlir::Value value) { return facts.lookup(value); }
  /// Adds `fact` to what is known of `value`.
  mlir::LogicalResult record(mlir::Value value, Fact fact);

  ProgramInference &program;
  FuncOp function;
  mlir::MLIRContext *context;
  llvm::DenseMap<mlir::Value, Fact> facts;
  /// Accumulated type of each assignment.
  llvm::DenseMap<mlir::Operation *, mlir::Type> assigned;
  /// Which arm of a condition runs, where decided.
  llvm::DenseMap<mlir::Operation *, std::optional<bool>> taken;
  /// Types of variables where control meets again.
  llvm::DenseMap<mlir::Operation *, mlir::DictionaryAttr> slots;
  /// Types of variables after a loop.
  llvm::DenseMap<mlir::Operation *, mlir::DictionaryAttr> after;
  /// Item that a subscript of a tuple takes, where it is a constant.
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  /// Callee of each call of a function.
  llvm::DenseMap<mlir::Operation *, FuncOp> targets;
  /// Accumulated type of each return, in source order.
  llvm::MapVector<mlir::Operation *, mlir::Type> returns;
  /// Number of assignments to each variable, parameters included.
  llvm::DenseMap<mlir::StringAttr, unsigned> assignments;
  /// The first assignment that was interpreted of each variable.
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> firstAssignment;
  /// True if control can fall off the end.
  bool fallsOff = false;
};

/// The fact of a compile-time object.
Fact makeConstant(mlir::Attribute value);

/// A fact of which only the type is known.
inline Fact makeTyped(mlir::Type type) {
  Fact fact;
  fact.type = type;
  return fact;
}

/// Whether `constant` is true in Python; nothing if that is not known.
std::optional<bool> getTruth(mlir::Attribute constant);

/// What is known where two paths meet.
Fact join(const Fact &a, const Fact &b);
Environment join(const Environment &a, const Environment &b);
std::optional<Environment> join(const std::optional<Environment> &a,
                                const std::optional<Environment> &b);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_INFERENCE_H
