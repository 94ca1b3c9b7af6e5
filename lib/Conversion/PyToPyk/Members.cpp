// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes and methods of numbers, ranges, slices, tuples and text.

#include "ComplexNumbers.h"
#include "IntrinsicLowering.h"
#include "Ranges.h"
#include "Scalars.h"
#include "Text.h"
#include "Tuples.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/Static.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

static Binding lowerNumberPart(LoweredAttribute &read) {
  FunctionLowering &lowering = read.lowering;
  Value value = read.object.parts.front();
  Type part = getPartType(read.object.type);
  bool isImag = read.getNumber("part") == 1;
  Binding result = read.object;
  if (isComplex(read.object.type))
    result = {part,
              {isImag ? getImag(lowering.getBuilder(), value, read.loc)
                      : getReal(lowering.getBuilder(), value, read.loc)}};
  else if (isImag)
    result = {part,
              {makeZero(lowering.getBuilder(), value.getType(), read.loc)}};
  return lowering.convert(result, read.type, read.loc);
}

static Binding lowerBound(LoweredAttribute &read) {
  unsigned bound = unsigned(read.getNumber("bound"));
  return read.lowering.convert(
      read.lowering.ranges().getBound(read.object, bound, read.loc), read.type,
      read.loc);
}

static Binding lowerConjugate(LoweredCall &call) {
  const Binding &number = call.arguments[0];
  if (!isComplex(number.type))
    return number;
  Value value = number.parts.front();
  Value imag = arith::NegFOp::create(call.builder, call.loc,
                                     getImag(call.builder, value, call.loc));
  return {number.type,
          {makeComplex(call.builder, getReal(call.builder, value, call.loc),
                       imag, call.loc)}};
}

static Binding lowerNumberView(LoweredCall &call) {
  Type type = getNamedDtype(call.arguments[1].type);
  SmallVector<Type, 1> target;
  appendPartTypes(type, target);
  return {type,
          {call.builder.createOrFold<arith::BitcastOp>(
              call.loc, target.front(), call.arguments[0].parts.front())}};
}

static Binding lowerItemIndex(LoweredCall &call) {
  return call.lowering.tuples().findItem(call.arguments[0], call.arguments[1],
                                         call.loc);
}

static Binding lowerTextSearch(LoweredCall &call) {
  auto isSet = [&](StringRef setting) {
    return call.row.getSetting<IntegerAttr>(setting, call.context).getInt() !=
           0;
  };
  return {call.type,
          {call.lowering.texts().searchText(
              call.arguments[0], call.arguments[1], isSet("from_end"),
              isSet("required"), call.loc)}};
}

static Binding lowerIsAscii(LoweredCall &call) {
  return {call.type,
          {call.lowering.texts().isAscii(call.arguments[0], call.loc)}};
}

void py::addMemberLowering(LoweringRules &rules) {
  using intrinsics::LoweringRule;
  rules.add(LoweringRule::NumberPart, lowerNumberPart);
  rules.add(LoweringRule::Bound, lowerBound);
  rules.add(LoweringRule::Conjugate, lowerConjugate);
  rules.add(LoweringRule::NumberView, lowerNumberView);
  rules.add(LoweringRule::ItemIndex, lowerItemIndex);
  rules.add(LoweringRule::TextSearch, lowerTextSearch);
  rules.add(LoweringRule::IsAscii, lowerIsAscii);
}
