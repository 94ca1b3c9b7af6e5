// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions and operators on scalars. Integers are signless from here on, so
// each operation takes signedness from the py types of its operands.

#include "Operators.h"
#include "Arrays.h"
#include "Calls.h"
#include "Checks.h"
#include "ComplexNumbers.h"
#include "Constants.h"
#include "Ranges.h"
#include "Scalars.h"
#include "Text.h"
#include "Times.h"
#include "Tuples.h"
#include "Vectors.h"
#include "Wrappers.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykComplexOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

template <typename Op>
std::pair<Binding, Binding> OperatorLowering::getOperands(Op op) {
  const Binding &lhs = lowering.get(op.getLhs()),
                &rhs = lowering.get(op.getRhs());
  return {lowering.convert(lhs,
                           getOperandType(op.getLhs(), lhs.type, rhs.type,
                                          lowering.getTyping()),
                           op.getLoc()),
          lowering.convert(rhs,
                           getOperandType(op.getRhs(), rhs.type, lhs.type,
                                          lowering.getTyping()),
                           op.getLoc())};
}

Binding OperatorLowering::evaluate(BinaryOp op) {
  if (isComputedInplace(op))
    return lowering.arrays().computeInplace(op);
  auto [lhs, rhs] = getOperands(op);
  Type type = op.getType();
  if (isa<TupleType>(type)) {
    Binding result{type, lhs.parts};
    llvm::append_range(result.parts, rhs.parts);
    return result;
  }
  // The accumulated type may be wider than what these operands give.
  Type own =
      getBinaryType(op.getKind(), lhs.type, rhs.type, lowering.getTyping());
  return lowering.convert(makeBinary(op.getKind(), lhs, rhs, own, op.getLoc()),
                          type, op.getLoc());
}

Value OperatorLowering::makeShift(BinaryOperator kind, Value number,
                                  const Binding &by, bool hasNoSign,
                                  Location loc) {
  // The count has its own sign; both are 64 bits wide.
  Type wide = IntegerType::get(context, 64,
                               isUnsigned(by.type) ? IntegerType::Unsigned
                                                   : IntegerType::Signed);
  Value count = lowering.convert(by.parts.front(), by.type, wide, loc);
  if (number.getType() != count.getType()) {
    // No shift is longer than the number.
    count = builder.createOrFold<arith::MinUIOp>(
        loc, count, makeInteger(builder, 64, count.getType(), loc));
    count = builder.createOrFold<arith::TruncIOp>(loc, number.getType(), count);
  }
  if (kind == BinaryOperator::LShift)
    return builder.createOrFold<pyk::ShiftLeftOp>(loc, number, count, false);
  return builder.createOrFold<pyk::ShiftRightOp>(loc, number, count, hasNoSign);
}

Binding OperatorLowering::makeBinary(BinaryOperator kind, const Binding &lhs,
                                     const Binding &rhs, Type type,
                                     Location loc) {
  if (isa<TimeType>(lhs.type) || isa<TimeType>(rhs.type))
    return {type, {lowering.times().makeTimeBinary(kind, lhs, rhs, type, loc)}};
  if (auto vector = dyn_cast<ShortVectorType>(type))
    return lowering.vectors().makeVectorBinary(kind, lhs, rhs, vector, loc);
  bool isFloat = isa<FloatType>(type);
  bool hasNoSign = isUnsigned(type);
  auto unsignedAttr = hasNoSign && !isFloat;
  if (kind == BinaryOperator::Pow)
    return {type, {makePower(lhs, rhs, type, loc)}};
  Value a = lowering.convert(lhs.parts.front(), lhs.type, type, loc);
  if (kind == BinaryOperator::LShift || kind == BinaryOperator::RShift)
    return {type, {makeShift(kind, a, rhs, hasNoSign, loc)}};
  Value b = lowering.convert(rhs.parts.front(), rhs.type, type, loc);
  lowering.checks().checkDivisor(kind, b, loc);
  if (isComplex(type))
    return {type,
            {lowering.complexNumbers().makeComplexBinary(kind, a, b, loc)}};
  Value result;
  switch (kind) {
  case BinaryOperator::Add:
    result =
        isFloat ? arith::AddFOp::create(builder, loc, a, b, lowering.getFlags())
                      .getResult()
                : builder.createOrFold<arith::AddIOp>(loc, a, b);
    break;
  case BinaryOperator::Sub:
    result =
        isFloat ? arith::SubFOp::create(builder, loc, a, b, lowering.getFlags())
                      .getResult()
                : builder.createOrFold<arith::SubIOp>(loc, a, b);
    break;
  case BinaryOperator::Mul:
    result =
        isFloat ? arith::MulFOp::create(builder, loc, a, b, lowering.getFlags())
                      .getResult()
                : builder.createOrFold<arith::MulIOp>(loc, a, b);
    break;
  case BinaryOperator::TrueDiv:
    result = arith::DivFOp::create(builder, loc, a, b,
                                   lowering.getApproximation(type));
    break;
  case BinaryOperator::FloorDiv:
    result = builder.createOrFold<pyk::FloorDivOp>(loc, a, b, unsignedAttr);
    break;
  case BinaryOperator::Mod:
    result = builder.createOrFold<pyk::FloorModOp>(loc, a, b, unsignedAttr);
    break;
  case BinaryOperator::BitAnd:
    result = builder.createOrFold<arith::AndIOp>(loc, a, b);
    break;
  case BinaryOperator::BitOr:
    result = builder.createOrFold<arith::OrIOp>(loc, a, b);
    break;
  case BinaryOperator::BitXor:
    result = builder.createOrFold<arith::XOrIOp>(loc, a, b);
    break;
  default:
    llvm_unreachable("inference refuses the operator");
  }
  return {type, {result}};
}

