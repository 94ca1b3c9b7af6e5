// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: operators. Their types follow Promotion.h.

#include "OperatorTyping.h"
#include "Folding.h"
#include "Library.h"
#include "OperandTyping.h"
#include "ProgramInference.h"
#include "Remedies.h"
#include "StoreTyping.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Times.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// What to do with floats of a byte.
static constexpr StringLiteral kFloat8Converts =
    "floats of 8 bits or less convert; compute with float32(...) of them";

static StringRef getSpelling(BinaryOperator kind) {
  static constexpr StringLiteral spellings[] = {
      "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"};
  return spellings[static_cast<unsigned>(kind)];
}

static StringRef getSpelling(UnaryOperator kind) {
  static constexpr StringLiteral spellings[] = {"+", "-", "~", "not"};
  return spellings[static_cast<unsigned>(kind)];
}

static StringRef getSpelling(CompareOperator kind) {
  static constexpr StringLiteral spellings[] = {
      "==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
  return spellings[static_cast<unsigned>(kind)];
}

/// Whether a value of `type` is an array of which one element can be meant.
static bool hasElements(Type type) {
  auto array = dyn_cast<ArrayType>(type);
  return array && array.getRank() != 0;
}

/// What `kind` yields for ints known while compiling, computed at run time: an
/// int64; nothing if that wraps.
static Attribute foldKnown(BinaryOperator kind, Attribute lhs, Attribute rhs) {
  auto isInt64 = [](Attribute constant) {
    auto integer = dyn_cast_if_present<IntAttr>(constant);
    return integer && integer.getValue().getType().isSignedInteger();
  };
  if (!isInt64(lhs) || !isInt64(rhs))
    return {};
  Attribute result = foldBinary(kind, lhs, rhs);
  return isInt64(result) ? result : Attribute();
}

/// Whether `array op= x` can run over the array for an `x` of type `operand`.
static bool canCompute(BinaryOperator kind, ArrayType array, Type operand,
                       Typing typing) {
  auto source = dyn_cast<ArrayType>(operand);
  bool fits = !source || (source.getRank() <= array.getRank() &&
                          canBroadcast(source, array));
  Type number = source ? source.getElementType() : operand;
  return fits && getInplaceType(kind, array.getElementType(), number, typing);
}

FailureOr<Fact> OperatorTyping::evaluate(BinaryOp op) {
  OperandTyping &operands = inference.operands();
  Typing typing = inference.getTyping();
  Fact lhs = op.getInplace() ? operands.getPlain(op.getLhsMutable())
                             : operands.getNumber(op.getLhsMutable());
  Fact rhs = operands.getNumber(op.getRhsMutable());
  if (!lhs.type || !rhs.type)
    return Fact();
  auto leftTuple = dyn_cast<TupleType>(lhs.type);
  auto rightTuple = dyn_cast<TupleType>(rhs.type);
  if (leftTuple && rightTuple && op.getKind() == BinaryOperator::Add) {
    SmallVector<Type> items(leftTuple.getTypes());
    llvm::append_range(items, rightTuple.getTypes());
    return makeTyped(TupleType::get(context, items));
  }
  if (auto array = dyn_cast<ArrayType>(lhs.type);
      array && op.getInplace() &&
      canCompute(op.getKind(), array, rhs.type, typing)) {
    if (failed(checkWritable(op.getLoc(), array)))
      return failure();
    return makeTyped(array);
  }
  Type type = getBinaryType(
      op.getKind(), getOperandType(op.getLhs(), lhs.type, rhs.type, typing),
      getOperandType(op.getRhs(), rhs.type, lhs.type, typing), typing);
  if (!type) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "operator '" << getSpelling(op.getKind())
          << (op.getInplace() ? "='" : "'") << " cannot take "
          << describe(lhs.type) << " and " << describe(rhs.type);
    for (Type operand : {lhs.type, rhs.type})
      if (auto array = dyn_cast<ArrayType>(operand)) {
        error.attachNote()
            << (array.getRecord()
                    ? "a kernel computes with fields of a record, such as r.x"
                    : "a kernel computes with elements of an array, such as "
                      "a[i]");
        break;
      }
    if (isa<Float8Type>(lhs.type) || isa<Float8Type>(rhs.type))
      error.attachNote() << kFloat8Converts;
    if (std::string reason = explainUnits(lhs.type, rhs.type); !reason.empty())
      error.attachNote() << reason;
    if (isText(lhs.type))
      error.attachNote() << kNoTextMade;
    return error;
  }
  Fact result = makeTyped(type);
  result.constant = foldKnown(op.getKind(), lhs.constant, rhs.constant);
  // What decides a branch is a constant from then on.
  if (Attribute decided = inference.getBranches().getDecided(op, walk.copy)) {
    if (isa<ObjectAttr>(decided))
      return emitTypingError(op.getLoc())
             << "the value of this constant expression needs more than 64 bits";
    return makeConstant(decided);
  }
  return result;
}

