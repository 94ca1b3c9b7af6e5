// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds a pyk.func from a typed py.func.
//
// Variables have a *binding* at each point: the SSA values of their parts. A
// scalar or an array is one value, a tuple the values of its items, and what
// exists at compile time only has none. Statements are walked in order with the
// bindings at hand, so SSA form falls out; where control meets, the types that
// inference wrote down say what a binding becomes.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_LOWERING_H
#define PYK_LIB_CONVERSION_PYTOPYK_LOWERING_H

#include "Liveness.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Intrinsics/Intrinsics.h"

namespace pyk::py {

/// A value of a py type as values of pyk.
struct Binding {
  /// Type in the py dialect.
  mlir::Type type;
  /// The values; none for what exists at compile time only.
  mlir::SmallVector<mlir::Value, 1> parts;
};

/// Appends the pyk types of the parts of a value of `type`.
void appendPartTypes(mlir::Type type, mlir::SmallVectorImpl<mlir::Type> &parts);

/// The types of the values that stand for values of `types`.
llvm::SmallVector<mlir::Type> getPartTypes(mlir::ArrayRef<mlir::Type> types);

/// What a lowered function does beyond what it says.
struct LoweringOptions {
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  type member = value;
#include "pyk/Pipelines/CompileOptions.inc"
};

/// Whether `value` is an array that `a op= x` has computed in: it is stored.
bool isComputedInplace(mlir::Value value);

class FunctionLowering;

/// Tells debuggers that the variable `name` holds `value` from here on, if that
/// is a number or an array of numbers and they are to know. Parameters have a
/// position, from 1.
void tellDebugger(FunctionLowering &lowering, mlir::StringAttr name,
                  const Binding &value, mlir::Location loc,
                  int64_t argument = 0);

/// Lowers one function. Nothing here fails on a function that inference has
/// accepted; what cannot be lowered has been refused there.
class FunctionLowering {
public:
  FunctionLowering(FuncOp source, mlir::OpBuilder &builder,
                   const LoweringOptions &options);

  /// Builds the function at the builder's insertion point.
  void run();

  mlir::OpBuilder &getBuilder() { return builder; }
  const LoweringOptions &getOptions() const { return options; }
  Typing getTyping() const { return typing; }
  mlir::arith::FastMathFlags getFlags() const { return flags; }
  /// What divisions and functions that yield `type` may do.
  mlir::arith::FastMathFlags getApproximation(mlir::Type type);

  // The families of methods, each in its file. Rules for intrinsics use them,
  // which are functions (IntrinsicLowering.h).

  /// How a statement list ends where control leaves it.
  enum class Tail { Return, Continue };

  /// Ways in which control may leave statements.
  struct Exits {
    bool falls = true, breaks = false, continues = false, returns = false;
    /// True if control may leave otherwise than at the end.
    bool any() const { return breaks || continues || returns; }
    /// True if every exit is of kind `tail`.
    bool onlyAs(Tail tail) const {
      return !breaks && !(tail == Tail::Return ? continues : returns);
    }
  };

  /// Statements that are still to come, in this and the surrounding blocks.
  struct Frame {
    mlir::Block::iterator current, end;
    const Frame *next = nullptr;
  };

  /// A variable that control carries, and its type there.
  struct Slot {
    mlir::StringAttr name;
    mlir::Type type;
  };

  /// A variable that a loop leaves behind, and which ways out bring it.
  struct LeftSlot : Slot {
    bool byBreak, atEnd;
  };

  /// The innermost loop that is being built.
  struct Loop {
    /// What the loop carries.
    llvm::SmallVector<Slot> carried;
    /// What it leaves behind; the same, unless a break adds to it.
    llvm::SmallVector<LeftSlot> left;
    /// True if results begin with whether the loop has come to its end, so that
    /// its `else` runs.
    bool isFlagged = false;
    /// Prepended to what a continue carries; null for none.
    std::function<mlir::Value()> leading;
    Loop *outer = nullptr;
  };