Value OperatorLowering::makePower(const Binding &lhs, const Binding &rhs,
                                  Type type, Location loc) {
  Value base = lowering.convert(lhs.parts.front(), lhs.type, type, loc);
  APInt known;
  bool isKnown = isa<IntegerType>(rhs.type) &&
                 matchPattern(rhs.parts.front(), m_ConstantInt(&known));
  bool isSmall = isKnown && known.getSignificantBits() <= 7 &&
                 !(isUnsigned(rhs.type) && known.isNegative());
  if (!isa<IntegerType>(type) && isSmall) {
    // A small literal exponent: square and multiply, as Numba does.
    int64_t exponent = known.getSExtValue();
    Value result, square = base;
    for (uint64_t bits = std::abs(exponent); bits != 0; bits >>= 1) {
      if (bits & 1)
        result = result
                     ? lowering.complexNumbers().multiply(result, square, loc)
                     : square;
      if (bits > 1)
        square = lowering.complexNumbers().multiply(square, square, loc);
    }
    Type part = getPartType(type);
    Value one =
        lowering.convert(makeFloat(builder, 1.0, part, loc), part, type, loc);
    if (!result)
      return one;
    if (exponent > 0)
      return result;
    return isComplex(type)
               ? pyk::ComplexDivOp::create(builder, loc, one, result)
                     .getResult()
               : arith::DivFOp::create(builder, loc, one, result,
                                       lowering.getApproximation(type))
                     .getResult();
  }
  if (isa<FloatType>(type))
    // The approximation has no powers of negative numbers, which a whole
    // exponent is for.
    return math::PowFOp::create(
        builder, loc, base,
        lowering.convert(rhs.parts.front(), rhs.type, type, loc),
        isa<FloatType>(rhs.type) ? lowering.getApproximation(type)
                                 : arith::FastMathFlags::none);
  Value exponent = lowering.convert(rhs.parts.front(), rhs.type, type, loc);
  if (isComplex(type))
    return pyk::ComplexPowOp::create(builder, loc, base, exponent);
  if (!isUnsigned(type))
    lowering.checks().checkPower(base, exponent, loc);
  return builder.createOrFold<pyk::PowerOp>(loc, base, exponent,
                                            isUnsigned(type));
}

