// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a warp do together. They are in step, so nobody waits;
// what is left are values that go from lane to lane, where all lanes are there.

#include "Vectorizer.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not that of pyk.
using SimdShuffleOp = pyk::simd::ShuffleOp;
using SimdBallotOp = pyk::simd::BallotOp;

static constexpr int64_t kWarp = 32;

static bool isWholeWarp(Value mask) {
  APInt lanes;
  return !mask ||
         (matchPattern(mask, m_ConstantInt(&lanes)) && lanes.isAllOnes());
}

bool pyk::simd::isOfWarp(Operation *op) {
  return isa<gpu::LaneIdOp, LaneMaskOp, pyk::ShuffleOp, VoteOp, pyk::BallotOp,
             WarpBarrierOp, ActiveMaskOp>(op);
}

bool pyk::simd::hasWarpForm(Operation *op, const Tile &tile,
                            const LaneShapeAnalysis &shapes) {
  if (tile.getBlock()[0] % kWarp != 0 || !shapes.getControl(op).hasNoAxis())
    return false;
  if (auto shuffle = dyn_cast<pyk::ShuffleOp>(op))
    return isWholeWarp(shuffle.getMask());
  if (auto vote = dyn_cast<VoteOp>(op))
    return isWholeWarp(vote.getMask());
  if (auto ballot = dyn_cast<pyk::BallotOp>(op))
    return isWholeWarp(ballot.getMask());
  if (auto barrier = dyn_cast<WarpBarrierOp>(op))
    return isWholeWarp(barrier.getMask());
  return true;
}

/// The lane of each thread in its warp, as i32: a constant.
Value Vectorizer::makeLane(Location loc) {
  Dimensions size = {1, tile.getDimensions()[1], tile.getDimensions()[2]};
  SmallVector<int32_t> lanes;
  for (int64_t x = 0; x < size[1] * size[2]; ++x)
    lanes.push_back(static_cast<int32_t>(x % kWarp));
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          cast<VectorType>(getTypeWith(builder.getI32Type(), size)),
          ArrayRef(lanes)));
}

namespace {

/// Arithmetic on numbers and compact vectors of i32, which are stretched as it
/// takes; constants are folded, so that unrolling sees them.
class LaneMath {
public:
  LaneMath(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  template <typename Op, typename... Arguments>
  Value make(Value a, Value b, Arguments... arguments) {
    Dimensions both =
        join(getDimensions(a.getType()), getDimensions(b.getType()));
    return builder.createOrFold<Op>(loc, arguments..., stretch(a, both),
                                    stretch(b, both));
  }
  Value select(Value condition, Value a, Value b) {
    Dimensions all =
        join(getDimensions(condition.getType()),
             join(getDimensions(a.getType()), getDimensions(b.getType())));
    return builder.createOrFold<arith::SelectOp>(
        loc, stretch(condition, all), stretch(a, all), stretch(b, all));
  }
  Value number(int32_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                        value);
  }

private:
  Value stretch(Value value, Dimensions size) {
    Type type = getTypeWith(value.getType(), size);
    return type == value.getType()
               ? value
               : builder.createOrFold<vector::BroadcastOp>(loc, type, value);
  }

  OpBuilder &builder;
  Location loc;
};

} // namespace

/// The lane that each thread gets the value of: PTX's definition of
/// `shfl.sync`.
static Value makeSource(ShuffleKind kind, Value lane, Value offset, Value width,
                        LaneMath &math) {
  bool isUp = kind == ShuffleKind::Up;
  Value most = math.number(31);
  offset = math.make<arith::AndIOp>(offset, most);
  Value segment =
      width ? math.make<arith::AndIOp>(
                  math.make<arith::SubIOp>(math.number(32), width), most)
            : math.number(0);
  Value inside = math.make<arith::XOrIOp>(segment, math.number(-1));
  Value first = math.make<arith::AndIOp>(lane, segment);
  Value end = math.make<arith::OrIOp>(
      first, math.make<arith::AndIOp>(math.number(isUp ? 0 : 31), inside));
  Value from;
  switch (kind) {
  case ShuffleKind::Index:
    from = math.make<arith::OrIOp>(first,
                                   math.make<arith::AndIOp>(offset, inside));
    break;
  case ShuffleKind::Up:
    from = math.make<arith::SubIOp>(lane, offset);
    break;
  case ShuffleKind::Down:
    from = math.make<arith::AddIOp>(lane, offset);
    break;
  case ShuffleKind::Xor:
    from = math.make<arith::XOrIOp>(lane, offset);
    break;
  }
  Value isInside = math.make<arith::CmpIOp>(
      from, end, isUp ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle);
  return math.select(isInside, from, lane);
}