  /// An array in memory of values that never change.
  struct Table {
    llvm::SmallVector<mlir::Value, 0> values;
    mlir::Value array;
  };

  using Bindings = llvm::DenseMap<mlir::StringAttr, Binding>;

  // Control flow (Statements.cpp).
  Exits getExits(mlir::Block &block);
  Exits getExits(mlir::Operation &op);
  template <typename LoopOp>
  void addExits(LoopOp op, bool turns, bool ends, Exits &result);
  bool canNest(Frame frame, Tail tail);
  void lower(mlir::Operation &op);
  bool lowerBlock(mlir::Block &block);
  bool lowerStatements(mlir::Block::iterator current,
                       mlir::Block::iterator end);
  llvm::SmallVector<mlir::Value> lowerTail(Frame frame, Tail tail);
  /// What a call yields that comes to the end of the function: None.
  llvm::SmallVector<mlir::Value> makeEndResult();
  bool lowerIf(IfOp op);
  void buildIf(mlir::Location loc, mlir::Value condition, bool hasExits,
               llvm::ArrayRef<Slot> slots, llvm::function_ref<bool()> ifTrue,
               llvm::function_ref<bool()> ifFalse);
  bool lowerExit(mlir::Operation &op);
  void addDeadTerminator();
  llvm::SmallVector<Slot> getSlots(mlir::DictionaryAttr slots,
                                   const Names &live);
  llvm::SmallVector<mlir::Value> gather(llvm::ArrayRef<Slot> slots,
                                        mlir::Location loc);
  void bind(llvm::ArrayRef<Slot> slots, mlir::ValueRange values);
  mlir::Value testCondition(mlir::Value condition);

  // Loops (Loops.cpp).
  bool lowerFor(ForOp op);
  bool lowerWhile(WhileOp op);
  template <typename LoopOp>
  bool setSlots(LoopOp op, Loop &inner);
  llvm::SmallVector<mlir::Type> getLeftTypes(const Loop &inner);
  llvm::SmallVector<mlir::Value> gatherLeft(const Loop &inner, bool byBreak,
                                            mlir::Location loc);
  void endUnless(mlir::Value goesOn, const Loop &inner, mlir::Location loc);
  void lowerBody(mlir::Block &body, Loop &loop);
  void forget(mlir::Operation *loop);
  template <typename LoopOp>
  bool lowerOnlyElse(LoopOp op);
  template <typename LoopOp>
  bool lowerElse(LoopOp op, const Loop &inner, mlir::ValueRange results);

  // Ranges (Ranges.cpp).
  struct CountedRange;
  CountedRange count(const Binding &iterable, mlir::Location loc);
  CountedRange countRange(const Binding &range, bool fromZero,
                          mlir::Location loc);
  CountedRange countFromZero(const Binding &iterable, mlir::Location loc);
  /// The counter of the turn behind that of `counter`; not behind the range's
  /// end, so that no sum wraps.
  mlir::Value makeNextCounter(mlir::Value counter, const CountedRange &range,
                              mlir::Location loc);
  /// The start (0), stop (1) or step (2) of a range or a slice.
  Binding getBound(const Binding &object, unsigned position,
                   mlir::Location loc);
  Binding getElement(const Binding &iterable, const CountedRange &range,
                     mlir::Value counter, mlir::Location loc);

  // Iterators (Iterators.cpp).
  bool hasIterator(const Binding &iterable);
  Binding takeElement(const Binding &iterable, mlir::Value counter,
                      llvm::function_ref<void(mlir::Value)> leave,
                      mlir::Location loc);
  Binding makeIterator(const Binding &source, mlir::Location loc);
  Binding takeNext(const Binding &iterator, mlir::Location loc);
  /// How many elements of an iterator have been taken.
  mlir::Value getTaken(const Binding &iterator, mlir::Location loc);
  void setTaken(const Binding &iterator, mlir::Value count, mlir::Location loc);