Binding OperatorLowering::evaluate(UnaryOp op) {
  const Binding &operand = lowering.get(op.getOperand());
  Location loc = op.getLoc();
  if (op.getKind() == UnaryOperator::Not)
    return {op.getType(),
            {makeNot(builder, lowering.getTruth(operand, loc), loc)}};
  Type type = getUnaryType(op.getKind(), operand.type, lowering.getTyping());
  if (auto vector = dyn_cast<ShortVectorType>(type)) {
    Binding minusOne = makeConstant(
        builder,
        IntegerAttr::get(IntegerType::get(context, 8, IntegerType::Signed), -1),
        loc);
    return op.getKind() == UnaryOperator::Plus
               ? operand
               : lowering.vectors().makeVectorBinary(
                     BinaryOperator::Mul, operand, minusOne, vector, loc);
  }
  // As in NumPy, an integer is negated and inverted in its own width.
  Type own = isInteger(operand.type) ? operand.type : type;
  Value value = lowering.convert(operand.parts.front(), operand.type, own, loc);
  if (op.getKind() == UnaryOperator::Minus)
    value = isa<IntegerType, TimeType>(own)
                ? builder.createOrFold<arith::SubIOp>(
                      loc, makeInteger(builder, 0, value.getType(), loc), value)
                : lowering.complexNumbers().negate(value, loc);
  else if (op.getKind() == UnaryOperator::Invert)
    value = builder.createOrFold<arith::XOrIOp>(
        loc, value, makeInteger(builder, -1, value.getType(), loc));
  value = lowering.convert(value, own, type, loc);
  return lowering.convert(Binding{type, {value}}, op.getType(), loc);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static arith::CmpFPredicate getFloatPredicate(CompareOperator kind) {
  switch (kind) {
  case CompareOperator::Ne:
  case CompareOperator::IsNot:
    return arith::CmpFPredicate::UNE;
  case CompareOperator::Lt:
    return arith::CmpFPredicate::OLT;
  case CompareOperator::Le:
    return arith::CmpFPredicate::OLE;
  case CompareOperator::Gt:
    return arith::CmpFPredicate::OGT;
  case CompareOperator::Ge:
    return arith::CmpFPredicate::OGE;
  default:
    return arith::CmpFPredicate::OEQ;
  }
}

Value OperatorLowering::makeComparison(CompareOperator kind, const Binding &lhs,
                                       const Binding &rhs, Location loc) {
  Type common = getCompareType(lhs.type, rhs.type, lowering.getTyping());
  Value a = lowering.convert(lhs.parts.front(), lhs.type, common, loc);
  Value b = lowering.convert(rhs.parts.front(), rhs.type, common, loc);
  if (isa<TimeType>(common))
    return lowering.times().makeTimeComparison(kind, a, b, loc);
  if (isa<FloatType>(common))
    return arith::CmpFOp::create(builder, loc, getFloatPredicate(kind), a, b);
  if (isComplex(common)) {
    Value equal = areEqual(builder, a, b, loc);
    bool isEqual = kind == CompareOperator::Eq || kind == CompareOperator::Is;
    return isEqual ? equal : makeNot(builder, equal, loc);
  }
  Value result = compareIntegers(builder, kind, a, b, isUnsigned(common), loc);
  // A negative number is below every uint64, whatever its bits say.
  for (auto [operand, isLeft] :
       {std::pair(&lhs, true), std::pair(&rhs, false)}) {
    if (!common.isUnsignedInteger(64) || isUnsigned(operand->type))
      continue;
    Value own = operand->parts.front();
    Value isNegative =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, own,
                              makeZero(builder, own.getType(), loc));
    bool below = kind == CompareOperator::Lt || kind == CompareOperator::Le;
    bool above = kind == CompareOperator::Gt || kind == CompareOperator::Ge;
    bool unequal =
        kind == CompareOperator::Ne || kind == CompareOperator::IsNot;
    Value known = makeInteger(builder, unequal || (isLeft ? below : above),
                              builder.getI1Type(), loc);
    result = arith::SelectOp::create(builder, loc, isNegative, known, result);
  }
  return result;
}

Value OperatorLowering::makeEquality(const Binding &lhs, const Binding &rhs,
                                     bool isIdentity, Location loc) {
  auto makeAnd = [&](Value a, Value b) {
    return builder.createOrFold<arith::AndIOp>(loc, a, b);
  };
  bool isOptional = isa<OptionalType>(lhs.type) || isa<OptionalType>(rhs.type);
  if (isOptional) {
    Value left = isPresent(builder, lhs, loc),
          right = isPresent(builder, rhs, loc);
    Value both = makeAnd(left, right);
    Value none =
        makeAnd(makeNot(builder, left, loc), makeNot(builder, right, loc));
    if (isa<NoneType>(lhs.type) || isa<NoneType>(rhs.type))
      return none;
    Value equal = makeEquality(
        isa<OptionalType>(lhs.type) ? getInner(lhs) : lhs,
        isa<OptionalType>(rhs.type) ? getInner(rhs) : rhs, isIdentity, loc);
    return builder.createOrFold<arith::OrIOp>(loc, none, makeAnd(both, equal));
  }
  auto left = dyn_cast<EnumType>(lhs.type),
       right = dyn_cast<EnumType>(rhs.type);
  bool areOfTwoClasses = left && right && left.getName() != right.getName();
  if (isIdentity && areOfTwoClasses)
    return makeInteger(builder, 0, builder.getI1Type(), loc);
  if (auto are = compareDtypes(CompareOperator::Eq, lhs.type, rhs.type,
                               lowering.getTyping()))
    return makeInteger(builder, *are, builder.getI1Type(), loc);
  if (isText(lhs.type) && isText(rhs.type))
    return lowering.texts().compareTexts(CompareOperator::Eq, lhs, rhs, loc);
  // A member is no text, though its value may be one, unless its class says so.
  bool isOwn = (left && left.getInteger()) || (right && right.getInteger());
  if ((isText(lhs.type) || isText(rhs.type)) && !isOwn)
    return makeInteger(builder, 0, builder.getI1Type(), loc);
  if (left || right) {
    auto getValue = [](const Binding &binding) -> Binding {
      auto member = dyn_cast<EnumType>(binding.type);
      return {member ? member.getValue() : binding.type, binding.parts};
    };
    return makeEquality(getValue(lhs), getValue(rhs), isIdentity, loc);
  }
  if (isNumberOrTime(lhs.type) && isNumberOrTime(rhs.type))
    return makeComparison(CompareOperator::Eq, lhs, rhs, loc);
  if (isa<ArrayType>(lhs.type) && lhs.type == rhs.type)
    return lowering.arrays().areOneArray(lhs.parts.front(), rhs.parts.front(),
                                         loc);
  TupleType tuple = getTuple(lhs.type);
  if (!tuple || !getTuple(rhs.type))
    // None and compile-time objects are equal if their types are.
    return makeInteger(builder, lhs.type == rhs.type, builder.getI1Type(), loc);
  // Members of one enumeration may have tuples of different lengths.
  bool haveOneSize = tuple.size() == getTuple(rhs.type).size();
  Value result = makeInteger(builder, haveOneSize, builder.getI1Type(), loc);
  if (!haveOneSize)
    return result;
  for (unsigned position = 0; position != tuple.size(); ++position)
    result =
        makeAnd(result, makeEquality(getItem(lhs, position),
                                     getItem(rhs, position), isIdentity, loc));
  return result;
}

