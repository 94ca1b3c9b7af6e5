// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes and methods of arrays.

#include "Arrays.h"
#include "Checks.h"
#include "IntrinsicLowering.h"
#include "Scalars.h"
#include "Tuples.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// `array` with its dimensions reversed, or as it is where it has but one.
static Value reverse(Value array, OpBuilder &builder, Location loc) {
  auto type = cast<ArrayType>(array.getType());
  int64_t rank = type.getRank();
  if (rank < 2)
    return array;
  auto order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(rank)));
  Layout layout = type.getLayout();
  if (layout != Layout::Any)
    layout = layout == Layout::C ? Layout::F : Layout::C;
  return pyk::TransposeOp::create(builder, loc, array, order, layout);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static Value getArray(const LoweredAttribute &read) {
  return read.object.parts.front();
}

static ArrayType getArrayType(const LoweredAttribute &read) {
  return cast<ArrayType>(read.object.type);
}

static Value getSize(const LoweredAttribute &read) {
  return getSize(read.builder, getArray(read), read.loc);
}

static Value makeWhole(const LoweredAttribute &read, int64_t value) {
  return makeInteger(read.builder, value, read.builder.getI64Type(), read.loc);
}

/// `array` in the type of the attribute, which may say less than what it is.
static Binding widen(const LoweredAttribute &read, Value array) {
  SmallVector<Type, 1> part;
  appendPartTypes(read.type, part);
  return {
      read.type,
      {read.builder.createOrFold<pyk::CastOp>(read.loc, part.front(), array)}};
}

static Binding lowerRank(LoweredAttribute &read) {
  return {read.type, {makeWhole(read, getArrayType(read).getRank())}};
}

static Binding lowerSize(LoweredAttribute &read) {
  return {read.type,
          {getSize(read.builder, getArray(read), read.loc,
                   read.type.getIntOrFloatBitWidth())}};
}

static Binding lowerItemSize(LoweredAttribute &read) {
  return {read.type, {makeWhole(read, getArrayType(read).getElementBytes())}};
}

static Binding lowerBytes(LoweredAttribute &read) {
  Value bytes = makeWhole(read, getArrayType(read).getElementBytes());
  return {read.type,
          {read.builder.createOrFold<arith::MulIOp>(read.loc, getSize(read),
                                                    bytes)}};
}

static Binding lowerShape(LoweredAttribute &read) {
  Binding result{read.type, {}};
  auto extents = cast<TupleType>(read.type);
  for (int64_t d = 0; d != getArrayType(read).getRank(); ++d)
    result.parts.push_back(getDim(read.builder, getArray(read), d, read.loc,
                                  extents.getType(d).getIntOrFloatBitWidth()));
  return result;
}

static Binding lowerStrides(LoweredAttribute &read) {
  Binding result{read.type, {}};
  for (int64_t d = 0; d != getArrayType(read).getRank(); ++d)
    result.parts.push_back(pyk::StrideOp::create(
        read.builder, read.loc, read.builder.getI64Type(), getArray(read), d));
  return result;
}

static Binding lowerReversed(LoweredAttribute &read) {
  return widen(read, reverse(getArray(read), read.builder, read.loc));
}

static Binding lowerFlat(LoweredAttribute &read) {
  if (isa<FlatType>(read.type))
    return {FlatType::get(read.context, read.object.type), read.object.parts};
  if (getArrayType(read).getRank() == 1)
    return widen(read, getArray(read));
  return widen(read, read.lowering.arrays().reshape(getArray(read),
                                                    cast<ArrayType>(read.type),
                                                    getSize(read), read.loc));
}

static Binding lowerPart(LoweredAttribute &read) {
  if (!isComplex(getArrayType(read).getElementType()))
    return widen(read, getArray(read));
  return widen(read,
               pyk::FieldOp::create(read.builder, read.loc, getArray(read),
                                    unsigned(read.getNumber("part"))));
}

