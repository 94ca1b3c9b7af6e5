// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one type to another, whatever kind of type that is, and to the truth of
// a value.

#include "Calls.h"
#include "ComplexNumbers.h"
#include "FunctionLowering.h"
#include "Ranges.h"
#include "Scalars.h"
#include "Text.h"
#include "Times.h"
#include "Tuples.h"
#include "Wrappers.h"
#include "pyk/Dialect/Py/IR/Chars.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Wrappers.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The one pyk type of a scalar.
static Type getScalarType(Type type) {
  SmallVector<Type, 1> parts;
  appendPartTypes(type, parts);
  return parts.front();
}

/// `value` as a float of 8 bits, as CUDA's constructors make it.
static Value makeFloat8(FunctionLowering &lowering, Value value, Type from,
                        Float8Type to, Location loc) {
  OpBuilder &builder = lowering.getBuilder();
  Type wide = from.isF64() ? from : Type(builder.getF32Type());
  bool isExponent = to.getFormat() == Float8Format::E8M0;
  return pyk::RoundToFloat8Op::create(builder, loc, builder.getI8Type(),
                                      to.getFormat(), Float8Overflow::Saturate,
                                      isExponent ? Float8Rounding::Up
                                                 : Float8Rounding::Nearest,
                                      lowering.convert(value, from, wide, loc));
}

Value FunctionLowering::convert(Value value, Type from, Type to, Location loc) {
  if (from == to)
    return value;
  if (auto small = dyn_cast<Float8Type>(from))
    return convert(pyk::ExtendFloat8Op::create(builder, loc,
                                               builder.getF32Type(),
                                               small.getFormat(), value),
                   builder.getF32Type(), to, loc);
  if (auto small = dyn_cast<Float8Type>(to))
    return makeFloat8(*this, value, from, small, loc);
  if (isBool(to))
    return getTruth({from, {value}}, loc);
  auto fromTime = dyn_cast<TimeType>(from), toTime = dyn_cast<TimeType>(to);
  if (fromTime && toTime)
    return times().convertTime(value, fromTime, toTime, loc);
  if (fromTime || toTime)
    return convert(value, fromTime ? fromTime.getStored() : from,
                   toTime ? toTime.getStored() : to, loc);
  if (isComplex(to)) {
    Type part = getPartType(to), own = getPartType(from);
    Value imag = isComplex(from)
                     ? convert(getImag(builder, value, loc), own, part, loc)
                     : makeZero(builder, part, loc);
    Value real = isComplex(from) ? getReal(builder, value, loc) : value;
    return makeComplex(builder, convert(real, own, part, loc), imag, loc);
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
    return calls().convertClosure(binding, closure, loc);
  if (auto optional = dyn_cast<OptionalType>(to))
    return wrappers().convertToOptional(binding, optional, loc);
  if (auto chars = dyn_cast<CharsType>(to)) {
    auto member = dyn_cast<EnumType>(binding.type);
    Type own = member ? member.getValue() : binding.type;
    return texts().convertText({own, binding.parts}, chars, loc);
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

Value FunctionLowering::getTruth(const Binding &binding, Location loc) {
  Type type = binding.type;
  if (isBool(type))
    return binding.parts.front();
  auto constant = [&](bool value) {
    return makeInteger(builder, value, builder.getI1Type(), loc);
  };
  if (TupleType tuple = getTuple(type))
    return constant(tuple.size() != 0);
  if (isa<OptionalType>(type)) {
    Binding value{unwrapOnce(type),
                  {binding.parts.begin(), std::prev(binding.parts.end())}};
    return builder.createOrFold<arith::AndIOp>(
        loc, isPresent(builder, binding, loc), getTruth(value, loc));
  }
  if (auto member = dyn_cast<EnumType>(type); member && member.getInteger())
    return getTruth({member.getValue(), binding.parts}, loc);
  if (isa<NoneType>(type))
    return constant(false);
  if (isText(type))
    return texts().getTextTruth(binding, loc);
  if (isa<Float8Type>(type)) {
    Type wide = builder.getF32Type();
    return getTruth(convert(binding, wide, loc), loc);
  }
  if (isa<RangeType>(type)) {
    Value count = ranges().countFromZero(binding, loc).stop;
    return builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ne, count,
        makeZero(builder, count.getType(), loc));
  }
  if (!isScalar(type))
    return constant(true);
  Value value = binding.parts.front();
  Value zero = makeZero(builder, value.getType(), loc);
  if (isComplex(type))
    return makeNot(builder, areEqual(builder, value, zero, loc), loc);
  if (isa<FloatType>(type))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, value,
                                 zero);
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                             value, zero);
}
