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

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_INFERENCE_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_INFERENCE_H

#include "Branches.h"
#include "Definitions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "pyk/Intrinsics/Intrinsics.h"
#include "llvm/ADT/StringSet.h"
#include <deque>
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

/// The candidate that is most like `name`; empty if none is.
llvm::StringRef findNearest(llvm::StringRef name,
                            mlir::ArrayRef<llvm::StringRef> candidates);

/// What a call gives to each parameter of its callee; an argument that is left
/// out has no type and no value.
struct Bound {
  llvm::SmallVector<Fact> facts;
  llvm::SmallVector<mlir::Value> values;
};

/// True if extents of `value`, at the end of those of `target`, can be theirs.
bool canBroadcast(ArrayType value, ArrayType target);

/// True if `==` takes values of types `a` and `b`.
bool canBeEqual(mlir::Type a, mlir::Type b, Typing typing);

/// Puts the arguments of a call in the order of `names`, taking keywords into
/// account; `surplus` of them have no name. Emits an error, with a note at
/// `callee` if it has one, if they do not fit.
mlir::FailureOr<Bound> bindArguments(CallOp op, llvm::StringRef name,
                                     mlir::ArrayRef<llvm::StringRef> names,
                                     mlir::ArrayRef<Fact> arguments,
                                     size_t surplus,
                                     std::optional<mlir::Location> callee);

/// Emits an error at `loc` unless `array` can be written.
mlir::LogicalResult checkWritable(mlir::Location loc, ArrayType array);

/// A remedy where a number is expected: how to get one of a time.
inline constexpr llvm::StringLiteral kCountOfTime =
    "np.int64(...) is the number of its units";

/// What has random numbers for kernels.
inline constexpr llvm::StringLiteral kRandomNumbers =
    "cuda.random has generators for kernels, such as "
    "xoroshiro128p_uniform_float32";

/// Why strings have few operators and no methods.
inline constexpr llvm::StringLiteral kNoTextMade =
    "a kernel compares text but makes none; print(\"i =\", i) prints text and "
    "numbers side by side, and all else is done on the host, before the "
    "launch";

/// Why a text is not looked for in another one.
inline constexpr llvm::StringLiteral kSearchTooLong =
    "a kernel looks for text where the lengths make 4096 at most, one times "
    "the "
    "other";

/// True if `==` takes values of types `a` and `b`, of which one is a text. What
/// is no text is no str either, but bytes might be meant to be a number.
bool canTextBeEqual(mlir::Type a, mlir::Type b);

/// Says why `a` and `b` have no common type if both are texts.
void noteTexts(mlir::InFlightDiagnostic &error, mlir::Type a, mlir::Type b);

/// The type of an intrinsic that is a number without a call; null of others.
mlir::Type getValueType(const Intrinsic &intrinsic, mlir::MLIRContext *context);

/// The type of a function on `arguments`, one of which is a time; null if it
/// takes no such arguments.
mlir::Type getTimeResult(intrinsics::TypingRule rule,
                         mlir::ArrayRef<mlir::Type> arguments);

/// Infers one specialized function.
class FunctionInference {
public:
  /// `name` is the function's own, without the suffix of a specialization.
  FunctionInference(ProgramInference &program, FuncOp function,
                    mlir::StringRef name, mlir::ArrayRef<Fact> arguments)
      : program(program), function(function), name(name),
        context(function.getContext()),
        typing(function.getNarrow() ? Typing::Narrow : Typing::Numba),
        arguments(arguments), branches(function, arguments, typing) {}

  /// Interprets the body and writes all types into it. Yields the result; on
  /// failure `takeErrors` has the reasons.
  mlir::FailureOr<Fact> run();

  /// The errors of the last walk, none of which follows from another.
  std::vector<mlir::Diagnostic> takeErrors() { return std::move(errors); }

  /// What is known so far of the result, for a recursive call.
  Fact getPartialResult() const;

  // What rules for intrinsics use.

