// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics on numbers, text and shapes.

#include "Arrays.h"
#include "IntrinsicLowering.h"
#include "Operators.h"
#include "Ranges.h"
#include "Rounding.h"
#include "Scalars.h"
#include "Text.h"
#include "Times.h"
#include "Tuples.h"
#include "Wrappers.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// What an integer is without its sign.
static Value makeMagnitude(LoweredCall &call, Value value) {
  // The smallest number is its own magnitude: negation wraps.
  Value zero = makeZero(call.builder, value.getType(), call.loc);
  Value negated = arith::SubIOp::create(call.builder, call.loc, zero, value);
  Value isNegative = arith::CmpIOp::create(
      call.builder, call.loc, arith::CmpIPredicate::slt, value, zero);
  return arith::SelectOp::create(call.builder, call.loc, isNegative, negated,
                                 value);
}

static Binding lowerAbs(LoweredCall &call) {
  const Binding &argument = call.arguments[0];
  if (isComplex(argument.type)) {
    Type part = getPartType(argument.type);
    Value size = complex::AbsOp::create(call.builder, call.loc, part,
                                        argument.parts.front());
    return call.lowering.convert(Binding{part, {size}}, call.type, call.loc);
  }
  Value value = call.convert(0, call.type);
  if (isa<FloatType>(call.type))
    value = math::AbsFOp::create(call.builder, call.loc, value);
  else if (call.type.isSignedInteger() || isa<TimeType>(call.type))
    value = makeMagnitude(call, value);
  return {call.type, {value}};
}

/// The least of `a` and `b`, or with `Float` and the others the greatest.
template <typename Float, typename Signed, typename Unsigned>
static Value makeExtreme(LoweredCall &call, CompareOperator order, Value a,
                         Value b) {
  OpBuilder &builder = call.builder;
  if (isa<TimeType>(call.type))
    // As Python has it, so that the first stays beside NaT.
    return arith::SelectOp::create(
        builder, call.loc,
        call.lowering.times().makeTimeComparison(order, b, a, call.loc), b, a);
  if (isa<FloatType>(call.type))
    return Float::create(builder, call.loc, a, b);
  if (call.type.isSignedInteger())
    return Signed::create(builder, call.loc, a, b);
  return Unsigned::create(builder, call.loc, a, b);
}

template <CompareOperator order, typename... Ops>
static Binding lowerExtreme(LoweredCall &call) {
  SmallVector<Binding> items(call.arguments);
  // A tuple stands for its items.
  if (auto tuple = dyn_cast<TupleType>(call.arguments[0].type)) {
    items.clear();
    for (unsigned position = 0; position != tuple.size(); ++position)
      items.push_back(getItem(call.arguments[0], position));
  }
  Value result;
  for (const Binding &item : items) {
    Value value = call.lowering.convert(item.parts.front(), item.type,
                                        call.type, call.loc);
    result = result ? makeExtreme<Ops...>(call, order, result, value) : value;
  }
  return {call.type, {result}};
}

static Binding lowerPow(LoweredCall &call) {
  ArrayRef<Type> types = call.getSignature().getInputs();
  Type own = call.getSignature().getResult(0);
  Binding base = call.lowering.convert(call.arguments[0], types[0], call.loc);
  Binding exponent =
      call.lowering.convert(call.arguments[1], types[1], call.loc);
  return call.lowering.convert(
      call.lowering.operators().makeBinary(BinaryOperator::Pow, base, exponent,
                                           own, call.loc),
      call.type, call.loc);
}

static Binding lowerRound(LoweredCall &call) {
  const Binding &number = call.arguments[0];
  if (call.arguments.size() == 2)
    return {call.type,
            {makeRounded(call.lowering, number, call.arguments[1], call.type,
                         call.loc)}};
  if (!isa<FloatType>(number.type))
    return call.lowering.convert(number, call.type, call.loc);
  Value rounded =
      math::RoundEvenOp::create(call.builder, call.loc, number.parts.front());
  return {call.type,
          {call.lowering.convert(rounded, number.type, call.type, call.loc)}};
}

