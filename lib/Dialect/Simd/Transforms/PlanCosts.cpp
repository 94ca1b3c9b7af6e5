// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops are counted, by how often they run and for how many vectors.

#include "PlanCosts.h"
#include "AccessVectorizer.h"
#include "Meetings.h"
#include "Plan.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include <cmath>

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// How often a loop is taken to run.
static constexpr double kIterations = 8;
/// A loop over lanes that calls a function, in time and code.
static constexpr double kCallCost = 300, kCallCode = 20;
/// How much longer a loop that threads leave one by one runs for each doubling
/// of the tile: it goes on for the last.
static constexpr double kStay = 0.1;
/// What a load takes whose next iteration reads another row of an array: it
/// comes from a cache that is farther away.
static constexpr double kRowCost = 10;
/// What a vector of a load or store takes if neighbouring rows, and not lanes,
/// find neighbours: as one row alone, whose elements are collected.
static constexpr double kCollectCost = 30;
/// Where the processor fetches rows, what else counts: rows of a tile that read
/// along rows of an array, of which the first cache may have no more at a time;
/// and what such a load then takes longer. Measured on a Zen 4, where lines
/// that are so many bytes apart have the same places.
static constexpr int64_t kRowsOfCache = 8, kBytesOfPlaces = 4096;
static constexpr double kConflictCost = 2;

/// Whether `value` is the same in all iterations of `loop`.
static bool isFixed(Value value, Operation *loop) {
  SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    Value next = needed[i];
    if (!loop->isAncestor(next.getParentRegion()->getParentOp()))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isPure(op))
      return false;
    needed.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

bool pyk::simd::growsByOne(Value value, Value counter, Operation *loop) {
  while (value != counter) {
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isAncestor(op))
      return false;
    if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
      value = op->getOperand(0);
    else if (isa<arith::AddIOp>(op) && isFixed(op->getOperand(0), loop))
      value = op->getOperand(1);
    else if (isa<arith::AddIOp>(op) && isFixed(op->getOperand(1), loop))
      value = op->getOperand(0);
    else
      return false;
  }
  return true;
}

static double getInstances(Dimensions size) {
  return static_cast<double>(size[0] * size[1]);
}

/// Whether each iteration of the loop around `load` reads another row of an
/// array, in which neighbours are neighbours.
static bool readsRows(pyk::LoadOp load, const LaneShapeAnalysis &shapes) {
  auto loop = load->getParentOfType<scf::ForOp>();
  std::optional<Address> address = findAddress(load.getArray(), shapes);
  return loop && address && address->offset &&
         load.getArray().getType().getSpace() == Space::Global &&
         shapes.getShape(address->offset).getStride(0).kind ==
             LaneStride::Constant &&
         !shapes.getShape(address->offset).hasNoAxis() &&
         !isFixed(address->offset, loop) &&
         !growsByOne(address->offset, loop.getInductionVar(), loop);
}

/// Whether each iteration of the loop around `load` reads the next element of
/// one row of an array, another for each row of a tile.
static bool readsAlongRows(pyk::LoadOp load, const LaneShapeAnalysis &shapes) {
  auto loop = load->getParentOfType<scf::ForOp>();
  std::optional<Address> address = findAddress(load.getArray(), shapes);
  if (!loop || !address || !address->offset ||
      load.getArray().getType().getSpace() != Space::Global)
    return false;
  const LaneShape &shape = shapes.getShape(address->offset);
  auto type = cast<ArrayType>(address->array.getType());
  const LaneStride &down = shape.getStride(1);
  int64_t bytes = down.value / getUnit(address->array) * type.getElementBytes();
  bool mayConflict = !down.isZero() && (down.kind != LaneStride::Constant ||
                                        bytes % kBytesOfPlaces == 0);
  return shape.getStride(0).isZero() && mayConflict &&
         growsByOne(address->offset, loop.getInductionVar(), loop);
}

/// What `load` takes longer than another, in tiles of `rows`.
static double getRowCost(pyk::LoadOp load, const LaneShapeAnalysis &shapes,
                         int64_t rows, bool fetchesRows) {
  if (!fetchesRows)
    return readsRows(load, shapes) ? kRowCost - 1 : 0;
  return rows > kRowsOfCache && readsAlongRows(load, shapes) ? kConflictCost
                                                             : 0;
}

/// What a vector of `access` takes longer than one of neighbours, if rows could
/// be moved together. Then each lane has an access for all, which are joined
/// two by two, and each doubling of the rows an exchange.
static double getTransposeCost(AccessOpInterface access,
                               const LaneShapeAnalysis &shapes,
                               const Tile &tile) {
  auto address = findAddress(access.getArray(), shapes);
  if (!address || address->isLocal || !address->offset)
    return 0;
  const LaneShape &shape = shapes.getShape(address->offset);
  const LaneStride &down = shape.getStride(1);
  if (shape.getStride(0).isZero() || down.kind != LaneStride::Constant ||
      down.value != getUnit(address->array) || tile.getBlock()[1] == 1 ||
      getStep(tile, shape, address->array) != 0)
    return 0;
  const auto rows =
      static_cast<double>(getRowsTogether(tile, shape, address->array));
  return rows == 0 ? kCollectCost
                   : 2 * static_cast<double>(tile.getLanes()) / rows - 1 +
                         std::log2(rows);
}

static void addCost(Block &block, const LaneShapeAnalysis &shapes,
                    const Tile &tile, bool fetchesRows, double weight,
                    Cost &cost) {
  if (isTold(block))
    return;
  for (Operation &op : block) {
    Dimensions size = {1, 1, 1};
    for (Value result : op.getResults())
      size = join(size, tile.getDimensions(shapes.getShape(result)));
    if (auto store = dyn_cast<pyk::StoreOp>(op)) {
      if (std::optional<Address> address =
              findAddress(store.getArray(), shapes);
          address && address->offset)
        size = address->isLocal
                   ? tile.getDimensions()
                   : tile.getDimensions(shapes.getShape(address->offset));
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
    if (auto load = dyn_cast<pyk::LoadOp>(op))
      cost.time +=
          weight * instances * getRowCost(load, shapes, size[0], fetchesRows);
    if (isa<pyk::LoadOp, pyk::StoreOp>(op))
      cost.time += weight * instances *
                   getTransposeCost(cast<AccessOpInterface>(op), shapes, tile);
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
          // A test and a jump; sums wait for those of the iteration before.
          cost.time += weight * kIterations * std::max(3.0, 8 - carried);
        }
        double iterations = cycles ? kIterations : 1;
        if (cycles && partsThreads(&op, shapes))
          iterations *=
              1 + kStay * std::log2(getInstances(tile.getDimensions()));
        addCost(inner, shapes, tile, fetchesRows, weight * iterations, cost);
      }
  }
}

Cost pyk::simd::getCost(Block &body, const LaneShapeAnalysis &shapes,
                        const Tile &tile, bool fetchesRows) {
  Cost cost;
  addCost(body, shapes, tile, fetchesRows, 1, cost);
  return cost;
}