  /// The function of PyK's library with that name; null if the program holds
  /// none.
  FuncOp getLibrary(mlir::Operation *op, llvm::StringRef name);
  /// Calls `target`, or, as a method of `object`, with it in front.
  mlir::FailureOr<Fact> callFunction(CallOp op, FuncOp target,
                                     mlir::ArrayRef<Fact> arguments,
                                     const Fact *object = nullptr);
  /// Emits an error if a number or time of type `from` becomes none of `to`
  /// by itself: a complex number a real one, a time a number.
  mlir::LogicalResult checkConvertible(mlir::Location loc, mlir::Type from,
                                       mlir::Type to);
  mlir::FailureOr<mlir::Type> getIndexed(mlir::Value index, ArrayType array);
  mlir::FailureOr<Fact> evaluateAlloc(CallOp op, const Intrinsic &intrinsic,
                                      mlir::ArrayRef<Fact> arguments,
                                      Space space);
  /// Writes down that launches know the extents of the array that `op` makes,
  /// of the type `shape`. Returns them as its type has them.
  llvm::SmallVector<int64_t> addLaunchExtents(CallOp op, mlir::Type shape);
  /// Whose rules operators follow.
  Typing getTyping() const { return typing; }
  FuncOp getFunction() const { return function; }
  const Branches &getBranches() const { return branches; }
  /// Writes down what `op`, a call of an intrinsic, converts its arguments to
  /// and what it yields then.
  void setSignature(CallOp op, mlir::FunctionType signature) {
    signatures[op] = signature;
  }
  /// Writes down the order in which `op` takes dimensions.
  void setSelection(CallOp op, mlir::ArrayRef<int64_t> order) {
    selections[op].assign(order.begin(), order.end());
  }
  /// The type of `value`, as far as it is known.
  mlir::Type getType(mlir::Value value) const {
    return facts.lookup(value).type;
  }
  /// Says that `type` has no such attribute, and what may be meant.
  mlir::InFlightDiagnostic emitUnknownAttribute(AttributeOp op,
                                                mlir::Type type);

private:
  // Driving (InferFunction.cpp).
  enum class Phase { Names, Types };
  void walk();
  void walkUntilStable();
  mlir::FailureOr<Fact> getResult();
  mlir::LogicalResult checkForeign(ForeignAttr code);
  void addNameErrors();
  void checkComplete();
  void checkTruths();
  void writeTypes();
  void writeTypes(mlir::Operation *op);

  // Definitions (Definitions.cpp).
  Definition *getDefinition(mlir::Operation *op, mlir::StringAttr name,
                            Place place);
  void define(mlir::Operation *op, mlir::StringAttr name, const Fact &fact,
              Environment &environment);
  void form(Definition *join);
  void want(Definition *definition);
  std::optional<Environment>
  meet(mlir::Operation *op, Place place,
       mlir::ArrayRef<const Environment *> environments);
  bool grow(Fact &known, const Fact &fact);
  mlir::InFlightDiagnostic emitClash(mlir::Location loc,
                                     const Definition &definition);
  static llvm::SmallVector<mlir::StringAttr>
  getAssigned(mlir::MutableArrayRef<mlir::Region> regions);
  mlir::DictionaryAttr getSlots(mlir::MutableArrayRef<mlir::Region> regions,
                                const Environment &environment);

  // Statements (InferStatements.cpp).
  void interpret(mlir::Block &block, Flow &flow);
  void interpret(mlir::Operation &op, Flow &flow);
  void interpret(IfOp op, Flow &flow);
  void interpret(WhileOp op, Flow &flow);
  void interpret(ForOp op, Flow &flow);
  void interpret(ReturnOp op, Environment &environment);
  void interpret(SetOp op, Environment &environment);
  mlir::LogicalResult interpret(SetSubscriptOp op);
  mlir::LogicalResult interpret(SetAttributeOp op);
  void interpretSimple(mlir::Operation &op, Environment &environment);
  void test(WhileOp op, Environment &environment, Copy copy);
  Environment enterLoop(mlir::Operation *op, const Environment &entry);
  void closeLoop(mlir::Operation *op, const Environment &entry,
                 mlir::ArrayRef<const Environment *> around);
  template <typename Loop>
  void passLoop(Loop op, Flow &flow);
  template <typename Loop>
  void leaveLoop(Loop op, std::optional<Environment> ended,
                 llvm::ArrayRef<Environment> breaks, Flow &flow);

  // Names (InferNames.cpp).
  mlir::FailureOr<Fact> evaluate(GetOp op, Environment &environment);
  mlir::FailureOr<Fact> readDefinition(Definition *definition,
                                       mlir::Location loc);
  mlir::FailureOr<Fact> evaluate(ConstantOp op);

  // Expressions (InferExpressions.cpp).
  mlir::FailureOr<Fact> evaluate(mlir::Operation &op, Environment &environment);
  mlir::FailureOr<Fact> evaluate(BinaryOp op);
  bool canCompute(BinaryOperator kind, ArrayType array, mlir::Type operand);
  mlir::FailureOr<Fact> evaluate(UnaryOp op);
  mlir::FailureOr<Fact> evaluate(CompareOp op);
  mlir::FailureOr<Fact> evaluateSearch(CompareOp op, const Fact &x,
                                       const Fact &values);
  mlir::InFlightDiagnostic emitNotComparable(CompareOp op);