void Vectorizer::visitShuffle(pyk::ShuffleOp op) {
  Value value = get(op.getValue());
  Dimensions size = getDimensions(value.getType());
  // All lanes of a warp have it.
  if (size[2] == 1)
    return set(op.getResult(), value);
  LaneMath math(builder, op.getLoc());
  Value source =
      makeSource(op.getKind(), makeLane(op.getLoc()), get(op.getOffset()),
                 op.getWidth() ? get(op.getWidth()) : Value(), math);
  size = join(size, getDimensions(source.getType()));
  Value wide = stretch(value, size), from = source;
  if (getDimensions(source.getType()) != size)
    from = builder.createOrFold<vector::BroadcastOp>(
        op.getLoc(), getTypeWith(source.getType(), size), source);
  set(op.getResult(),
      SimdShuffleOp::create(builder, op.getLoc(), wide.getType(), wide, from));
}

/// The lanes of each warp for which `predicate` holds, as bits.
Value Vectorizer::makeBallot(Value predicate) {
  Location loc = predicate.getLoc();
  Type type =
      getTypeWith(builder.getI32Type(), getDimensions(predicate.getType()));
  // All lanes of a warp say the same.
  if (getDimensions(predicate.getType())[2] == 1)
    return arith::ExtSIOp::create(builder, loc, type, predicate);
  return SimdBallotOp::create(builder, loc, type, predicate);
}

void Vectorizer::visitWarp(Operation *op) {
  LaneMath math(builder, op->getLoc());
  if (isa<WarpBarrierOp>(op))
    return;
  if (auto shuffle = dyn_cast<pyk::ShuffleOp>(op))
    return visitShuffle(shuffle);
  if (auto ballot = dyn_cast<pyk::BallotOp>(op))
    return set(ballot.getResult(), makeBallot(get(ballot.getPredicate())));
  if (auto active = dyn_cast<ActiveMaskOp>(op))
    return set(active.getResult(), math.number(-1));
  if (auto vote = dyn_cast<VoteOp>(op)) {
    Value lanes = makeBallot(get(vote.getPredicate()));
    auto compare = [&](arith::CmpIPredicate predicate, int32_t number) {
      return math.make<arith::CmpIOp>(lanes, math.number(number), predicate);
    };
    using Predicate = arith::CmpIPredicate;
    switch (vote.getKind()) {
    case VoteKind::All:
      return set(vote.getResult(), compare(Predicate::eq, -1));
    case VoteKind::Any:
      return set(vote.getResult(), compare(Predicate::ne, 0));
    case VoteKind::Equal:
      return set(vote.getResult(),
                 math.make<arith::OrIOp>(compare(Predicate::eq, -1),
                                         compare(Predicate::eq, 0)));
    }
  }
  Value lane = makeLane(op->getLoc());
  auto lanes = dyn_cast<LaneMaskOp>(op);
  if (!lanes)
    return set(op->getResult(0), lane);
  Value own = math.make<arith::ShLIOp>(math.number(1), lane);
  Value before = math.make<arith::SubIOp>(own, math.number(1));
  Value from = math.make<arith::SubIOp>(math.number(0), own);
  switch (lanes.getKind()) {
  case LaneMaskKind::Equal:
    return set(lanes.getResult(), own);
  case LaneMaskKind::Less:
    return set(lanes.getResult(), before);
  case LaneMaskKind::LessOrEqual:
    return set(lanes.getResult(), math.make<arith::OrIOp>(before, own));
  case LaneMaskKind::GreaterOrEqual:
    return set(lanes.getResult(), from);
  case LaneMaskKind::Greater:
    return set(lanes.getResult(), math.make<arith::XOrIOp>(from, own));
  }
}