  // All elements of a shape (NdRanges.cpp).
  llvm::SmallVector<mlir::Value> getNdExtents(const Binding &iterable,
                                              mlir::Location loc);
  Binding getNdElement(const Binding &iterable,
                       llvm::ArrayRef<mlir::Value> extents, mlir::Value counter,
                       mlir::Location loc);
  /// The numbers of the element of `flat` that `index` selects.
  llvm::SmallVector<mlir::Value>
  getFlatIndices(const Binding &flat, const Binding &index, mlir::Location loc);

  // Expressions (Expressions.cpp).
  Binding evaluate(ConstantOp op);
  Binding evaluate(GetOp op);
  Binding evaluate(UnaryOp op);
  Binding evaluate(CompareOp op);
  Binding evaluate(LogicalOp op);
  Binding evaluate(ConditionalOp op);
  Binding evaluate(AttributeOp op);
  Binding evaluate(SubscriptOp op);
  Binding evaluate(TupleOp op);
  Binding makeConstant(mlir::Attribute value, mlir::Location loc);
  Binding getItem(const Binding &tuple, unsigned position);
  Binding selectItem(const Binding &tuple, mlir::Value position,
                     mlir::Location loc);
  void lower(UnpackOp op);

  // Tuples as tables in memory (Tables.cpp).
  static bool canBeTable(mlir::TupleType tuple);
  Binding loadItem(const Binding &tuple, mlir::Value position,
                   mlir::Location loc);
  mlir::Value makeTable(llvm::ArrayRef<mlir::Value> values, mlir::Location loc);

  Binding findItem(const Binding &tuple, const Binding &wanted,
                   mlir::Location loc);
  mlir::Value lowerRegion(mlir::Region &region, Binding &result);
  Binding choose(mlir::Operation *op, mlir::DictionaryAttr slots,
                 mlir::Value condition,
                 llvm::function_ref<Binding(bool)> evaluateArm);

  // Arrays (Arrays.cpp).
  struct Selection;
  Binding evaluate(SliceOp op);
  void lower(SetSubscriptOp op);
  Selection select(const Binding &array, const Binding &index,
                   mlir::StringRef name, mlir::Location loc);
  /// The numbers of the element that `index` selects.
  llvm::SmallVector<mlir::Value> getElementIndices(const Binding &array,
                                                   const Binding &index,
                                                   mlir::StringRef name,
                                                   mlir::Location loc);
  Binding getIndexed(const Binding &array, const Binding &index,
                     mlir::StringRef name, mlir::Location loc);
  Binding getRow(const Binding &array, mlir::Value position,
                 mlir::Location loc);
  mlir::Value getIndex(const Binding &index, mlir::Value array,
                       int64_t dimension, mlir::StringRef name,
                       mlir::Location loc);
  /// An extent and the number of elements, as numbers of `width` bits.
  mlir::Value getDim(mlir::Value array, int64_t dimension, mlir::Location loc,
                     unsigned width = 64);
  mlir::Value getSize(mlir::Value array, mlir::Location loc,
                      unsigned width = 64);
  mlir::Value reshape(mlir::Value array, ArrayType type,
                      llvm::ArrayRef<mlir::Value> extents, mlir::Location loc);
  mlir::Value areOneArray(mlir::Value a, mlir::Value b, mlir::Location loc);
  /// Stores `value` in all elements of `target`, or what `combine` makes of
  /// each and of it.
  void store(const Binding &value, mlir::Value target, mlir::Type element,
             mlir::Location loc,
             llvm::function_ref<Binding(const Binding &, const Binding &)>
                 combine = {});
  Binding computeInplace(BinaryOp op);
  void storeAt(const Binding &value, const Binding &array, const Binding &index,
               mlir::StringRef name, mlir::Location loc);
  void scatter(const Binding &value, const Binding &array, const Binding &index,
               unsigned selector, mlir::StringRef name, mlir::Location loc);
  void storeElement(const Binding &value, mlir::Value array,
                    mlir::ValueRange indices, mlir::Type element,
                    mlir::Location loc);
  Binding load(const Binding &array, mlir::ValueRange indices,
               mlir::Location loc);

