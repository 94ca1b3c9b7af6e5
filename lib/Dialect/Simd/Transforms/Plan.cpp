// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels vectors run, and how many threads at a time.

#include "Meetings.h"
#include "Vectorizer.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

//===----------------------------------------------------------------------===//
// What can be run
//===----------------------------------------------------------------------===//

/// Whether vectors hold values of `type`.
static bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  return isa<Float16Type, Float32Type, Float64Type>(type);
}

static std::string checkValues(Operation *op, const LaneShapeAnalysis &shapes) {
  auto check = [&](Value value) -> std::string {
    Type type = value.getType();
    if (shapes.getShape(value).hasNoAxis() || isElement(type))
      return "";
    if (type.isIndex() && isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
      return "";
    if (isa<ArrayType>(type))
      return isa<ElementOp>(op) ? "" : "threads choose different arrays";
    std::string name;
    llvm::raw_string_ostream(name)
        << "values of type " << type << " differ by thread";
    return name;
  };
  for (Value result : op->getResults())
    if (std::string reason = check(result); !reason.empty())
      return reason;
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (std::string reason = check(argument); !reason.empty())
        return reason;
  return "";
}

static std::string checkAccess(AccessOpInterface op,
                               const LaneShapeAnalysis &shapes) {
  ArrayType array = op.getArray().getType();
  if (array.getSpace() == Space::Local && !getLocalArray(op.getArray()))
    return "it has views of local arrays";
  if (array.getSpace() == Space::Generic)
    return "it has arrays of any memory";
  if (!isElement(array.getElementType()))
    return "it has arrays of other things than numbers";
  if (!findPlace(op.getArray(), shapes))
    return "threads choose different arrays";
  if (auto load = dyn_cast<pyk::LoadOp>(*op); load && load.getIsVolatile())
    return "its threads wait for each other's stores";
  return "";
}

/// Whether vectors find the elements that `op`, a copy of records, is about.
static bool hasPlaces(CopyRecordOp op, const LaneShapeAnalysis &shapes) {
  return llvm::all_of(op->getOperands(), [&](Value array) {
    Space space = cast<ArrayType>(array.getType()).getSpace();
    return space != Space::Local && space != Space::Generic &&
           findPlace(array, shapes);
  });
}

/// What the local arrays of all threads of a tile may take of the stack.
static constexpr int64_t kMostLocalBytes = 128 << 10;

static std::string checkLocalArray(AllocOp op, const Tile &tile) {
  for (Operation *user : op->getUsers())
    if (!isa<ElementOp>(user) ||
        !llvm::all_of(user->getUsers(),
                      llvm::IsaPred<pyk::LoadOp, pyk::StoreOp>))
      return "it has views of local arrays";
  auto [rows, strips, lanes] = tile.getDimensions();
  ArrayType type = op.getType();
  if (type.getNumElements() * type.getElementBytes() * rows * strips * lanes >
      kMostLocalBytes)
    return "its local arrays are too large";
  return "";
}

/// What a tile must hold for `op`, which is about warps. Where some threads of
/// a warp may be missing, the vectorizer sees it from their places.
static TileNeed getNeedOfWarp(Operation *op, const LaneShapeAnalysis &shapes) {
  if (!isMeetingOfWarp(op))
    return TileNeed::WholeWarps;
  for (Operation *inner = op; !isa<gpu::GPUFuncOp>(inner->getParentOp());
       inner = inner->getParentOp())
    if (partsThreads(inner->getParentOp(), shapes) && !isMissedForGood(inner))
      return TileNeed::Block;
  return TileNeed::WholeWarps;
}

static std::string checkOp(Operation *op, const Tile &tile,
                           const LaneShapeAnalysis &shapes, TileNeed &need) {
  std::string name = op->getName().getStringRef().str();
  if (isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp,
          pyk::ReturnOp>(op))
    return checkValues(op, shapes);
  if (auto access = dyn_cast<AccessOpInterface>(op)) {
    std::string reason = checkAccess(access, shapes);
    return reason.empty() ? checkValues(op, shapes) : reason;
  }
  if (auto copy = dyn_cast<CopyRecordOp>(op)) {
    if (copy.getIsVolatile())
      return "its threads wait for each other's stores";
    return hasPlaces(copy, shapes) ? "" : "threads choose different records";
  }
  if (!isa<ElementOp>(op) && llvm::any_of(op->getOperands(), [&](Value value) {
        return isa<ArrayType>(value.getType()) &&
               !shapes.getShape(value).hasNoAxis();
      }))
    return "threads choose different arrays";
  if (auto barrier = dyn_cast<BarrierOp>(op)) {
    need = TileNeed::Block;
    if (barrier.getVote())
      return "it counts threads at a barrier";
    return isMetByAll(op, shapes)
               ? ""
               : "not all threads of a block meet at one of its barriers";
  }
  if (isOfWarp(op)) {
    if (tile.getWarpLayout() == WarpLayout::None)
      return "its warps are not whole vectors";
    need = std::max(need, getNeedOfWarp(op, shapes));
    return checkValues(op, shapes);
  }
  if (auto alloc = dyn_cast<AllocOp>(op);
      alloc && alloc.getType().getSpace() == Space::Local)
    return checkLocalArray(alloc, tile);
  // A line may be several ops, and threads print one after the other.
  if (isa<PrintOp>(op))
    return "it prints";
  if (isa<CallOpInterface>(op))
    return "it calls a function that is not inlined";
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<CheckOp, SpinHintOp>(op))
    return "it has '" + name + "'";
  switch (getLaneClass(op)) {
  case LaneClass::Collective:
    return "its threads exchange values ('" + name + "')";
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

std::string pyk::simd::checkKernel(gpu::GPUFuncOp kernel, const Tile &tile,
                                   const LaneShapeAnalysis &shapes,
                                   TileNeed &need) {
  std::string reason;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    reason = checkOp(op, tile, shapes, need);
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

//===----------------------------------------------------------------------===//
// How many threads at a time
//===----------------------------------------------------------------------===//

namespace {

/// What a tile costs, in vectors.
struct Cost {
  /// Weighed by how often loops run.
  double time = 0;
  /// Ops written.
  double code = 0;
  /// Vectors that loops carry.
  double carried = 0;
};

} // namespace

/// How often a loop is taken to run.
static constexpr double kTurns = 8;
/// Vectors that may be live before some are spilled.
static constexpr double kRegisters = 26;
/// A loop over lanes that calls a function, in time and code.
static constexpr double kCallCost = 300, kCallCode = 20;
/// Those of a formula.
static constexpr double kFormulaCost = 30;
/// Rows times strips of a tile that is not the block, at most.
static constexpr int64_t kMostInstances = 16;
/// So many ops have to save half of the time.
static constexpr double kCodeUnit = 1000;
/// Ops of a tile at most.
static constexpr double kMostCode = 8000;

/// Cycles that one thread's load, any other op of it, and a vector's access to
/// elements here and there take; measured on a Zen 4.
static constexpr double kLoadCycles = 0.5, kOpCycles = 0.3, kGatherCycles = 26;
/// What an atomic operation takes, and one on shared memory, which only one
/// thread of the machine reaches.
static constexpr double kAtomicCycles = 8, kPlainUpdateCycles = 2;
/// How much more often a loop runs for the thread that stays longest.
static constexpr double kDivergence = 1.5;

bool pyk::simd::gathersInLoops(gpu::GPUFuncOp kernel,
                               const LaneShapeAnalysis &shapes,
                               unsigned lanes) {
  double threads = 0, vectors = 0;
  kernel.walk([&](Operation *loop) {
    auto flow = dyn_cast<StructuredFlowOpInterface>(loop);
    if (!flow || !isLoop(loop) ||
        llvm::all_of(flow.getConditions(), [&](Value value) {
          return shapes.getShape(value).hasNoAxis();
        }))
      return;
    loop->walk([&](Operation *op) {
      if (op == loop || op->hasTrait<OpTrait::ConstantLike>())
        return;
      auto access = dyn_cast<AccessOpInterface>(op);
      if (!access) {
        bool varies = llvm::any_of(op->getResults(), [&](Value value) {
          return !shapes.getShape(value).hasNoAxis();
        });
        threads += lanes * kOpCycles;
        vectors += varies ? 1 : kOpCycles;
        return;
      }
      if (!isa<pyk::LoadOp, pyk::StoreOp>(op)) {
        bool isPlain = access.getArray().getType().getSpace() == Space::Shared;
        threads += lanes * kAtomicCycles;
        vectors += lanes * (isPlain ? kPlainUpdateCycles : kAtomicCycles);
        return;
      }
      threads += lanes * kLoadCycles;
      auto place = findPlace(access.getArray(), shapes);
      bool gathers = place && place->offset &&
                     !shapes.getShape(place->offset).hasNoAxis() &&
                     shapes.getShape(place->offset).getStride(0).kind !=
                         LaneStride::Constant;
      vectors += gathers ? kGatherCycles : 1;
    });
  });
  return vectors * kDivergence > threads;
}

static double getInstances(Dimensions size) {
  return static_cast<double>(size[0] * size[1]);
}

static void addCost(Block &block, const LaneShapeAnalysis &shapes,
                    const Tile &tile, double weight, Cost &cost) {
  for (Operation &op : block) {
    Dimensions size = {1, 1, 1};
    for (Value result : op.getResults())
      size = join(size, tile.getDimensions(shapes.getShape(result)));
    if (auto store = dyn_cast<pyk::StoreOp>(op)) {
      if (std::optional<Place> place = findPlace(store.getArray(), shapes);
          place && place->offset)
        size = place->isLocal
                   ? tile.getDimensions()
                   : tile.getDimensions(shapes.getShape(place->offset));
    } else if (isa<AccessOpInterface>(op) && !isa<pyk::LoadOp>(op)) {
      // One thread after the other.
      size = tile.getDimensions();
      cost.time += weight * getInstances(size) * tile.getLanes();
    }
    double instances = getInstances(size);
    bool isCall = !hasVectorForm(&op) && isMemoryEffectFree(&op) &&
                  op.getNumRegions() == 0 && !isScalar(size) &&
                  !isa<ArrayViewOpInterface, gpu::ThreadIdOp>(op);
    double formula = hasFormula(&op) ? kFormulaCost : 1;
    cost.time += weight * instances * (isCall ? kCallCost : formula);
    // Places become parts of accesses, and barriers nothing.
    if (!isa<ElementOp, BarrierOp>(op) && !op.hasTrait<OpTrait::ConstantLike>())
      cost.code += instances * (isCall ? kCallCode : formula);
    for (Region &region : op.getRegions())
      for (Block &inner : region) {
        bool cycles = isLoop(&op);
        double carried = 0;
        for (BlockArgument argument : inner.getArguments())
          carried +=
              getInstances(tile.getDimensions(shapes.getShape(argument)));
        if (cycles) {
          cost.carried = std::max(cost.carried, carried);
          // A test and a jump; sums wait for those of the turn before.
          cost.time += weight * kTurns * std::max(3.0, 8 - carried);
        }
        addCost(inner, shapes, tile, cycles ? weight * kTurns : weight, cost);
      }
  }
}

bool pyk::simd::planTile(gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes,
                         TileNeed need, Tile &tile) {
  Block &body = kernel.getBody().front();
  auto measure = [&] {
    Cost cost;
    addCost(body, shapes, tile, 1, cost);
    return cost;
  };
  if (need == TileNeed::Block)
    return measure().code <= kMostCode;
  double best = 0;
  Dimensions chosen = {0, 0, 0};
  const int64_t allRows = tile.getRowsOfBlock();
  const int64_t allStrips = tile.getStripsOfBlock();
  for (int64_t rows :
       {int64_t{1}, int64_t{2}, int64_t{4}, int64_t{8}, int64_t{16}, allRows})
    for (int64_t strips :
         {int64_t{1}, int64_t{2}, int64_t{4}, int64_t{8}, allStrips}) {
      if (!tile.mayHaveRows(rows) || allStrips % strips != 0 ||
          (rows * strips > kMostInstances && chosen[0] != 0))
        continue;
      tile.setSize(rows, strips);
      if (need == TileNeed::WholeWarps && !tile.hasWholeWarps())
        continue;
      Cost cost = measure();
      if (cost.code > kMostCode / 4 && chosen[0] != 0)
        continue;
      // Code has to be compiled.
      cost.time *= 1 + cost.code / kCodeUnit;
      if (cost.carried > kRegisters)
        cost.time *= 1 + (cost.carried - kRegisters) / kRegisters;
      double time = cost.time / static_cast<double>(rows * strips);
      // Larger ones must pay.
      if (chosen[0] == 0 || time < best * 0.97) {
        best = time;
        chosen = {rows, strips, 1};
      }
    }
  tile.setSize(chosen[0], chosen[1]);
  return measure().code <= kMostCode;
}
