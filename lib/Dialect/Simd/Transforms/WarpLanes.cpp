// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a warp are in step: what one has, others see in the vectors that
// the warp is.

#include "WarpLanes.h"
#include "LaneMath.h"
#include "Meetings.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not that of pyk.
using SimdBallotOp = pyk::simd::BallotOp;

Value WarpLanes::makeLane(Location loc) {
  Dimensions size = values.getTile().getOfWarps({1, 1, 1});
  SmallVector<int32_t> lanes;
  for (int64_t position = 0; position < size[0] * size[1] * size[2]; ++position)
    lanes.push_back(static_cast<int32_t>(position % kWarp));
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          cast<VectorType>(getTypeWith(builder.getI32Type(), size)),
          ArrayRef(lanes)));
}

bool WarpLanes::isOne(Value value) const {
  Dimensions size = getDimensions(value.getType());
  return !masks.get() && !values.getTile().hasPartialWarp() &&
         (isScalar(size) ||
          (values.getTile().getWarpLayout() == WarpLayout::InRows &&
           size[1] == 1 && size[2] == 1));
}

Value WarpLanes::spread(Value value) {
  Dimensions size = getDimensions(value.getType());
  Value mask = masks.get();
  Value wide =
      values.stretch(value, values.getTile().getOfWarps(masks.joinWith(size)));
  return mask ? values.makeSelect(
                    mask, wide,
                    makeZero(builder, value.getLoc(), wide.getType()))
              : wide;
}

Value WarpLanes::makeBallot(Value predicate) {
  Location loc = predicate.getLoc();
  auto getType = [&](Value like) {
    return getTypeWith(builder.getI32Type(), getDimensions(like.getType()));
  };
  if (isOne(predicate))
    return builder.createOrFold<arith::ExtSIOp>(loc, getType(predicate),
                                                predicate);
  Value wide = spread(predicate);
  return SimdBallotOp::create(builder, loc, getType(wide), wide);
}

Value WarpLanes::makeBallot(Value predicate, Value among) {
  Value lanes = makeBallot(predicate);
  if (isWholeWarp(among))
    return lanes;
  LaneMath math(builder, lanes.getLoc());
  return math.make<arith::AndIOp>(lanes, values.get(among));
}

Value WarpLanes::makePresent(Value among) {
  return makeBallot(makeConstant(builder, true, {1, 1, 1}), among);
}