  // Records (Records.cpp).
  void lower(SetAttributeOp op);
  mlir::Value getRecord(mlir::Value array, mlir::ValueRange indices,
                        mlir::Location loc);
  Binding getField(const Binding &records, unsigned position,
                   mlir::Location loc);
  void setField(const Binding &value, const Binding &records, unsigned position,
                mlir::Location loc);

  // Checks, each of which does nothing unless it is asked for (Checks.cpp).
  void lower(RaiseOp op);
  void check(mlir::Value condition, mlir::StringRef error,
             const llvm::Twine &message, mlir::ValueRange recorded,
             mlir::Location loc);
  FailureAttr makeFailure(mlir::StringRef error, const llvm::Twine &message,
                          mlir::Location loc, int64_t exception = -1);
  void require(mlir::Value condition, mlir::StringRef error,
               const llvm::Twine &message, mlir::Location loc);
  std::string describeArray(mlir::Value array);
  void checkInside(mlir::Value position, mlir::Value extent, mlir::Value given,
                   const llvm::Twine &message, mlir::Location loc);
  void checkCount(mlir::Value extent, size_t count, mlir::Location loc);
  void checkFits(mlir::Value extent, mlir::Value isOne, mlir::Value wanted,
                 int64_t dimension, mlir::Location loc);
  void checkReshape(mlir::Value size, llvm::ArrayRef<mlir::Value> extents,
                    mlir::Location loc);
  void checkSingle(mlir::Value array, mlir::Location loc);
  void checkStretches(mlir::Value extent, mlir::Value wanted,
                      mlir::Location loc);
  void checkNotZero(mlir::Value number, mlir::StringRef error,
                    const llvm::Twine &message, bool isWanted,
                    mlir::Location loc);
  void checkDivisor(BinaryOperator kind, mlir::Value divisor,
                    mlir::Location loc);
  void checkPower(mlir::Value base, mlir::Value exponent, mlir::Location loc);

  // Values that stand for others (Wrappers.cpp).
  Binding evaluate(UnwrapOp op);
  Binding unwrap(const Binding &binding, mlir::Type to, mlir::Location loc);
  Binding convertToOptional(const Binding &binding, OptionalType to,
                            mlir::Location loc);
  mlir::Value isPresent(const Binding &binding, mlir::Location loc);
  Binding makeNamedTuple(CallOp op, NamedTupleClassAttr own,
                         llvm::ArrayRef<Binding> arguments);
  /// Whether `==`, or with `isIdentity` `is`, holds.
  mlir::Value makeOrder(CompareOperator kind, const Binding &lhs,
                        const Binding &rhs, mlir::Location loc);
  mlir::Value makeEquality(const Binding &lhs, const Binding &rhs,
                           bool isIdentity, mlir::Location loc);

  // Code of other languages (Foreign.cpp).
  void callForeign(ForeignAttr code, mlir::TypeRange results);

  // Kernels that a kernel launches (Launches.cpp).
  Binding configureKernel(ConfiguredKernelType kernel, const Binding &shape,
                          mlir::Location loc);
  void makeLaunch(FuncOp target, const Binding &configured,
                  mlir::ValueRange arguments, mlir::Location loc);