  // Choices (InferChoices.cpp).
  mlir::FailureOr<Fact> evaluate(LogicalOp op, Environment &environment);
  mlir::FailureOr<Fact> evaluate(ConditionalOp op, Environment &environment);
  void evaluateRegion(mlir::Region &region, Environment &environment);
  void meetAfter(mlir::Operation *op, mlir::ArrayRef<const Environment *> ends,
                 Environment &environment);
  mlir::FailureOr<Fact> choose(mlir::Operation *op,
                               mlir::ArrayRef<mlir::Value> values);

  // Parts of values (InferParts.cpp).
  mlir::FailureOr<Fact> evaluate(AttributeOp op);
  mlir::FailureOr<Fact> evaluate(SubscriptOp op);
  mlir::FailureOr<Fact> evaluate(TupleOp op);
  mlir::FailureOr<Fact> getItem(SubscriptOp op, const Fact &tuple);
  mlir::FailureOr<Fact> getItems(SubscriptOp op, const Fact &tuple);
  mlir::LogicalResult checkFlatIndex(mlir::Value index);

  // Values that stand for others (InferWrappers.cpp).
  mlir::FailureOr<Fact> evaluate(UnwrapOp op);
  Fact unwrap(mlir::OpOperand &operand);
  /// What is known of `operand`, of which the operation takes what it stands
  /// for; of a tuple also what its items stand for.
  Fact getPlain(mlir::OpOperand &operand);
  /// What `operand` is; of an array without dimensions, its element.
  Fact getElement(mlir::OpOperand &operand);
  /// An index, with elements in place of arrays without dimensions.
  Fact getIndex(mlir::OpOperand &operand);
  /// Both: what it stands for, or its element.
  Fact getNumber(mlir::OpOperand &operand);
  Fact getPlainItems(mlir::OpOperand &operand);
  /// What is known of `operand`, which must not be None.
  Fact getPresent(mlir::OpOperand &operand);
  mlir::FailureOr<Fact> getNamedItem(AttributeOp op, const Fact &object);
  mlir::FailureOr<Fact> makeNamedTuple(CallOp op, NamedTupleClassAttr own,
                                       mlir::ArrayRef<Fact> arguments);

  // Unpacking (InferUnpacking.cpp).
  void interpret(UnpackOp op);
  void interpretStarred(UnpackOp op);
  mlir::FailureOr<bool> expandStarred(mlir::MutableOperandRange operands,
                                      mlir::DenseI64ArrayAttr starred);

  // Arrays (InferArrays.cpp).
  mlir::FailureOr<Fact> evaluate(SliceOp op);
  mlir::LogicalResult checkStore(mlir::Value value, ArrayType object,
                                 mlir::Type target);
  mlir::LogicalResult checkTime(mlir::Location loc, mlir::Type from,
                                mlir::Type to);
  // Text (InferChars.cpp).
  mlir::FailureOr<Fact> getCharacter(SubscriptOp op, mlir::Type text);
  mlir::LogicalResult checkText(mlir::Location loc, mlir::Type from,
                                mlir::Type to);

  // Floats of 8 bits (InferNumbers.cpp).
  mlir::LogicalResult checkFloat8(mlir::Location loc, mlir::Type from,
                                  mlir::Type to);

  // Vectors (InferVectors.cpp).
  mlir::FailureOr<Fact> makeVector(CallOp op, ShortVectorType vector,
                                   mlir::ArrayRef<Fact> arguments);
  mlir::LogicalResult checkVector(mlir::Location loc, mlir::Type from,
                                  mlir::Type to);

  // Records (InferRecords.cpp).
  mlir::FailureOr<mlir::Type> getField(mlir::Location loc, ArrayType records,
                                       unsigned position);
  mlir::InFlightDiagnostic
  emitUnknownField(mlir::Location loc, ArrayType records, llvm::StringRef name);
  mlir::FailureOr<std::optional<unsigned>> getIndexedField(mlir::Value index,
                                                           ArrayType array);
  /// What `index` selects of `array`, for `op`: a field, elements, one element.
  mlir::FailureOr<mlir::Type> getSelected(mlir::Operation *op,
                                          mlir::Value index, ArrayType array);

  // Nested functions (InferClosures.cpp).
  mlir::FailureOr<Fact> evaluate(ClosureOp op);
  mlir::FailureOr<Fact> capture(const Fact &fact, Environment &environment,
                                mlir::Location loc,
                                llvm::SmallVectorImpl<mlir::Attribute> &around);
  mlir::FailureOr<llvm::SmallVector<Fact>>
  captureVariables(ClosureType closure, Environment &environment,
                   mlir::Location loc,
                   llvm::SmallVectorImpl<mlir::Attribute> &around);

  // Kernels that kernels launch (InferLaunches.cpp).
  mlir::FailureOr<Fact>
  configure(SubscriptOp op, mlir::FlatSymbolRefAttr kernel, const Fact &shape);
  mlir::LogicalResult checkExtents(mlir::Location loc, llvm::StringRef what,
                                   mlir::Type type);
  mlir::FailureOr<Fact> launch(CallOp op, ConfiguredKernelType kernel,
                               mlir::ArrayRef<Fact> arguments);

