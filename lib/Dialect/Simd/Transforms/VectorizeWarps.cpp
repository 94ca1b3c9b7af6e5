// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a warp do together. They are in step, so nobody waits;
// what is left are values that go from lane to lane. Lanes that are off give 0.

#include "LaneMath.h"
#include "Meetings.h"
#include "Vectorizer.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"
#include "pyk/Support/StrayLane.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not that of pyk.
using SimdShuffleOp = pyk::simd::ShuffleOp;
using SimdBallotOp = pyk::simd::BallotOp;

/// Whether `value` is a constant that all threads of a warp have alike.
static bool isConstantInWarps(Value value, const Tile &tile) {
  auto constant = getConstantElements<bool>(value);
  if (!constant)
    return false;
  Dimensions own = getDimensions(value.getType());
  if (own != tile.getOfWarps(own))
    return llvm::all_equal(*constant) ||
           (own[2] == 1 && tile.getWarpLayout() == WarpLayout::InRows);
  for (size_t first = 0; first < constant->size(); first += kWarp)
    if (!llvm::all_equal(
            ArrayRef(*constant).drop_front(first).take_front(kWarp)))
      return false;
  return true;
}

/// Whether `lanes`, of a meeting, is a constant that names no thread for which
/// `condition`, a constant, too, is `value`.
static bool hasNoneOf(Value lanes, Value condition, bool value,
                      const Tile &tile) {
  APInt named;
  Dimensions own = getDimensions(condition.getType());
  auto constant = getConstantElements<bool>(condition);
  if (!lanes || !matchPattern(lanes, m_ConstantInt(&named)) || !constant ||
      own != tile.getOfWarps(own))
    return false;
  for (auto [place, holds] : llvm::enumerate(*constant))
    if (holds == value && named[static_cast<unsigned>(place % kWarp)])
      return false;
  return true;
}

/// Whether all threads that `op` waits for come to it, but for those that come
/// to no other such op.
bool Vectorizer::isMetByWarps(Operation *op) const {
  if (isOnlyOneOfItsLanes(op))
    return true;
  for (Operation *inner = op; !isa<gpu::GPUFuncOp>(inner->getParentOp());
       inner = inner->getParentOp()) {
    Operation *around = inner->getParentOp();
    if (!partsThreads(around, shapes) || isMissedForGood(inner) ||
        isWaitingForNoOther(op, inner))
      continue;
    auto branch = dyn_cast<scf::IfOp>(around);
    if (!branch)
      return false;
    Value condition = get(branch.getCondition());
    bool isThen = inner->getParentRegion() == &branch.getThenRegion();
    if (!isConstantInWarps(condition, tile) &&
        !hasNoneOf(getLanesOfMeeting(op), condition, !isThen, tile))
      return false;
  }
  return true;
}

/// The lane of each thread in its warp, as i32: a constant.
Value Vectorizer::makeLane(Location loc) {
  Dimensions size = tile.getOfWarps({1, 1, 1});
  SmallVector<int32_t> lanes;
  for (int64_t place = 0; place < size[0] * size[1] * size[2]; ++place)
    lanes.push_back(static_cast<int32_t>(place % kWarp));
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          cast<VectorType>(getTypeWith(builder.getI32Type(), size)),
          ArrayRef(lanes)));
}

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

/// Whether all threads of each warp are on, and have `value`.
bool Vectorizer::isOneInWarps(Value value) const {
  Dimensions size = getDimensions(value.getType());
  return !mask && !tile.hasPartialWarp() &&
         (isScalar(size) || (tile.getWarpLayout() == WarpLayout::InRows &&
                             size[1] == 1 && size[2] == 1));
}

/// `value` of threads that are on, where warps see it; 0 of others.
Value Vectorizer::spreadInWarps(Value value) {
  Dimensions size = getDimensions(value.getType());
  if (mask)
    size = join(size, getDimensions(mask.getType()));
  Value wide = stretch(value, tile.getOfWarps(size));
  return mask ? makeSelect(mask, wide, makeZero(value.getLoc(), wide.getType()))
              : wide;
}