static Binding lowerAddress(LoweredAttribute &read) {
  return {read.type,
          {pyk::AddressOp::create(read.builder, read.loc, getArray(read))}};
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

static Value getArray(const LoweredCall &call) {
  return call.arguments[0].parts.front();
}

static ArrayType getArrayType(const LoweredCall &call) {
  return cast<ArrayType>(call.arguments[0].type);
}

/// `made` as an array of the elements that Python sees.
static Binding makeArray(const LoweredCall &call, Value made) {
  ArrayType its = cast<ArrayType>(made.getType());
  return {its.withElementType(getArrayType(call).getElementType()), {made}};
}

static Binding lowerFill(LoweredCall &call) {
  call.lowering.arrays().store(call.arguments[1], getArray(call),
                               getArrayType(call).getElementType(), call.loc);
  return {call.type, {}};
}

static Binding lowerItem(LoweredCall &call) {
  call.lowering.checks().checkSingle(getArray(call), call.loc);
  SmallVector<Value> first(
      getArrayType(call).getRank(),
      makeInteger(call.builder, 0, call.builder.getI64Type(), call.loc));
  return call.lowering.arrays().load(call.arguments[0], first, call.loc);
}

static Binding lowerView(LoweredCall &call) {
  auto result = cast<ArrayType>(call.type);
  SmallVector<Type, 1> parts;
  appendPartTypes(result, parts);
  Type element = cast<ArrayType>(parts.front()).getElementType();
  // The array may be known better than inference says.
  Value array = getArray(call);
  auto its = pyk::ReinterpretOp::getReinterpretedType(
      cast<ArrayType>(array.getType()), element);
  return {its.withElementType(result.getElementType()),
          {pyk::ReinterpretOp::create(call.builder, call.loc, its, array)}};
}

static Binding lowerRavel(LoweredCall &call) {
  if (getArrayType(call).getRank() == 1)
    return call.arguments[0];
  Value array = getArray(call), size = getSize(call.builder, array, call.loc);
  return makeArray(
      call, call.lowering.arrays().reshape(array, cast<ArrayType>(call.type),
                                           size, call.loc));
}

static Binding lowerTranspose(LoweredCall &call) {
  Value array = getArray(call);
  if (!call.op.getSelection())
    return makeArray(call, reverse(array, call.builder, call.loc));
  ArrayType type = getArrayType(call);
  Layout layout = type.getRank() < 2 ? type.getLayout() : Layout::Any;
  return makeArray(call,
                   pyk::TransposeOp::create(call.builder, call.loc, array,
                                            *call.op.getSelection(), layout));
}

/// The extents that `reshape` is given, one by one or as a tuple.
static SmallVector<Value> getExtents(LoweredCall &call) {
  SmallVector<Value> extents;
  Type wide = IntegerType::get(call.context, 64, IntegerType::Signed);
  auto add = [&](const Binding &extent) {
    extents.push_back(call.lowering.convert(extent.parts.front(), extent.type,
                                            wide, call.loc));
  };
  ArrayRef<Binding> given = call.arguments.drop_front();
  if (given.size() == 1 && isa<TupleType>(given[0].type))
    for (int64_t d = 0; d != cast<ArrayType>(call.type).getRank(); ++d)
      add(getItem(given[0], d));
  else
    llvm::for_each(given, add);
  return extents;
}

static Binding lowerReshape(LoweredCall &call) {
  OpBuilder &builder = call.builder;
  FunctionLowering &lowering = call.lowering;
  Location loc = call.loc;
  Value rest = getSize(lowering.getBuilder(), getArray(call), loc);
  SmallVector<Value> extents = getExtents(call);
  // An extent below 0 is what the others leave.
  Value zero = makeInteger(lowering.getBuilder(), 0, builder.getI64Type(), loc);
  Value known =
      makeInteger(lowering.getBuilder(), 1, builder.getI64Type(), loc);
  SmallVector<Value> isOpen;
  for (Value extent : extents) {
    isOpen.push_back(builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::slt, extent, zero));
    Value factor = builder.createOrFold<arith::SelectOp>(
        loc, isOpen.back(),
        makeInteger(lowering.getBuilder(), 1, builder.getI64Type(), loc),
        extent);
    known = builder.createOrFold<arith::MulIOp>(loc, known, factor);
  }
  for (auto [extent, open] : llvm::zip(extents, isOpen)) {
    if (matchPattern(open, m_Zero()))
      continue;
    Value left = builder.createOrFold<pyk::FloorDivOp>(loc, rest, known,
                                                       /*is_unsigned=*/true);
    extent = builder.createOrFold<arith::SelectOp>(loc, open, left, extent);
  }
  lowering.checks().checkReshape(rest, extents, loc);
  // No extent is larger, also where nobody checks that these are right.
  Value most =
      makeInteger(builder, kExtentLimit - 1, builder.getI64Type(), loc);
  for (Value &extent : extents)
    extent = builder.createOrFold<arith::MinSIOp>(loc, extent, most);
  return makeArray(call, lowering.arrays().reshape(getArray(call),
                                                   cast<ArrayType>(call.type),
                                                   extents, loc));
}

void py::addArrayLowering(LoweringRules &rules) {
  using intrinsics::LoweringRule;
  rules.add(LoweringRule::ArrayRank, lowerRank);
  rules.add(LoweringRule::ArraySize, lowerSize);
  rules.add(LoweringRule::ArrayItemSize, lowerItemSize);
  rules.add(LoweringRule::ArrayBytes, lowerBytes);
  rules.add(LoweringRule::ArrayShape, lowerShape);
  rules.add(LoweringRule::ArrayStrides, lowerStrides);
  rules.add(LoweringRule::ArrayReversed, lowerReversed);
  rules.add(LoweringRule::ArrayFlat, lowerFlat);
  rules.add(LoweringRule::ArrayPart, lowerPart);
  rules.add(LoweringRule::ArrayAddress, lowerAddress);
  rules.add(LoweringRule::ArrayFill, lowerFill);
  rules.add(LoweringRule::ArrayItem, lowerItem);
  rules.add(LoweringRule::ArrayView, lowerView);
  rules.add(LoweringRule::ArrayRavel, lowerRavel);
  rules.add(LoweringRule::ArrayTranspose, lowerTranspose);
  rules.add(LoweringRule::ArrayReshape, lowerReshape);
}
