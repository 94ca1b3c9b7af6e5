// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What counts is how many elements the vectors of a block collect one by one.

#include "AccessVectorizer.h"
#include "LaneAxis.h"
#include "LaneMath.h"
#include "Meetings.h"
#include "Plan.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"

namespace pyk::simd {
#define GEN_PASS_DEF_CHOOSELANESPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// How often a loop is taken to run.
static constexpr double kIterations = 8;
/// How much less time than otherwise vectors have to take.
static constexpr double kGain = 1.5;
/// What share of the accesses may collect elements along another axis than x.
/// Vectors along it are of more rows than those of short rows, and rows of a
/// power of two bytes have few places in the cache.
static constexpr double kMostCollected = 0.5;
/// The fewest lanes.
static constexpr int32_t kFewest = 4;

namespace {

/// What the lanes of a kernel may be: threads along `axis`, so many.
struct Lanes {
  unsigned axis;
  int32_t count;
};

/// An op of a kernel that each vector does.
struct Work {
  /// How often, in vector ops.
  double times = 1;
  /// The places of an access in the memory of `array`, which is null if it is
  /// none.
  LaneShape place;
  Value array;
  bool isLoad = false, isAtomic = false;
  /// Whether threads for which the place is the same go one by one. Those of an
  /// atomic operation have what they add up first.
  bool isOrdered = false;
};

/// Compares the lanes that one kernel may have.
class LaneChoice {
public:
  LaneChoice(gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes);

  /// The best, of vectors of `lanes`.
  Lanes choose(int32_t lanes) const;

private:
  void add(Operation *op, double times, const LaneShapeAnalysis &shapes);
  static int64_t getAccessTime(const Work &work, const LaneShape &place,
                               const Tile &tile);
  std::optional<double> getTime(Lanes lanes) const;

  std::array<int64_t, 3> block;
  SmallVector<Work> works;
};

} // namespace

LaneChoice::LaneChoice(gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes) {
  llvm::copy(kBlockShape.get(kernel).asArrayRef(), block.begin());
  DenseSet<Block *> told = findToldBlocks(kernel);
  kernel.getBody().walk([&](Operation *op) {
    double times = hasFormula(op) ? kFormulaCost : 1;
    for (Operation *outer = op->getParentOp(); outer != kernel;
         outer = outer->getParentOp())
      times *= isa<LoopLikeOpInterface>(outer) ? kIterations : 1;
    if (!told.contains(op->getBlock()))
      add(op, times, shapes);
  });
}

void LaneChoice::add(Operation *op, double times,
                     const LaneShapeAnalysis &shapes) {
  Work work;
  work.times = times;
  if (auto access = dyn_cast<AccessOpInterface>(op)) {
    std::optional<Address> address = findAddress(access.getArray(), shapes);
    if (address && !address->isLocal) {
      work.array = address->array;
      work.isLoad = isa<pyk::LoadOp>(op);
      work.isAtomic = !isa<pyk::LoadOp, pyk::StoreOp>(op);
      if (address->offset)
        work.place = shapes.getShape(address->offset);
      if (auto store = dyn_cast<pyk::StoreOp>(op))
        work.isOrdered = !shapes.getShape(store.getValue()).hasNoAxis();
    }
    works.push_back(work);
  } else if (llvm::any_of(op->getResults(), [&](Value value) {
               // Integers are mostly places, of which vectors need the first.
               return (isa<FloatType>(value.getType()) ||
                       (value.getType().isInteger() && times > 1)) &&
                      !shapes.getShape(value).hasNoAxis();
             })) {
    works.push_back(work);
  }
}

/// What one vector takes for an access of `work` to these places.
int64_t LaneChoice::getAccessTime(const Work &work, const LaneShape &place,
                                  const Tile &tile) {
  if (tile.getDimensions(place)[2] == 1)
    return work.isOrdered ? tile.getLanes() : 1;
  if (work.isAtomic)
    return tile.getLanes();
  int64_t step = std::abs(getStep(tile, place, work.array));
  return step == 1 || (step != 0 && work.isLoad) ? step : tile.getLanes();
}

/// What the vectors of a block take, in vector ops; none if they would collect
/// too much.
std::optional<double> LaneChoice::getTime(Lanes lanes) const {
  std::array<int64_t, 3> own = block;
  std::swap(own[0], own[lanes.axis]);
  const Tile tile(own, lanes.count);
  double time = 0, accesses = 0, collected = 0;
  for (const Work &work : works) {
    if (!work.array) {
      time += work.times;
      continue;
    }
    LaneShape place = work.place;
    LaneStride along = place.getStride(lanes.axis);
    place.setStride(lanes.axis, place.getStride(0));
    place.setStride(0, along);
    int64_t each = getAccessTime(work, place, tile);
    time += work.times * static_cast<double>(each);
    accesses += work.times;
    if (each == lanes.count)
      collected += work.times;
  }
  if (lanes.axis != 0 && collected >= kMostCollected * accesses)
    return std::nullopt;
  return time *
         static_cast<double>(tile.getRowsOfBlock() * tile.getStripsOfBlock());
}

Lanes LaneChoice::choose(int32_t lanes) const {
  Lanes best = {0, lanes};
  double least = *getTime(best) / kGain;
  for (unsigned axis = 0; axis != LaneShape::kAxes; ++axis)
    for (int32_t count = lanes; count >= kFewest; count /= 2) {
      // Halves are for rows that are no longer.
      if (block[axis] < count || (count != lanes && block[axis] >= 2 * count))
        continue;
      std::optional<double> time = getTime({axis, count});
      if (!time || *time >= least)
        continue;
      best = {axis, count};
      least = *time;
    }
  return best;
}

/// Whether the order of threads counts: warps are threads that follow each
/// other along x, and so do those that do something one by one.
static bool areOrdered(gpu::GPUFuncOp kernel) {
  return kernel.getBody()
      .walk([](Operation *op) {
        return isOfWarp(op) || isa<ForeignCallOp>(op) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether all blocks of `kernel` have a shape which leaves a choice.
static bool hasChoice(gpu::GPUFuncOp kernel, int32_t lanes) {
  auto block = kBlockShape.get(kernel);
  return kernel.isKernel() && block &&
         (block[0] < lanes || block[1] >= kFewest || block[2] >= kFewest);
}

namespace {

struct ChooseLanesPass : simd::impl::ChooseLanesPassBase<ChooseLanesPass> {
  using Base::Base;

  void runOnOperation() override {
    const auto all = static_cast<int32_t>(lanes);
    SmallVector<gpu::GPUFuncOp> kernels;
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (hasChoice(kernel, all) && !areOrdered(kernel))
        kernels.push_back(kernel);
    if (kernels.empty())
      return markAllAnalysesPreserved();
    LaneShapeAnalysis shapes(getOperation());
    for (gpu::GPUFuncOp kernel : kernels) {
      Lanes chosen = LaneChoice(kernel, shapes).choose(all);
      if (chosen.axis != 0)
        swapAxes(kernel, chosen.axis);
      if (chosen.count != all)
        kVectorLanes.set(kernel,
                         Builder(kernel).getI32IntegerAttr(chosen.count));
    }
  }
};

} // namespace
