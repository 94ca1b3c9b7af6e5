// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is stretched where another that it meets is wider. How what was made
// depends on positions is kept, so that masks can be asked at corners.

#include "LaneValues.h"
#include "LaneMath.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

Value LaneValues::get(Value value) const {
  Value mapped = values.lookup(value);
  assert(mapped && "a value is made before it is used");
  return mapped;
}

void LaneValues::set(Value value, Value mapped) {
  values[value] = mapped;
  made[mapped] = shapes.getShape(value);
}

void LaneValues::set(ValueRange all, ValueRange mapped) {
  for (auto [value, own] : llvm::zip(all, mapped))
    set(value, own);
}

Dimensions LaneValues::getOwn(Value value) const {
  return getDimensions(get(value).getType());
}

Dimensions LaneValues::getExpected(Value value) const {
  return tile.getDimensions(shapes.getShape(value));
}

Type LaneValues::getExpectedType(Value value) const {
  return getTypeWith(value.getType(), getExpected(value));
}

SmallVector<Value> LaneValues::getFor(ValueRange arguments, ValueRange given) {
  SmallVector<Value> wide;
  for (auto [argument, value] : llvm::zip(arguments, given))
    wide.push_back(stretch(get(value), getExpected(argument)));
  return wide;
}

bool LaneValues::movesWithThreads(Value argument) const {
  LaneShape shape = shapes.getShape(argument);
  for (unsigned axis = 0; axis != LaneShape::kAxes; ++axis)
    if (const LaneStride &stride = shape.getStride(axis);
        !stride.isZero() && !stride.isVarying())
      return true;
  return false;
}

LaneShape LaneValues::getShapeOf(Value mapped) const {
  // Of stretched ones, too.
  auto known = made.find(mapped);
  if (known != made.end())
    return known->second;
  return isa<VectorType>(mapped.getType()) ? LaneShape::getVarying()
                                           : LaneShape();
}

Value LaneValues::stretch(Value mapped, Dimensions dimensions) {
  Type type = getTypeWith(mapped.getType(), dimensions);
  if (mapped.getType() == type)
    return mapped;
  if (!isWithin(getDimensions(mapped.getType()), dimensions)) {
    obstacle = "its values depend on threads in more ways than was found";
    return ub::PoisonOp::create(builder, mapped.getLoc(), type);
  }
  Value wide = makeStretched(builder, mapped, dimensions);
  if (auto known = made.find(mapped); known != made.end()) {
    LaneShape shape = known->second;
    made[wide] = shape;
  }
  return wide;
}

Value LaneValues::makeSelect(Value condition, Value ifTrue, Value ifFalse) {
  Dimensions all =
      join(getDimensions(ifTrue.getType()), getDimensions(ifFalse.getType()));
  Dimensions decided = getDimensions(condition.getType());
  all = join(all, decided);
  if (!isScalar(decided))
    condition = stretch(condition, all);
  Value left = stretch(ifTrue, all), right = stretch(ifFalse, all);
  auto select = arith::SelectOp::create(builder, condition.getLoc(), condition,
                                        left, right);
  return foldConstants(builder, select).front();
}