  // Calls (Calls.cpp).
  Binding evaluate(CallOp op);
  Binding evaluateFunction(CallOp op, llvm::ArrayRef<Binding> arguments);
  llvm::SmallVector<mlir::Value>
  passArguments(CallOp op, FuncOp target, llvm::ArrayRef<Binding> arguments);
  Binding callLibrary(mlir::FlatSymbolRefAttr target,
                      llvm::ArrayRef<Binding> arguments, mlir::Location loc);
  Binding makeCall(FuncOp target, mlir::ValueRange operands,
                   mlir::Location loc);
  Binding evaluate(ClosureOp op);
  Binding getDefaults(const Binding &closure);
  Binding getCaptures(const Binding &closure, mlir::TupleType type,
                      mlir::Location loc);
  Binding convertClosure(const Binding &closure, ClosureType to,
                         mlir::Location loc);
  Binding evaluateIntrinsic(CallOp op, const Intrinsic &intrinsic,
                            llvm::ArrayRef<Binding> arguments);
  Binding evaluateAttribute(AttributeOp op, const Intrinsic &row,
                            const Binding &object);
  mlir::Value makeIndexValue(const Intrinsic &intrinsic, mlir::Location loc);

  // Digits (Rounding.cpp).
  mlir::Value makeRounded(const Binding &value, const Binding &digits,
                          mlir::Type type, mlir::Location loc);

  // Numbers (Numbers.cpp).
  mlir::Value convert(mlir::Value value, mlir::Type from, mlir::Type to,
                      mlir::Location loc);
  Binding convert(const Binding &binding, mlir::Type to, mlir::Location loc);
  mlir::Value getTruth(const Binding &binding, mlir::Location loc);
  mlir::Value makeNot(mlir::Value truth, mlir::Location loc);
  Binding evaluate(BinaryOp op);
  Binding makeBinary(BinaryOperator kind, const Binding &lhs,
                     const Binding &rhs, mlir::Type type, mlir::Location loc);
  /// The operands of an operator, constants in the type that they take there.
  template <typename Op>
  std::pair<Binding, Binding> getOperands(Op op);
  mlir::Value makePower(const Binding &lhs, const Binding &rhs, mlir::Type type,
                        mlir::Location loc);
  mlir::Value makeComparison(CompareOperator kind, const Binding &lhs,
                             const Binding &rhs, mlir::Location loc);
  /// The product of two floats or complex numbers.
  mlir::Value multiply(mlir::Value a, mlir::Value b, mlir::Location loc);
  mlir::Value negate(mlir::Value number, mlir::Location loc);
  mlir::Value makeZero(mlir::Type type, mlir::Location loc);
  mlir::Value compareIntegers(CompareOperator kind, mlir::Value a,
                              mlir::Value b, bool areUnsigned,
                              mlir::Location loc);
  mlir::Value makeInteger(int64_t value, mlir::Type type, mlir::Location loc);
  mlir::Value makeFloat(double value, mlir::Type type, mlir::Location loc);
  Binding makeUndefined(mlir::Type type, mlir::Location loc);

  // Times (Times.cpp).
  mlir::Value isNat(mlir::Value count, mlir::Location loc);
  mlir::Value getDays(mlir::Value months, mlir::Location loc);
  /// `count` of `from` in units of `to`; of NaT what the arithmetic yields.
  mlir::Value scale(mlir::Value count, TimeType from, TimeType to,
                    mlir::Location loc);
  /// The time as one of `to`; NaT stays NaT.
  mlir::Value convertTime(mlir::Value count, TimeType from, TimeType to,
                          mlir::Location loc);
  mlir::Value makeTimeBinary(BinaryOperator kind, const Binding &lhs,
                             const Binding &rhs, mlir::Type type,
                             mlir::Location loc);
  mlir::Value makeTimeProduct(BinaryOperator kind, mlir::Value count,
                              const Binding &number, mlir::Location loc);
  mlir::Value makeTimeComparison(CompareOperator kind, mlir::Value a,
                                 mlir::Value b, mlir::Location loc);