FailureOr<Fact> OperatorTyping::evaluate(UnaryOp op) {
  Typing typing = inference.getTyping();
  OpOperand &source = op.getOperandMutable();
  bool isNot = op.getKind() == UnaryOperator::Not;
  Fact operand = isNot ? inference.get(source.get())
                       : inference.operands().getNumber(source);
  if (!operand.type)
    return Fact();
  Type type = getUnaryType(op.getKind(), operand.type, typing);
  if (!type) {
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "operator '" << getSpelling(op.getKind()) << "' cannot take "
          << describe(operand.type);
    if (hasElements(operand.type))
      error.attachNote() << kOneElement;
    return error;
  }
  Fact result = makeTyped(type);
  if (op.getKind() == UnaryOperator::Minus) {
    auto zero = IntAttr::get(
        context, IntegerAttr::get(
                     IntegerType::get(context, 64, IntegerType::Signed), 0));
    result.constant = foldKnown(BinaryOperator::Sub, zero, operand.constant);
  }
  return result;
}

/// True if `==` takes values of types `a` and `b`, of which one is a text. What
/// is no text is no str either, but bytes might be meant to be a number.
static bool canTextBeEqual(Type a, Type b) {
  if (!isText(a))
    std::swap(a, b);
  return isText(b) || (getCharsKind(a) == CharsKind::Str &&
                       (isNumberOrTime(b) || isa<EnumType>(b) || getTuple(b)));
}

bool py::canBeEqual(Type a, Type b, Typing typing) {
  if (isa<NoneType>(a) || isa<NoneType>(b))
    return true;
  if (isa<OptionalType>(a) || isa<OptionalType>(b))
    return canBeEqual(isa<OptionalType>(a) ? unwrapOnce(a) : a,
                      isa<OptionalType>(b) ? unwrapOnce(b) : b, typing);
  if (compareDtypes(CompareOperator::Eq, a, b, typing))
    return true;
  if (isText(a) || isText(b))
    return canTextBeEqual(a, b);
  TupleType left = getTuple(a), right = getTuple(b);
  if (left && right)
    return llvm::all_of(llvm::zip(left.getTypes(), right.getTypes()),
                        [&](auto pair) {
                          auto [x, y] = pair;
                          return canBeEqual(x, y, typing);
                        });
  auto x = dyn_cast<EnumType>(a), y = dyn_cast<EnumType>(b);
  bool areOfOneClass = x && y && x.getName() == y.getName();
  return areOfOneClass ||
         getCompareType(unwrapAll(a), unwrapAll(b), typing) != Type();
}

InFlightDiagnostic OperatorTyping::emitNotComparable(CompareOp op) {
  Type lhs = inference.get(op.getLhs()).type,
       rhs = inference.get(op.getRhs()).type;
  InFlightDiagnostic error = emitTypingError(op.getLoc());
  error << "operator '" << getSpelling(op.getKind()) << "' cannot take "
        << describe(lhs) << " and " << describe(rhs);
  if (hasElements(lhs) || hasElements(rhs))
    error.attachNote() << kOneElement;
  return error;
}