static Binding lowerLdexp(LoweredCall &call) {
  // Exponents that 32 bits do not hold are as good as the largest they do.
  OpBuilder &builder = call.builder;
  Location loc = call.loc;
  auto makeWide = [&](int64_t value) {
    return makeInteger(call.builder, value, builder.getI64Type(), loc);
  };
  Value exponent =
      call.convert(1, IntegerType::get(call.context, 64, IntegerType::Signed));
  if (call.arguments[1].type.isUnsignedInteger(64))
    exponent = builder.createOrFold<arith::MinUIOp>(loc, exponent,
                                                    makeWide(INT32_MAX));
  exponent =
      builder.createOrFold<arith::MinSIOp>(loc, exponent, makeWide(INT32_MAX));
  exponent =
      builder.createOrFold<arith::MaxSIOp>(loc, exponent, makeWide(INT32_MIN));
  exponent = builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(),
                                                   exponent);
  Value number = call.convert(0, call.type);
  return {call.type, call.makeOp({number, exponent}, call.type)->getResults()};
}

static Binding lowerBool(LoweredCall &call) {
  return {call.type, {call.lowering.getTruth(call.arguments[0], call.loc)}};
}

static Binding lowerNumber(LoweredCall &call) {
  return call.lowering.convert(call.arguments[0], call.type, call.loc);
}

static Binding lowerLen(LoweredCall &call) {
  const Binding &object = call.arguments[0];
  FunctionLowering &lowering = call.lowering;
  unsigned width = call.type.getIntOrFloatBitWidth();
  if (auto tuple = dyn_cast<TupleType>(object.type))
    return {call.type,
            {makeInteger(lowering.getBuilder(), tuple.size(),
                         call.builder.getIntegerType(width), call.loc)}};
  if (isa<ArrayType>(object.type))
    return {call.type,
            {getDim(lowering.getBuilder(), object.parts.front(), 0, call.loc,
                    width)}};
  Value count = isText(object.type)
                    ? lowering.texts().getTextLength(object, call.loc)
                    : lowering.ranges().countFromZero(object, call.loc).stop;
  Type own =
      IntegerType::get(call.context, count.getType().getIntOrFloatBitWidth(),
                       IntegerType::Signed);
  return {call.type, {lowering.convert(count, own, call.type, call.loc)}};
}

static Binding lowerOrd(LoweredCall &call) {
  return call.lowering.texts().makeOrd(call.arguments[0], call.type, call.loc);
}

static Binding lowerIsInstance(LoweredCall &call) {
  Value is =
      makeInteger(call.builder,
                  *isInstance(call.arguments[0].type, call.arguments[1].type,
                              call.lowering.getTyping()),
                  call.builder.getI1Type(), call.loc);
  return {
      call.type,
      {call.builder.createOrFold<arith::AndIOp>(
          call.loc, is, isPresent(call.builder, call.arguments[0], call.loc))}};
}

static Binding lowerIsNat(LoweredCall &call) {
  return {
      call.type,
      {call.lowering.times().isNat(call.arguments[0].parts.front(), call.loc)}};
}

static Binding lowerDot4(LoweredCall &call) {
  SmallVector<Value> operands = call.getOperands();
  bool isUnsigned = call.getSignature().getResult(0).isUnsignedInteger();
  return call.yield(pyk::Dot4Op::create(call.builder, call.loc, operands[0],
                                        operands[1], operands[2], isUnsigned)
                        .getResult());
}

void py::addNumberLowering(LoweringRules &rules) {
  using intrinsics::LoweringRule;
  rules.add(LoweringRule::Abs, lowerAbs);
  rules.add(LoweringRule::Min,
            lowerExtreme<CompareOperator::Lt, arith::MinNumFOp, arith::MinSIOp,
                         arith::MinUIOp>);
  rules.add(LoweringRule::Max,
            lowerExtreme<CompareOperator::Gt, arith::MaxNumFOp, arith::MaxSIOp,
                         arith::MaxUIOp>);
  rules.add(LoweringRule::Pow, lowerPow);
  rules.add(LoweringRule::Round, lowerRound);
  rules.add(LoweringRule::Ldexp, lowerLdexp);
  rules.add(LoweringRule::Bool, lowerBool);
  rules.add(LoweringRule::Number, lowerNumber);
  rules.add(LoweringRule::Len, lowerLen);
  rules.add(LoweringRule::Ord, lowerOrd);
  rules.add(LoweringRule::IsInstance, lowerIsInstance);
  rules.add(LoweringRule::IsNat, lowerIsNat);
  rules.add(LoweringRule::Dot4, lowerDot4);
}