  // Calls (InferCalls.cpp, InferIntrinsics.cpp).
  mlir::FailureOr<llvm::SmallVector<Fact>>
  bindFacts(CallOp op, FuncOp target, mlir::ArrayRef<Fact> arguments,
            const Fact *object = nullptr);
  mlir::FailureOr<Fact> evaluate(CallOp op, Environment &environment);
  /// The library's method `name` of values of `type`; null if it has none.
  FuncOp getLibraryMethod(mlir::Operation *op, mlir::Type type,
                          llvm::StringRef name);
  mlir::FailureOr<Fact> evaluateMethod(CallOp op, MethodType method,
                                       mlir::ArrayRef<Fact> arguments);
  mlir::FailureOr<Fact> evaluateAttribute(AttributeOp op, const Intrinsic &row,
                                          const Fact &object);
  mlir::FailureOr<Fact> evaluateIntrinsic(CallOp op, const Intrinsic &intrinsic,
                                          mlir::ArrayRef<Fact> arguments);
  mlir::FailureOr<Fact> evaluateCast(CallOp op, mlir::Type target,
                                     mlir::ArrayRef<Fact> arguments);

  /// What is known of `value`; nothing yet if it has not been evaluated.
  Fact get(mlir::Value value) { return facts.lookup(value); }
  /// Adds `fact` to what is known of `value`.
  void record(mlir::Value value, const Fact &fact);

  ProgramInference &program;
  FuncOp function;
  mlir::StringRef name;
  mlir::MLIRContext *context;
  Typing typing;
  mlir::ArrayRef<Fact> arguments;
  Branches branches;

  // The walk.
  Phase phase = Phase::Names;
  bool isFirstWalk = true;
  /// True if the walk has changed anything.
  bool changed = false;
  /// Statements around the current one that may not run, or run many times.
  unsigned nested = 0;
  /// True if a construct was met that kernels cannot have; what it may assign
  /// is not known.
  bool hasUnsupported = false;
  /// True if a return stands above.
  bool hasReturned = false;
  /// A call in this walk of a function of which nothing is known yet: where it
  /// stands, and the function's name.
  std::optional<std::pair<mlir::Location, mlir::StringRef>> unresolved;
  /// Which copy of a loop's condition is being read, if one is.
  Copy copy = Copy::Only;
  bool isInCondition = false;
  /// What is known where the call stands that is being evaluated.
  Environment *here = nullptr;
  /// Errors of this walk. What has one has no type, and what it is given to
  /// is not judged, so that none follows from another.
  std::vector<mlir::Diagnostic> errors;
  /// Names of this walk that nothing defines.
  llvm::StringSet<> unresolvedNames;
  /// Errors of the walk that looked at names only.
  std::vector<mlir::Diagnostic> nameErrors;
  /// Definitions that this walk reads.
  llvm::SmallSetVector<Definition *, 8> read;
  /// Values of this walk that have no type yet.
  llvm::SmallVector<mlir::Value, 1> untyped;

  // What all walks have found.
  llvm::DenseMap<mlir::Value, Fact> facts;
  std::deque<Definition> definitions;
  llvm::DenseMap<std::pair<std::pair<mlir::Operation *, mlir::StringAttr>,
                           std::pair<unsigned, unsigned>>,
                 Definition *>
      definitionOf;
  /// Names that a loop assigns.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::StringAttr>>
      loopNames;
  /// The returns that control reaches, with what they have returned so far.
  llvm::MapVector<mlir::Operation *, Fact> returns;
  /// Returns that the last walk reached.
  llvm::SmallSetVector<mlir::Operation *, 4> reachedReturns;
  /// True if control can fall off the end.
  bool fallsOff = false;
  /// Where a variable is assigned first, for messages.
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> firstAssignment;

  // What is written into the IR besides the types of values.
  llvm::DenseMap<mlir::Operation *, std::optional<bool>> loopTaken;
  llvm::DenseMap<mlir::Operation *, mlir::DictionaryAttr> slots, elseSlots,
      after;
  /// Items of tuples and fields of records that an index names.
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  /// Positions of the items that a slice takes of a tuple, and the order of
  /// dimensions that a method is given.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>> selections;
  llvm::DenseMap<mlir::Operation *, FuncOp> targets;
  /// What the addresses of arrays that are made are multiples of, in bytes.
  llvm::DenseMap<mlir::Operation *, int64_t> alignments;
  /// What intrinsics convert their arguments to, and what they yield.
  llvm::DenseMap<mlir::Operation *, mlir::FunctionType> signatures;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_INFERENCE_H
