// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels vectors can run: what each op must be like.

#include "CheckKernel.h"
#include "AccessVectorizer.h"
#include "Meetings.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// Whether vectors hold values of `type`.
static bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  return isFloatElement(type);
}

static const Obstacle kDifferentArrays = {
    "threads choose different arrays",
    "choose between elements, not between arrays"};
static const Obstacle kLocalViews = {"it has views of local arrays",
                                     "index the array itself"};
static const Obstacle kWaits = {"its threads wait for each other's stores",
                                "launches in their order need no waiting"};

Obstacle pyk::simd::getPartedWarp(Operation *op) {
  Obstacle obstacle = {"not all lanes of its warps come here together",
                       "do this before the condition or loop"};
  obstacle.op = op;
  return obstacle;
}

static Obstacle checkValues(Operation *op, const LaneShapeAnalysis &shapes) {
  auto check = [&](Value value) -> Obstacle {
    Type type = value.getType();
    if (shapes.getShape(value).hasNoAxis() || isElement(type))
      return {};
    if (type.isIndex() && isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
      return {};
    if (isa<FieldOp>(op))
      return {"threads choose among arrays in records",
              "an array of its own for that field would do"};
    if (isa<ArrayType>(type))
      return isa<ElementOp>(op) ? Obstacle() : kDifferentArrays;
    std::string name;
    llvm::raw_string_ostream(name)
        << "values of type " << type << " differ by thread";
    return name;
  };
  for (Value result : op->getResults())
    if (Obstacle obstacle = check(result))
      return obstacle;
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (Obstacle obstacle = check(argument))
        return obstacle;
  return {};
}

static Obstacle checkAccess(AccessOpInterface op,
                            const LaneShapeAnalysis &shapes) {
  ArrayType array = op.getArray().getType();
  if (array.getSpace() == Space::Local && !getLocalArray(op.getArray()))
    return kLocalViews;
  if (array.getSpace() == Space::Generic)
    return "it has arrays of any memory";
  if (!isElement(array.getElementType()))
    return "it has arrays of other things than numbers";
  if (!findAddress(op.getArray(), shapes))
    return kDifferentArrays;
  if (auto load = dyn_cast<pyk::LoadOp>(*op); load && load.getIsVolatile())
    return kWaits;
  return {};
}

/// Whether vectors find the elements that `op`, a copy of records, is about.
static bool hasPlaces(CopyRecordOp op, const LaneShapeAnalysis &shapes) {
  return llvm::all_of(op->getOperands(), [&](Value array) {
    Space space = cast<ArrayType>(array.getType()).getSpace();
    return space != Space::Local && space != Space::Generic &&
           findAddress(array, shapes);
  });
}

/// What the local arrays of all threads of a tile may take of the stack.
static constexpr int64_t kMostLocalBytes = 512 << 10;

/// `localBytes` counts those of the arrays so far.
static Obstacle checkLocalArray(AllocOp op, const Tile &tile,
                                int64_t &localBytes) {
  for (Operation *user : op->getUsers())
    if (!isa<ElementOp>(user) ||
        !llvm::all_of(user->getUsers(),
                      llvm::IsaPred<pyk::LoadOp, pyk::StoreOp>))
      return kLocalViews;
  auto [rows, strips, lanes] = tile.getDimensions();
  ArrayType type = op.getType();
  localBytes +=
      type.getNumElements() * type.getElementBytes() * rows * strips * lanes;
  if (localBytes > kMostLocalBytes)
    return {"its local arrays are too large",
            "smaller blocks take less of the stack"};
  return {};
}

/// What a tile must hold for `op`, which is about warps. Where some threads of
/// a warp may be missing, the vectorizer sees it from their places.
static TileNeed getNeedOfWarp(Operation *op, const LaneShapeAnalysis &shapes) {
  if (!isMeetingOfWarp(op) || isOnlyOneOfItsLanes(op))
    return TileNeed::WholeWarps;
  for (Operation *inner = op; !isa<gpu::GPUFuncOp>(inner->getParentOp());
       inner = inner->getParentOp())
    if (partsThreads(inner->getParentOp(), shapes) && !isMissedForGood(inner) &&
        !isWaitingForNoOther(op, inner))
      return TileNeed::Block;
  return TileNeed::WholeWarps;
}

/// What its lane class says of `op`.
static Obstacle checkLaneClass(Operation *op, const LaneShapeAnalysis &shapes) {
  std::string name = op->getName().getStringRef().str();
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return "it has '" + name + "'";
  switch (getLaneClass(op)) {
  case LaneClass::Collective:
  case LaneClass::Control:
    return "it has '" + name + "'";
  case LaneClass::Serial:
    for (Value operand : op->getOperands())
      if (!isElement(operand.getType()))
        return "it has '" + name + "'";
    return checkValues(op, shapes);
  case LaneClass::Memory:
    // Arrays that it makes are the same for all.
    return checkValues(op, shapes);
  case LaneClass::Position:
    if (!isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(
            op))
      return "it has '" + name + "'";
    break;
  case LaneClass::Uniform:
  case LaneClass::Elementwise:
    break;
  }
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex() &&
        !isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
        !shapes.getShape(operand).hasNoAxis())
      return "it has '" + name + "'";
  return checkValues(op, shapes);
}