Value OperatorLowering::makeOrder(CompareOperator kind, const Binding &lhs,
                                  const Binding &rhs, Location loc) {
  if (isNumberOrTime(lhs.type))
    return makeComparison(kind, lhs, rhs, loc);
  if (isText(lhs.type))
    return lowering.texts().compareTexts(kind, lhs, rhs, loc);
  // The first items that differ decide, or else the lengths.
  int64_t left = cast<TupleType>(lhs.type).size(),
          right = cast<TupleType>(rhs.type).size();
  Value result = makeInteger(
      builder, *compareOrder(kind, left < right ? -1 : left > right),
      builder.getI1Type(), loc);
  for (int64_t item = std::min(left, right); item-- != 0;) {
    Binding a = getItem(lhs, item), b = getItem(rhs, item);
    result = arith::SelectOp::create(
        builder, loc, makeEquality(a, b, /*isIdentity=*/false, loc), result,
        makeOrder(kind, a, b, loc));
  }
  return result;
}

Binding OperatorLowering::evaluate(CompareOp op) {
  auto [lhs, rhs] = getOperands(op);
  Location loc = op.getLoc();
  CompareOperator kind = op.getKind();
  bool isUnequal =
      kind == CompareOperator::Ne || kind == CompareOperator::IsNot;
  Type type = op.getType();
  if (areOthers(kind, lowering.get(op.getLhs()).type,
                lowering.get(op.getRhs()).type))
    return {type,
            {makeInteger(builder, kind == CompareOperator::IsNot,
                         builder.getI1Type(), loc)}};
  if (isNumberOrTime(lhs.type) && isNumberOrTime(rhs.type))
    return {type, {makeComparison(kind, lhs, rhs, loc)}};
  std::optional<bool> holds = compareText(kind, lhs.type, rhs.type);
  if (!holds)
    holds = compareDtypes(kind, lhs.type, rhs.type, lowering.getTyping());
  if (holds)
    return {type, {makeInteger(builder, *holds, builder.getI1Type(), loc)}};
  if (FlatSymbolRefAttr target = op.getTargetAttr()) {
    Binding found = lowering.calls().callLibrary(target, {rhs, lhs}, loc);
    return kind == CompareOperator::In
               ? found
               : Binding{type, {makeNot(builder, found.parts.front(), loc)}};
  }
  if (kind == CompareOperator::In || kind == CompareOperator::NotIn) {
    Value found = makeInteger(builder, 0, builder.getI1Type(), loc);
    if (isText(rhs.type))
      found = lowering.texts().isPartOfText(lhs, rhs, loc);
    TupleType items = getTuple(rhs.type);
    for (unsigned item = 0; items && item != items.size(); ++item)
      found = builder.createOrFold<arith::OrIOp>(
          loc, found,
          makeEquality(lhs, getItem(rhs, item), /*isIdentity=*/false, loc));
    return {type,
            {kind == CompareOperator::NotIn ? makeNot(builder, found, loc)
                                            : found}};
  }
  if (!isEquality(kind))
    return {type, {makeOrder(kind, lhs, rhs, loc)}};
  bool isIdentity =
      kind == CompareOperator::Is || kind == CompareOperator::IsNot;
  Value equal = makeEquality(lhs, rhs, isIdentity, loc);
  return {type, {isUnequal ? makeNot(builder, equal, loc) : equal}};
}