void Vectorizer::visitShuffle(pyk::ShuffleOp op) {
  Location loc = op.getLoc();
  Value value = get(op.getValue());
  bool isWhole = isWholeWarp(op.getMask());
  if (isWhole && isOneInWarps(value))
    return set(op.getResult(), value);
  LaneMath math(builder, loc);
  Value from = makeSource(op.getKind(), makeLane(loc), get(op.getOffset()),
                          op.getWidth() ? get(op.getWidth()) : Value(), math);
  Value given = spreadInWarps(value);
  Dimensions size =
      join(getDimensions(given.getType()), getDimensions(from.getType()));
  given = math.stretch(given, size);
  from = math.stretch(from, size);
  Value result =
      SimdShuffleOp::create(builder, loc, given.getType(), given, from);
  // Lanes that are not in the mask give 0.
  if (!isWhole) {
    Value named = math.make<arith::ShRUIOp>(get(op.getMask()), from);
    Value isNamed = math.make<arith::CmpIOp>(
        math.make<arith::AndIOp>(named, math.number(1)), math.number(0),
        arith::CmpIPredicate::ne);
    result = math.select(isNamed, result, makeZero(loc, op.getType()));
  }
  set(op.getResult(), result);
}

/// The lanes of each warp that are on and for which `predicate` holds, as bits.
Value Vectorizer::makeBallot(Value predicate) {
  Location loc = predicate.getLoc();
  auto getType = [&](Value like) {
    return getTypeWith(builder.getI32Type(), getDimensions(like.getType()));
  };
  if (isOneInWarps(predicate))
    return builder.createOrFold<arith::ExtSIOp>(loc, getType(predicate),
                                                predicate);
  Value wide = spreadInWarps(predicate);
  return SimdBallotOp::create(builder, loc, getType(wide), wide);
}

/// Those of `lanes` that `among`, the mask of a meeting, names.
Value Vectorizer::nameLanes(Value lanes, Value among) {
  if (isWholeWarp(among))
    return lanes;
  LaneMath math(builder, lanes.getLoc());
  return math.make<arith::AndIOp>(lanes, get(among));
}

/// Answers `vote` of the lanes that its mask names.
void Vectorizer::visitVote(VoteOp vote) {
  LaneMath math(builder, vote.getLoc());
  auto named = [&](Value lanes) { return nameLanes(lanes, vote.getMask()); };
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return math.make<arith::CmpIOp>(a, b, predicate);
  };
  using Predicate = arith::CmpIPredicate;
  Value yes = named(makeBallot(get(vote.getPredicate())));
  Value some = compare(Predicate::ne, yes, math.number(0));
  if (vote.getKind() == VoteKind::Any)
    return set(vote.getResult(), some);
  Value there = named(makeBallot(makeConstant(true, {1, 1, 1})));
  Value all = compare(Predicate::eq, yes, there);
  if (vote.getKind() == VoteKind::All)
    return set(vote.getResult(), all);
  Value none = compare(Predicate::eq, yes, math.number(0));
  set(vote.getResult(), math.make<arith::OrIOp>(all, none));
}

/// The linear index of each thread in its block, as i32.
Value Vectorizer::makeNumberOfThread(Location loc) {
  LaneMath math(builder, loc);
  Value number = tile.makeThreadIndex(builder, loc, 2, row, strip);
  for (unsigned axis : {1, 0}) {
    Value extent = math.number(static_cast<int32_t>(tile.getBlock()[axis]));
    number = math.make<arith::AddIOp>(
        math.make<arith::MulIOp>(number, extent),
        tile.makeThreadIndex(builder, loc, axis, row, strip));
  }
  return number;
}