  // Text (Chars.cpp).
  /// The codes of a text, which may be known.
  llvm::SmallVector<mlir::Value> getTextCodes(const Binding &text,
                                              mlir::Location loc);
  Binding convertText(const Binding &text, CharsType to, mlir::Location loc);
  mlir::Value isCode(mlir::Value code, mlir::Location loc);
  mlir::Value getTextLength(const Binding &text, mlir::Location loc);
  mlir::Value getTextTruth(const Binding &text, mlir::Location loc);
  mlir::Value compareTexts(CompareOperator kind, const Binding &lhs,
                           const Binding &rhs, mlir::Location loc);
  /// Whether `part` is in `text` from each of its places on.
  llvm::SmallVector<mlir::Value>
  getMatches(const Binding &part, const Binding &text, mlir::Location loc);
  /// Where `part` begins in `text`, first or last, or -1; `isRequired` makes it
  /// an error that it does not.
  mlir::Value searchText(const Binding &text, const Binding &part,
                         bool isFromEnd, bool isRequired, mlir::Location loc);
  mlir::Value isAscii(const Binding &text, mlir::Location loc);
  mlir::Value isPartOfText(const Binding &part, const Binding &text,
                           mlir::Location loc);
  /// An array of the bytes that are known.
  Binding getBytesArray(const Binding &bytes);
  Binding getCharacter(const Binding &text, const Binding &index,
                       mlir::Type type, mlir::Location loc);
  Binding makeOrd(const Binding &text, mlir::Type type, mlir::Location loc);
  mlir::Value getStoredCodes(mlir::Value array, mlir::ValueRange indices,
                             mlir::Location loc);
  Binding loadText(mlir::Value array, mlir::ValueRange indices, CharsType type,
                   mlir::Location loc);
  void storeText(const Binding &text, mlir::Value array,
                 mlir::ValueRange indices, CharsType type, mlir::Location loc);

  mlir::Value makeFloat8(mlir::Value value, mlir::Type from, Float8Type to,
                         mlir::Location loc);

  // Vectors (Vectors.cpp).
  Binding makeVector(ShortVectorType type, llvm::ArrayRef<Binding> arguments,
                     mlir::Location loc);
  Binding makeVectorBinary(BinaryOperator kind, const Binding &lhs,
                           const Binding &rhs, ShortVectorType type,
                           mlir::Location loc);
  Binding loadVector(mlir::Value array, mlir::ValueRange indices,
                     ShortVectorType type, mlir::Location loc);
  /// Stores into an element of vectors, or of records with their fields.
  void storeVector(const Binding &vector, mlir::Value array,
                   mlir::ValueRange indices, mlir::Location loc);

  // Complex numbers (ComplexNumbers.cpp).
  mlir::Value getReal(mlir::Value number, mlir::Location loc);
  mlir::Value getImag(mlir::Value number, mlir::Location loc);
  mlir::Value makeComplex(mlir::Value real, mlir::Value imag,
                          mlir::Location loc);
  mlir::Value makeComplexConstant(mlir::complex::NumberAttr number,
                                  mlir::Location loc);
  mlir::Value makeComplexBinary(BinaryOperator kind, mlir::Value a,
                                mlir::Value b, mlir::Location loc);
  mlir::Value areEqual(mlir::Value a, mlir::Value b, mlir::Location loc);

  const Binding &get(mlir::Value value) { return values[value]; }

private:
  FuncOp source;
  Typing typing;
  mlir::OpBuilder &builder;
  mlir::MLIRContext *context;
  LoweringOptions options;
  /// Flags of float arithmetic: `contract` unless it is off.
  mlir::arith::FastMathFlags flags;
  Liveness liveness;
  mlir::FunctionOpInterface function;
  /// What each variable holds here.
  Bindings variables;
  /// What each expression has yielded.
  llvm::DenseMap<mlir::Value, Binding> values;
  Loop *loop = nullptr;
  llvm::DenseMap<mlir::Block *, Exits> exits;
  /// Tables of known values, and of others.
  llvm::DenseMap<mlir::Attribute, mlir::Value> constantTables;
  llvm::SmallVector<Table, 0> tables;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_LOWERING_H
