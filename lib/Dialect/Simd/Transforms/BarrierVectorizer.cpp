// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a block are in step where it is one tile.

#include "BarrierVectorizer.h"
#include "LaneMath.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

void pyk::simd::keepMeeting(const Tile &tile, OpBuilder &builder,
                            Location loc) {
  if (tile.isWholeBlock())
    BarrierOp::create(builder, loc, /*resultTypes=*/TypeRange(),
                      /*vote=*/nullptr,
                      /*predicate=*/nullptr);
}

void BarrierVectorizer::visit(BarrierOp op) {
  keepMeeting(values.getTile(), builder, op.getLoc());
  if (!op.getVote())
    return;
  values.set(op.getResult(), answerVote(op));
  keepMeeting(values.getTile(), builder, op.getLoc());
}

Value BarrierVectorizer::answerVote(BarrierOp op) {
  Location loc = op.getLoc();
  Value predicate = values.get(op.getPredicate());
  LaneMath math(builder, loc);
  auto toNumber = [&](Value flag) -> Value {
    return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), flag);
  };
  switch (*op.getVote()) {
  case BarrierVote::Any:
    return toNumber(masks.makeAny(masks.makeAnd(masks.get(), predicate)));
  case BarrierVote::All: {
    Value lacks =
        masks.makeAny(masks.makeAnd(masks.get(), makeNot(builder, predicate)));
    return toNumber(makeNot(builder, lacks));
  }
  case BarrierVote::Count: {
    Value all = math.stretch(masks.makeAnd(masks.get(), predicate),
                             values.getTile().getDimensions());
    return CountOp::create(builder, loc, builder.getI32Type(), all);
  }
  }
  llvm_unreachable("no other kind");
}