/// Fails the launch if a thread is not in the mask that it gives to `op`.
void Vectorizer::checkOwnLane(Operation *op) {
  Location loc = op->getLoc();
  LaneMath math(builder, loc);
  Value lanes = get(getLanesOfMeeting(op));
  Value own = math.make<arith::AndIOp>(
      math.make<arith::ShRUIOp>(lanes, makeLane(loc)), math.number(1));
  Value isStray =
      makeAnd(mask, math.make<arith::CmpIOp>(own, math.number(0),
                                             arith::CmpIPredicate::eq));
  Value some = makeAny(isStray);
  if (matchPattern(some, m_Zero()))
    return;
  auto failure =
      scf::IfOp::create(builder, loc, some, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&failure.getThenRegion().front());
  Dimensions size = tile.getDimensions();
  Value inputs[] = {math.stretch(makeNumberOfThread(loc), size),
                    math.stretch(lanes, size)};
  auto serial = SerialOp::create(builder, loc, TypeRange(), inputs,
                                 math.stretch(isStray, size));
  Type i32 = builder.getI32Type();
  Block *body =
      builder.createBlock(&serial.getBody(), {}, {i32, i32}, {loc, loc});
  FailureOr<LLVM::LLVMFuncOp> callee = LLVM::lookupOrCreateFn(
      builder, op->getParentOfType<gpu::GPUModuleOp>(), kStrayLaneName,
      {i32, i32}, LLVM::LLVMVoidType::get(builder.getContext()));
  LLVM::CallOp::create(builder, loc, *callee, body->getArguments());
  YieldOp::create(builder, loc, ValueRange());
}

void Vectorizer::visitWarp(Operation *op) {
  if (isMeetingOfWarp(op) && !isMetByWarps(op))
    failure = getPartedWarp(op);
  if (!isWholeWarp(getLanesOfMeeting(op)))
    checkOwnLane(op);
  LaneMath math(builder, op->getLoc());
  if (isa<WarpBarrierOp>(op))
    return keepMeeting(op->getLoc());
  if (auto shuffle = dyn_cast<pyk::ShuffleOp>(op))
    return visitShuffle(shuffle);
  if (auto vote = dyn_cast<VoteOp>(op))
    return visitVote(vote);
  if (auto ballot = dyn_cast<pyk::BallotOp>(op))
    return set(
        ballot.getResult(),
        nameLanes(makeBallot(get(ballot.getPredicate())), ballot.getMask()));
  if (auto match = dyn_cast<MatchAnyOp>(op))
    return visitMatchAny(match);
  if (auto match = dyn_cast<MatchAllOp>(op))
    return visitMatchAll(match);
  if (isa<ActiveMaskOp>(op))
    return set(op->getResult(0), makeBallot(makeConstant(true, {1, 1, 1})));
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

/// Threads of a block that runs as a whole wait for nothing, but what is before
/// a meeting may be split from what is behind it, and only there.
void Vectorizer::keepMeeting(Location loc) {
  if (tile.isWholeBlock())
    BarrierOp::create(builder, loc, /*resultTypes=*/TypeRange(),
                      /*vote=*/nullptr,
                      /*predicate=*/nullptr);
}

/// Answers the vote of a barrier, by the threads that are on.
void Vectorizer::visitBarrier(BarrierOp op) {
  keepMeeting(op.getLoc());
  if (!op.getVote())
    return;
  answerVote(op);
  keepMeeting(op.getLoc());
}

void Vectorizer::answerVote(BarrierOp op) {
  Location loc = op.getLoc();
  Value predicate = get(op.getPredicate());
  LaneMath math(builder, loc);
  auto toNumber = [&](Value flag) {
    return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), flag);
  };
  switch (*op.getVote()) {
  case BarrierVote::Any:
    return set(op.getResult(), toNumber(makeAny(makeAnd(mask, predicate))));
  case BarrierVote::All: {
    Value lacks = makeAny(makeAnd(mask, makeNot(predicate)));
    return set(op.getResult(), toNumber(makeNot(lacks)));
  }
  case BarrierVote::Count: {
    Value all = math.stretch(makeAnd(mask, predicate), tile.getDimensions());
    return set(op.getResult(),
               CountOp::create(builder, loc, builder.getI32Type(), all));
  }
  }
}