static Obstacle checkOp(Operation *op, const Tile &tile,
                        const LaneShapeAnalysis &shapes, TileNeed &need,
                        int64_t &localBytes) {
  if (isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp,
          pyk::ReturnOp>(op))
    return checkValues(op, shapes);
  if (auto access = dyn_cast<AccessOpInterface>(op)) {
    Obstacle obstacle = checkAccess(access, shapes);
    return obstacle ? obstacle : checkValues(op, shapes);
  }
  if (auto copy = dyn_cast<CopyRecordOp>(op)) {
    if (copy.getIsVolatile())
      return kWaits;
    return hasPlaces(copy, shapes)
               ? Obstacle()
               : Obstacle("threads choose different records");
  }
  if (!isa<ElementOp>(op) && llvm::any_of(op->getOperands(), [&](Value value) {
        return isa<ArrayType>(value.getType()) &&
               !shapes.getShape(value).hasNoAxis();
      }))
    return kDifferentArrays;
  if (isa<BarrierOp, GridBarrierOp>(op)) {
    need = TileNeed::Block;
    return isMetByAll(op, shapes)
               ? checkValues(op, shapes)
               : Obstacle("not all threads of a block meet at this barrier",
                          "take the barrier out of the condition or loop");
  }
  if (isOfWarp(op)) {
    if (tile.getWarpLayout() == WarpLayout::None)
      return "its warps are not whole vectors";
    // In the reference a lane waits for those that come in later iterations.
    if (isa<ActiveMaskOp>(op) && !shapes.getControl(op).hasNoAxis() &&
        op->getParentOfType<LoopLikeOpInterface>())
      return getPartedWarp(op);
    need = std::max(need, getNeedOfWarp(op, shapes));
    return checkValues(op, shapes);
  }
  if (auto alloc = dyn_cast<AllocOp>(op);
      alloc && alloc.getType().getSpace() == Space::Local)
    return checkLocalArray(alloc, tile, localBytes);
  // A line may be several ops, and threads print one after the other.
  if (isa<PrintOp>(op))
    return {"it prints", "leave that out where speed counts"};
  if (isa<CallOpInterface>(op))
    return {"it calls a function that is not inlined",
            "a loop in the place of recursion would do"};
  // Of numbers, one thread after the other.
  if (isa<ForeignCallOp>(op) && !llvm::all_of(op->getOperandTypes(), isElement))
    return "it gives arrays to code of another language";
  if (isa<LaunchOp, StreamOp>(op))
    return "it launches kernels";
  if (isa<SpinHintOp>(op))
    return kWaits;
  if (isa<CheckOp>(op))
    return {"its threads may end with an error",
            "leave checks and assertions out where speed counts"};
  return checkLaneClass(op, shapes);
}

Obstacle pyk::simd::checkKernel(gpu::GPUFuncOp kernel, const Tile &tile,
                                const LaneShapeAnalysis &shapes,
                                TileNeed &need) {
  Obstacle obstacle;
  int64_t localBytes = 0;
  if (tile.isLinear())
    need = TileNeed::Block;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    obstacle = checkOp(op, tile, shapes, need, localBytes);
    if (!obstacle)
      return WalkResult::advance();
    obstacle.op = op;
    return WalkResult::interrupt();
  });
  return obstacle;
}