/// Whether `x` is an element of the array or range `values`.
FailureOr<Fact> OperatorTyping::evaluateSearch(CompareOp op, const Fact &x,
                                               const Fact &values) {
  auto array = dyn_cast<ArrayType>(values.type);
  bool canFind =
      array ? canBeEqual(x.type, array.getElementType(), inference.getTyping())
            : isReal(x.type);
  FuncOp function = canFind ? getLibrary(op, "pyk.contains") : FuncOp();
  if (!function)
    return emitNotComparable(op);
  FuncOp specialized;
  FailureOr<Fact> result = inference.getProgram().call(
      function, {values, x}, op.getLoc(), specialized);
  inference.getAnnotations().setTarget(op, specialized);
  return result;
}

/// True if `kind` asks whether two arrays are one.
static bool areArrays(CompareOperator kind, Type a, Type b) {
  return (kind == CompareOperator::Is || kind == CompareOperator::IsNot) &&
         isa<ArrayType>(a) && isa<ArrayType>(b);
}

/// True if `<` takes values of types `a` and `b`: numbers, times, texts, or
/// tuples of such, which are compared item by item.
static bool haveOrder(Type a, Type b, Typing typing) {
  auto left = dyn_cast<TupleType>(a), right = dyn_cast<TupleType>(b);
  if (left && right)
    return llvm::all_of(llvm::zip(left.getTypes(), right.getTypes()),
                        [&](auto pair) {
                          auto [x, y] = pair;
                          return haveOrder(x, y, typing);
                        });
  if (isText(a))
    return getCharsKind(a) == getCharsKind(b);
  return getCompareType(a, b, typing) && !isComplex(a) && !isComplex(b);
}

FailureOr<Fact> OperatorTyping::evaluate(CompareOp op) {
  OperandTyping &operands = inference.operands();
  Typing typing = inference.getTyping();
  CompareOperator kind = op.getKind();
  // Whatever stands for other values may be equal to something.
  bool isPlain = !isEquality(kind);
  OpOperand &left = op.getLhsMutable(), &right = op.getRhsMutable();
  bool isIdentity =
      kind == CompareOperator::Is || kind == CompareOperator::IsNot;
  bool isIn = kind == CompareOperator::In || kind == CompareOperator::NotIn;
  Fact lhs = isPlain ? operands.getPlain(left) : inference.get(left.get());
  Fact rhs = isPlain ? operands.getPlain(right) : inference.get(right.get());
  if (!isIdentity)
    lhs = operands.getElement(left);
  if (!isIdentity && !isIn)
    rhs = operands.getElement(right);
  auto boolean = IntegerType::get(context, 1);
  if (inference.getBranches().getDecided(op, walk.copy))
    return makeTyped(boolean);
  if (!lhs.type || !rhs.type)
    return Fact();
  if (compareText(kind, lhs.type, rhs.type) ||
      compareDtypes(kind, lhs.type, rhs.type, typing))
    return makeTyped(boolean);
  if (isIn && isa<ArrayType, RangeType>(rhs.type))
    return evaluateSearch(op, lhs, rhs);
  TupleType items = isIn ? getTuple(rhs.type) : TupleType();
  auto fits = [&](Type other) { return canBeEqual(lhs.type, other, typing); };
  bool isComparable;
  if (items)
    isComparable = llvm::all_of(items.getTypes(), fits);
  else if (isPlain)
    isComparable = haveOrder(lhs.type, rhs.type, typing) &&
                   (!isIn || canSearch(lhs.type, rhs.type));
  else
    isComparable = areOthers(kind, lhs.type, rhs.type) ||
                   areArrays(kind, lhs.type, rhs.type) || fits(rhs.type);
  if (isComparable)
    return makeTyped(boolean);
  InFlightDiagnostic error = emitNotComparable(op);
  if (isa<Float8Type>(lhs.type) || isa<Float8Type>(rhs.type))
    error.attachNote() << kFloat8Converts;
  if (isIn && isText(lhs.type) && isText(rhs.type))
    error.attachNote() << kSearchTooLong;
  if (!isIn && getCompareType(lhs.type, rhs.type, typing))
    error.attachNote() << "complex numbers have no order; compare their parts, "
                          ".real and .imag, or abs(...)";
  auto a = dyn_cast<TimeType>(lhs.type), b = dyn_cast<TimeType>(rhs.type);
  if (a && b && a.getKind() == b.getKind())
    error.attachNote() << explainUnits(a, b);
  return error;
}
