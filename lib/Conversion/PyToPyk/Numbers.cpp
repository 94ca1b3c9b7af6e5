// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions and operators on scalars. Integers are signless from here on, so
// each operation takes signedness from the py types of its operands.

#include "Ranges.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykComplexOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// True if integers of `type` have no sign.
static bool isUnsigned(Type type) {
  return type.isUnsignedInteger() || isBool(type);
}

/// The one pyk type of a scalar.
static Type getScalarType(Type type) {
  SmallVector<Type, 1> parts;
  appendPartTypes(type, parts);
  return parts.front();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value FunctionLowering::makeInteger(int64_t value, Type type, Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value FunctionLowering::makeFloat(double value, Type type, Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value FunctionLowering::makeZero(Type type, Location loc) {
  // No path gives the array, so there is nothing to read.
  if (isa<ArrayType>(type))
    return ub::PoisonOp::create(builder, loc, type);
  if (auto number = dyn_cast<ComplexType>(type))
    return makeComplexConstant(complex::NumberAttr::get(number, 0, 0), loc);
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

Binding FunctionLowering::makeUndefined(Type type, Location loc) {
  SmallVector<Type> parts;
  appendPartTypes(type, parts);
  Binding result{type, {}};
  for (Type part : parts)
    result.parts.push_back(makeZero(part, loc));
  return result;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value FunctionLowering::convert(Value value, Type from, Type to, Location loc) {
  if (from == to)
    return value;
  if (auto small = dyn_cast<Float8Type>(from))
    return convert(pyk::ExtendFloat8Op::create(builder, loc,
                                               builder.getF32Type(),
                                               small.getFormat(), value),
                   builder.getF32Type(), to, loc);
  if (auto small = dyn_cast<Float8Type>(to))
    return makeFloat8(value, from, small, loc);
  if (isBool(to))
    return getTruth({from, {value}}, loc);
  auto fromTime = dyn_cast<TimeType>(from), toTime = dyn_cast<TimeType>(to);
  if (fromTime && toTime)
    return convertTime(value, fromTime, toTime, loc);
  if (fromTime || toTime)
    return convert(value, fromTime ? fromTime.getStored() : from,
                   toTime ? toTime.getStored() : to, loc);
  if (isComplex(to)) {
    Type part = getPartType(to), own = getPartType(from);
    Value imag = isComplex(from) ? convert(getImag(value, loc), own, part, loc)
                                 : makeZero(part, loc);
    Value real = isComplex(from) ? getReal(value, loc) : value;
    return makeComplex(convert(real, own, part, loc), imag, loc);
  }
  Type target = getScalarType(to);
  unsigned toWidth = target.getIntOrFloatBitWidth();
  unsigned fromWidth = value.getType().getIntOrFloatBitWidth();
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (fromFloat && toFloat) {
    if (toWidth > fromWidth)
      return arith::ExtFOp::create(builder, loc, target, value);
    // Both of 16 bits: float32 holds either.
    if (toWidth == fromWidth)
      value = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    return arith::TruncFOp::create(builder, loc, target, value);
  }
  if (fromFloat)
    return pyk::FloatToIntOp::create(builder, loc, target, value,
                                     isUnsigned(to));
  if (toFloat)
    return isUnsigned(from)
               ? arith::UIToFPOp::create(builder, loc, target, value)
                     .getResult()
               : arith::SIToFPOp::create(builder, loc, target, value)
                     .getResult();
  if (toWidth == fromWidth)
    return value;
  if (toWidth < fromWidth)
    return builder.createOrFold<arith::TruncIOp>(loc, target, value);
  return isUnsigned(from)
             ? builder.createOrFold<arith::ExtUIOp>(loc, target, value)
             : builder.createOrFold<arith::ExtSIOp>(loc, target, value);
}

/// `value` as a float of 8 bits, as CUDA's constructors make it.
Value FunctionLowering::makeFloat8(Value value, Type from, Float8Type to,
                                   Location loc) {
  Type wide = from.isF64() ? from : Type(builder.getF32Type());
  bool isExponent = to.getFormat() == Float8Format::E8M0;
  return pyk::RoundToFloat8Op::create(builder, loc, builder.getI8Type(),
                                      to.getFormat(), Float8Overflow::Saturate,
                                      isExponent ? Float8Rounding::Up
                                                 : Float8Rounding::Nearest,
                                      convert(value, from, wide, loc));
}

Binding FunctionLowering::convert(const Binding &binding, Type to,
                                  Location loc) {
  if (binding.type == to)
    return binding;
  if (isa<ArrayType>(to)) {
    SmallVector<Type, 1> target;
    appendPartTypes(to, target);
    return {to,
            {builder.createOrFold<pyk::CastOp>(loc, target.front(),
                                               binding.parts.front())}};
  }
  if (auto closure = dyn_cast<ClosureType>(to))
    return convertClosure(binding, closure, loc);
  if (auto optional = dyn_cast<OptionalType>(to))
    return convertToOptional(binding, optional, loc);
  if (auto chars = dyn_cast<CharsType>(to)) {
    auto member = dyn_cast<EnumType>(binding.type);
    Type own = member ? member.getValue() : binding.type;
    return convertText({own, binding.parts}, chars, loc);
  }
  if (auto member = dyn_cast<EnumType>(to)) {
    Type own = cast<EnumType>(binding.type).getValue();
    return {to,
            convert(Binding{own, binding.parts}, member.getValue(), loc).parts};
  }
  TupleType tuple = getTuple(to);
  if (!tuple) {
    // A member of an integer enumeration becomes a number.
    auto member = dyn_cast<EnumType>(binding.type);
    return {to,
            {convert(binding.parts.front(),
                     member ? member.getValue() : binding.type, to, loc)}};
  }
  Binding result{to, {}};
  for (auto [position, type] : llvm::enumerate(tuple.getTypes()))
    llvm::append_range(result.parts,
                       convert(getItem(binding, position), type, loc).parts);
  return result;
}

Value FunctionLowering::makeNot(Value truth, Location loc) {
  return builder.createOrFold<arith::XOrIOp>(
      loc, truth, makeInteger(1, builder.getI1Type(), loc));
}

Value FunctionLowering::getTruth(const Binding &binding, Location loc) {
  Type type = binding.type;
  if (isBool(type))
    return binding.parts.front();
  auto constant = [&](bool value) {
    return makeInteger(value, builder.getI1Type(), loc);
  };
  if (TupleType tuple = getTuple(type))
    return constant(tuple.size() != 0);
  if (isa<OptionalType>(type)) {
    Binding value{unwrapOnce(type),
                  {binding.parts.begin(), std::prev(binding.parts.end())}};
    return builder.createOrFold<arith::AndIOp>(loc, isPresent(binding, loc),
                                               getTruth(value, loc));
  }
  if (auto member = dyn_cast<EnumType>(type); member && member.getInteger())
    return getTruth({member.getValue(), binding.parts}, loc);
  if (isa<NoneType>(type))
    return constant(false);
  if (isText(type))
    return getTextTruth(binding, loc);
  if (isa<Float8Type>(type)) {
    Type wide = builder.getF32Type();
    return getTruth(convert(binding, wide, loc), loc);
  }
  if (isa<RangeType>(type)) {
    Value count = countFromZero(binding, loc).stop;
    return builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ne, count, makeZero(count.getType(), loc));
  }
  if (!isScalar(type))
    return constant(true);
  Value value = binding.parts.front();
  Value zero = makeZero(value.getType(), loc);
  if (isComplex(type))
    return makeNot(areEqual(value, zero, loc), loc);
  if (isa<FloatType>(type))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, value,
                                 zero);
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                             value, zero);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

template <typename Op>
std::pair<Binding, Binding> FunctionLowering::getOperands(Op op) {
  const Binding &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  return {convert(lhs, getOperandType(op.getLhs(), lhs.type, rhs.type, typing),
                  op.getLoc()),
          convert(rhs, getOperandType(op.getRhs(), rhs.type, lhs.type, typing),
                  op.getLoc())};
}

Binding FunctionLowering::evaluate(BinaryOp op) {
  if (isComputedInplace(op))
    return computeInplace(op);
  auto [lhs, rhs] = getOperands(op);
  Type type = op.getType();
  if (isa<TupleType>(type)) {
    Binding result{type, lhs.parts};
    llvm::append_range(result.parts, rhs.parts);
    return result;
  }
  // The accumulated type may be wider than what these operands give.
  Type own = getBinaryType(op.getKind(), lhs.type, rhs.type, typing);
  return convert(makeBinary(op.getKind(), lhs, rhs, own, op.getLoc()), type,
                 op.getLoc());
}

Binding FunctionLowering::makeBinary(BinaryOperator kind, const Binding &lhs,
                                     const Binding &rhs, Type type,
                                     Location loc) {
  if (isa<TimeType>(lhs.type) || isa<TimeType>(rhs.type))
    return {type, {makeTimeBinary(kind, lhs, rhs, type, loc)}};
  if (auto vector = dyn_cast<ShortVectorType>(type))
    return makeVectorBinary(kind, lhs, rhs, vector, loc);
  bool isFloat = isa<FloatType>(type);
  bool hasNoSign = isUnsigned(type);
  auto unsignedAttr = hasNoSign && !isFloat;
  if (kind == BinaryOperator::Pow)
    return {type, {makePower(lhs, rhs, type, loc)}};
  Value a = convert(lhs.parts.front(), lhs.type, type, loc);
  if (kind == BinaryOperator::LShift || kind == BinaryOperator::RShift) {
    // The count has its own sign; both are 64 bits wide.
    Type wide = IntegerType::get(context, 64,
                                 isUnsigned(rhs.type) ? IntegerType::Unsigned
                                                      : IntegerType::Signed);
    Value count = convert(rhs.parts.front(), rhs.type, wide, loc);
    if (a.getType() != count.getType()) {
      // No shift is longer than the number.
      count = builder.createOrFold<arith::MinUIOp>(
          loc, count, makeInteger(64, count.getType(), loc));
      count = builder.createOrFold<arith::TruncIOp>(loc, a.getType(), count);
    }
    if (kind == BinaryOperator::LShift)
      return {type,
              {builder.createOrFold<pyk::ShiftLeftOp>(loc, a, count, false)}};
    return {
        type,
        {builder.createOrFold<pyk::ShiftRightOp>(loc, a, count, unsignedAttr)}};
  }
  Value b = convert(rhs.parts.front(), rhs.type, type, loc);
  checkDivisor(kind, b, loc);
  if (isComplex(type))
    return {type, {makeComplexBinary(kind, a, b, loc)}};
  Value result;
  switch (kind) {
  case BinaryOperator::Add:
    result = isFloat
                 ? arith::AddFOp::create(builder, loc, a, b, flags).getResult()
                 : builder.createOrFold<arith::AddIOp>(loc, a, b);
    break;
  case BinaryOperator::Sub:
    result = isFloat
                 ? arith::SubFOp::create(builder, loc, a, b, flags).getResult()
                 : builder.createOrFold<arith::SubIOp>(loc, a, b);
    break;
  case BinaryOperator::Mul:
    result = isFloat
                 ? arith::MulFOp::create(builder, loc, a, b, flags).getResult()
                 : builder.createOrFold<arith::MulIOp>(loc, a, b);
    break;
  case BinaryOperator::TrueDiv:
    result = arith::DivFOp::create(builder, loc, a, b, getApproximation(type));
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

Value FunctionLowering::makePower(const Binding &lhs, const Binding &rhs,
                                  Type type, Location loc) {
  Value base = convert(lhs.parts.front(), lhs.type, type, loc);
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
        result = result ? multiply(result, square, loc) : square;
      if (bits > 1)
        square = multiply(square, square, loc);
    }
    Type part = getPartType(type);
    Value one = convert(makeFloat(1.0, part, loc), part, type, loc);
    if (!result)
      return one;
    if (exponent > 0)
      return result;
    return isComplex(type)
               ? pyk::ComplexDivOp::create(builder, loc, one, result)
                     .getResult()
               : arith::DivFOp::create(builder, loc, one, result,
                                       getApproximation(type))
                     .getResult();
  }
  if (isa<FloatType>(type))
    // The approximation has no powers of negative numbers, which a whole
    // exponent is for.
    return math::PowFOp::create(
        builder, loc, base, convert(rhs.parts.front(), rhs.type, type, loc),
        isa<FloatType>(rhs.type) ? getApproximation(type)
                                 : arith::FastMathFlags::none);
  Value exponent = convert(rhs.parts.front(), rhs.type, type, loc);
  if (isComplex(type))
    return pyk::ComplexPowOp::create(builder, loc, base, exponent);
  if (!isUnsigned(type))
    checkPower(base, exponent, loc);
  return builder.createOrFold<pyk::PowerOp>(loc, base, exponent,
                                            isUnsigned(type));
}

Binding FunctionLowering::evaluate(UnaryOp op) {
  const Binding &operand = get(op.getOperand());
  Location loc = op.getLoc();
  if (op.getKind() == UnaryOperator::Not)
    return {op.getType(), {makeNot(getTruth(operand, loc), loc)}};
  Type type = getUnaryType(op.getKind(), operand.type, typing);
  if (auto vector = dyn_cast<ShortVectorType>(type)) {
    Binding minusOne = makeConstant(
        IntegerAttr::get(IntegerType::get(context, 8, IntegerType::Signed), -1),
        loc);
    return op.getKind() == UnaryOperator::Plus
               ? operand
               : makeVectorBinary(BinaryOperator::Mul, operand, minusOne,
                                  vector, loc);
  }
  // As in NumPy, an integer is negated and inverted in its own width.
  Type own = isInteger(operand.type) ? operand.type : type;
  Value value = convert(operand.parts.front(), operand.type, own, loc);
  if (op.getKind() == UnaryOperator::Minus)
    value = isa<IntegerType, TimeType>(own)
                ? builder.createOrFold<arith::SubIOp>(
                      loc, makeInteger(0, value.getType(), loc), value)
                : negate(value, loc);
  else if (op.getKind() == UnaryOperator::Invert)
    value = builder.createOrFold<arith::XOrIOp>(
        loc, value, makeInteger(-1, value.getType(), loc));
  value = convert(value, own, type, loc);
  return convert(Binding{type, {value}}, op.getType(), loc);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static arith::CmpIPredicate getPredicate(CompareOperator kind,
                                         bool isUnsigned) {
  switch (kind) {
  case CompareOperator::Ne:
  case CompareOperator::IsNot:
    return arith::CmpIPredicate::ne;
  case CompareOperator::Lt:
    return isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  case CompareOperator::Le:
    return isUnsigned ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle;
  case CompareOperator::Gt:
    return isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  case CompareOperator::Ge:
    return isUnsigned ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge;
  default:
    return arith::CmpIPredicate::eq;
  }
}

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

Value FunctionLowering::compareIntegers(CompareOperator kind, Value a, Value b,
                                        bool areUnsigned, Location loc) {
  return builder.createOrFold<arith::CmpIOp>(
      loc, getPredicate(kind, areUnsigned), a, b);
}

Value FunctionLowering::makeComparison(CompareOperator kind, const Binding &lhs,
                                       const Binding &rhs, Location loc) {
  Type common = getCompareType(lhs.type, rhs.type, typing);
  Value a = convert(lhs.parts.front(), lhs.type, common, loc);
  Value b = convert(rhs.parts.front(), rhs.type, common, loc);
  if (isa<TimeType>(common))
    return makeTimeComparison(kind, a, b, loc);
  if (isa<FloatType>(common))
    return arith::CmpFOp::create(builder, loc, getFloatPredicate(kind), a, b);
  if (isComplex(common)) {
    Value equal = areEqual(a, b, loc);
    bool isEqual = kind == CompareOperator::Eq || kind == CompareOperator::Is;
    return isEqual ? equal : makeNot(equal, loc);
  }
  Value result = compareIntegers(kind, a, b, isUnsigned(common), loc);
  // A negative number is below every uint64, whatever its bits say.
  for (auto [operand, isLeft] :
       {std::pair(&lhs, true), std::pair(&rhs, false)}) {
    if (!common.isUnsignedInteger(64) || isUnsigned(operand->type))
      continue;
    Value own = operand->parts.front();
    Value isNegative =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, own,
                              makeZero(own.getType(), loc));
    bool below = kind == CompareOperator::Lt || kind == CompareOperator::Le;
    bool above = kind == CompareOperator::Gt || kind == CompareOperator::Ge;
    bool unequal =
        kind == CompareOperator::Ne || kind == CompareOperator::IsNot;
    Value known = makeInteger(unequal || (isLeft ? below : above),
                              builder.getI1Type(), loc);
    result = arith::SelectOp::create(builder, loc, isNegative, known, result);
  }
  return result;
}

Value FunctionLowering::makeOrder(CompareOperator kind, const Binding &lhs,
                                  const Binding &rhs, Location loc) {
  if (isNumberOrTime(lhs.type))
    return makeComparison(kind, lhs, rhs, loc);
  if (isText(lhs.type))
    return compareTexts(kind, lhs, rhs, loc);
  // The first items that differ decide, or else the lengths.
  int64_t left = cast<TupleType>(lhs.type).size(),
          right = cast<TupleType>(rhs.type).size();
  Value result =
      makeInteger(*compareOrder(kind, left < right ? -1 : left > right),
                  builder.getI1Type(), loc);
  for (int64_t item = std::min(left, right); item-- != 0;) {
    Binding a = getItem(lhs, item), b = getItem(rhs, item);
    result = arith::SelectOp::create(
        builder, loc, makeEquality(a, b, /*isIdentity=*/false, loc), result,
        makeOrder(kind, a, b, loc));
  }
  return result;
}

Binding FunctionLowering::evaluate(CompareOp op) {
  auto [lhs, rhs] = getOperands(op);
  Location loc = op.getLoc();
  CompareOperator kind = op.getKind();
  bool isUnequal =
      kind == CompareOperator::Ne || kind == CompareOperator::IsNot;
  Type type = op.getType();
  if (areOthers(kind, get(op.getLhs()).type, get(op.getRhs()).type))
    return {type,
            {makeInteger(kind == CompareOperator::IsNot, builder.getI1Type(),
                         loc)}};
  if (isNumberOrTime(lhs.type) && isNumberOrTime(rhs.type))
    return {type, {makeComparison(kind, lhs, rhs, loc)}};
  std::optional<bool> holds = compareText(kind, lhs.type, rhs.type);
  if (!holds)
    holds = compareDtypes(kind, lhs.type, rhs.type, typing);
  if (holds)
    return {type, {makeInteger(*holds, builder.getI1Type(), loc)}};
  if (FlatSymbolRefAttr target = op.getTargetAttr()) {
    Binding found = callLibrary(target, {rhs, lhs}, loc);
    return kind == CompareOperator::In
               ? found
               : Binding{type, {makeNot(found.parts.front(), loc)}};
  }
  if (kind == CompareOperator::In || kind == CompareOperator::NotIn) {
    Value found = makeInteger(0, builder.getI1Type(), loc);
    if (isText(rhs.type))
      found = isPartOfText(lhs, rhs, loc);
    TupleType items = getTuple(rhs.type);
    for (unsigned item = 0; items && item != items.size(); ++item)
      found = builder.createOrFold<arith::OrIOp>(
          loc, found,
          makeEquality(lhs, getItem(rhs, item), /*isIdentity=*/false, loc));
    return {type,
            {kind == CompareOperator::NotIn ? makeNot(found, loc) : found}};
  }
  if (!isEquality(kind))
    return {type, {makeOrder(kind, lhs, rhs, loc)}};
  bool isIdentity =
      kind == CompareOperator::Is || kind == CompareOperator::IsNot;
  Value equal = makeEquality(lhs, rhs, isIdentity, loc);
  return {type, {isUnequal ? makeNot(equal, loc) : equal}};
}
