// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that look for each other's values.

#include "MatchVectorizer.h"
#include "LaneMath.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not that of pyk.
using SimdShuffleOp = pyk::simd::ShuffleOp;

/// The bits of `value`, a number, as an integer.
static Value asInteger(OpBuilder &builder, Value value) {
  Type type = value.getType(), element = getElementTypeOrSelf(type);
  if (element.isInteger())
    return value;
  Type bits = builder.getIntegerType(element.getIntOrFloatBitWidth());
  return arith::BitcastOp::create(
      builder, value.getLoc(), getTypeWith(bits, getDimensions(type)), value);
}

void MatchVectorizer::visit(MatchAnyOp match) {
  Location loc = match.getLoc();
  LaneMath math(builder, loc);
  Value there = lanes.makePresent(match.getMask());
  Value value = values.get(match.getValue());
  if (lanes.isOne(value))
    return values.set(match.getResult(), there);
  Value own = lanes.spread(asInteger(builder, value));
  Dimensions size = getDimensions(own.getType());
  Value same = math.number(0);
  for (int32_t lane = 0; lane < kWarp; ++lane) {
    Value other = SimdShuffleOp::create(builder, loc, own.getType(), own,
                                        math.stretch(math.number(lane), size));
    Value isSame =
        math.make<arith::CmpIOp>(own, other, arith::CmpIPredicate::eq);
    auto bit = static_cast<int32_t>(1U << lane);
    same = math.make<arith::OrIOp>(
        same, math.select(isSame, math.number(bit), math.number(0)));
  }
  values.set(match.getResult(), math.make<arith::AndIOp>(same, there));
}

void MatchVectorizer::visit(MatchAllOp match) {
  Location loc = match.getLoc();
  LaneMath math(builder, loc);
  Value there = lanes.makePresent(match.getMask());
  Value own = lanes.spread(asInteger(builder, values.get(match.getValue())));
  Value lowest = math.make<arith::AndIOp>(
      there, math.make<arith::SubIOp>(math.number(0), there));
  Value zeros = builder.createOrFold<math::CountLeadingZerosOp>(loc, lowest);
  // Lanes that are off may see nobody.
  Value first = math.make<arith::AndIOp>(
      math.make<arith::SubIOp>(math.number(kWarp - 1), zeros),
      math.number(kWarp - 1));
  Dimensions size =
      join(getDimensions(own.getType()), getDimensions(first.getType()));
  own = math.stretch(own, size);
  Value other = SimdShuffleOp::create(builder, loc, own.getType(), own,
                                      math.stretch(first, size));
  Value isSame = math.make<arith::CmpIOp>(own, other, arith::CmpIPredicate::eq);
  Value same = lanes.makeBallot(isSame, match.getMask());
  Value all = math.make<arith::CmpIOp>(same, there, arith::CmpIPredicate::eq);
  values.set(match.getLanes(), math.select(all, there, math.number(0)));
  values.set(match.getIsSame(), all);
}
