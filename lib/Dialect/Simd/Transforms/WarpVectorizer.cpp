// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a warp do together. They are in step, so nobody waits;
// what is left are values that go from lane to lane. Lanes that are off give 0.

#include "WarpVectorizer.h"
#include "BarrierVectorizer.h"
#include "CheckKernel.h"
#include "LaneMath.h"
#include "Meetings.h"
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
  for (auto [position, holds] : llvm::enumerate(*constant))
    if (holds == value && named[static_cast<unsigned>(position % kWarp)])
      return false;
  return true;
}

/// Whether all threads that `op` waits for come to it, but for those that come
/// to no other such op.
bool WarpVectorizer::isMetByWarps(Operation *op) const {
  if (isOnlyOneOfItsLanes(op))
    return true;
  for (Operation *inner = op; !isa<gpu::GPUFuncOp>(inner->getParentOp());
       inner = inner->getParentOp()) {
    Operation *around = inner->getParentOp();
    if (!partsThreads(around, values.getShapes()) || isMissedForGood(inner) ||
        isWaitingForNoOther(op, inner))
      continue;
    auto branch = dyn_cast<scf::IfOp>(around);
    if (!branch)
      return false;
    Value condition = values.get(branch.getCondition());
    bool isThen = inner->getParentRegion() == &branch.getThenRegion();
    if (!isConstantInWarps(condition, values.getTile()) &&
        !hasNoneOf(getLanesOfMeeting(op), condition, !isThen, values.getTile()))
      return false;
  }
  return true;
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

Value WarpVectorizer::makeShuffle(pyk::ShuffleOp op) {
  Location loc = op.getLoc();
  Value value = values.get(op.getValue());
  bool isWhole = isWholeWarp(op.getMask());
  if (isWhole && lanes.isOne(value))
    return value;
  LaneMath math(builder, loc);
  Value from =
      makeSource(op.getKind(), lanes.makeLane(loc), values.get(op.getOffset()),
                 op.getWidth() ? values.get(op.getWidth()) : Value(), math);
  Value given = lanes.spread(value);
  Dimensions size =
      join(getDimensions(given.getType()), getDimensions(from.getType()));
  given = math.stretch(given, size);
  from = math.stretch(from, size);
  Value result =
      SimdShuffleOp::create(builder, loc, given.getType(), given, from);
  // Lanes that are not in the mask give 0.
  if (!isWhole) {
    Value named = math.make<arith::ShRUIOp>(values.get(op.getMask()), from);
    Value isNamed = math.make<arith::CmpIOp>(
        math.make<arith::AndIOp>(named, math.number(1)), math.number(0),
        arith::CmpIPredicate::ne);
    result = math.select(isNamed, result, makeZero(builder, loc, op.getType()));
  }
  return result;
}

/// Answers `vote` of the lanes that its mask names.
Value WarpVectorizer::makeVote(VoteOp vote) {
  LaneMath math(builder, vote.getLoc());
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return math.make<arith::CmpIOp>(a, b, predicate);
  };
  using Predicate = arith::CmpIPredicate;
  Value yes = lanes.makeBallot(values.get(vote.getPredicate()), vote.getMask());
  Value some = compare(Predicate::ne, yes, math.number(0));
  if (vote.getKind() == VoteKind::Any)
    return some;
  Value there = lanes.makePresent(vote.getMask());
  Value all = compare(Predicate::eq, yes, there);
  if (vote.getKind() == VoteKind::All)
    return all;
  Value none = compare(Predicate::eq, yes, math.number(0));
  return math.make<arith::OrIOp>(all, none);
}

/// The linear index of each thread in its block, as i32.
Value WarpVectorizer::makeNumberOfThread(Location loc) {
  LaneMath math(builder, loc);
  Value number = values.getTile().makeThreadIndex(builder, loc, 2, position.row,
                                                  position.strip);
  for (unsigned axis : {1, 0}) {
    Value extent =
        math.number(static_cast<int32_t>(values.getTile().getBlock()[axis]));
    number = math.make<arith::AddIOp>(
        math.make<arith::MulIOp>(number, extent),
        values.getTile().makeThreadIndex(builder, loc, axis, position.row,
                                         position.strip));
  }
  return number;
}

/// Fails the launch if a thread is not in the mask that it gives to `op`.
void WarpVectorizer::checkOwnLane(Operation *op) {
  Location loc = op->getLoc();
  LaneMath math(builder, loc);
  Value named = values.get(getLanesOfMeeting(op));
  Value own = math.make<arith::AndIOp>(
      math.make<arith::ShRUIOp>(named, lanes.makeLane(loc)), math.number(1));
  Value isStray = masks.makeAnd(
      masks.get(),
      math.make<arith::CmpIOp>(own, math.number(0), arith::CmpIPredicate::eq));
  Value some = masks.makeAny(isStray);
  if (matchPattern(some, m_Zero()))
    return;
  auto failure =
      scf::IfOp::create(builder, loc, some, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&failure.getThenRegion().front());
  Dimensions size = values.getTile().getDimensions();
  Value inputs[] = {math.stretch(makeNumberOfThread(loc), size),
                    math.stretch(named, size)};
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

/// Which lanes stand to each thread's own as `op` says, as bits.
Value WarpVectorizer::makeLaneMask(LaneMaskOp op) {
  LaneMath math(builder, op.getLoc());
  Value lane = lanes.makeLane(op.getLoc());
  Value own = math.make<arith::ShLIOp>(math.number(1), lane);
  Value before = math.make<arith::SubIOp>(own, math.number(1));
  Value from = math.make<arith::SubIOp>(math.number(0), own);
  switch (op.getKind()) {
  case LaneMaskKind::Equal:
    return own;
  case LaneMaskKind::Less:
    return before;
  case LaneMaskKind::LessOrEqual:
    return math.make<arith::OrIOp>(before, own);
  case LaneMaskKind::GreaterOrEqual:
    return from;
  case LaneMaskKind::Greater:
    return math.make<arith::XOrIOp>(from, own);
  }
  llvm_unreachable("no other kind");
}

void WarpVectorizer::visit(Operation *op) {
  if (isMeetingOfWarp(op) && !isMetByWarps(op))
    obstacle = getPartedWarp(op);
  if (!isWholeWarp(getLanesOfMeeting(op)))
    checkOwnLane(op);
  if (isa<WarpBarrierOp>(op))
    return keepMeeting(values.getTile(), builder, op->getLoc());
  if (auto shuffle = dyn_cast<pyk::ShuffleOp>(op))
    return values.set(shuffle.getResult(), makeShuffle(shuffle));
  if (auto vote = dyn_cast<VoteOp>(op))
    return values.set(vote.getResult(), makeVote(vote));
  if (auto ballot = dyn_cast<pyk::BallotOp>(op))
    return values.set(
        ballot.getResult(),
        lanes.makeBallot(values.get(ballot.getPredicate()), ballot.getMask()));
  if (auto match = dyn_cast<MatchAnyOp>(op))
    return matches.visit(match);
  if (auto match = dyn_cast<MatchAllOp>(op))
    return matches.visit(match);
  if (isa<ActiveMaskOp>(op))
    return values.set(op->getResult(0), lanes.makePresent(/*among=*/nullptr));
  if (auto mask = dyn_cast<LaneMaskOp>(op))
    return values.set(mask.getResult(), makeLaneMask(mask));
  values.set(op->getResult(0), lanes.makeLane(op->getLoc()));
}
