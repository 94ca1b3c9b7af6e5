// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels are faster as vectors, and how many threads at a time.

#include "Plan.h"
#include "AccessVectorizer.h"
#include "Meetings.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include <cmath>

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

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

/// Threads of a row that several blocks have together, at most: the rows that
/// a stencil reads stay in the cache.
static constexpr int64_t kThreadsOfRun = 4096;
/// Its blocks at most: their number is in the place of a thread's index.
static constexpr int64_t kMostBlocksOfRun = 512;
/// The iterations of a loop that goes through little memory, at most.
static constexpr uint64_t kShortLoop = 32;
/// How often a loop is taken to run.
static constexpr double kIterations = 8;
/// A loop over lanes that calls a function, in time and code.
static constexpr double kCallCost = 300, kCallCode = 20;
/// Rows times strips of a tile that is not the block, at most.
static constexpr int64_t kMostInstances = 16;
/// So many ops have to save half of the time.
static constexpr double kCodeUnit = 1000;
/// Ops of a tile at most.
static constexpr double kMostCode = 8000;
/// How many vectors of a tile that is the block count in its code, as a guess.
static constexpr double kMostVectorsInCode = 4 * kVectorsOfPhase;

/// Cycles that one thread's load, any other op of it, and a vector's access to
/// elements here and there take; measured on a Zen 4.
static constexpr double kLoadCycles = 0.5, kOpCycles = 0.3, kGatherCycles = 26;
/// What an atomic operation takes, and one on shared memory, which only one
/// thread of the machine reaches.
static constexpr double kAtomicCycles = 8, kPlainUpdateCycles = 2;
/// How much longer a loop that threads leave one by one runs for each doubling
/// of the tile: it goes on for the last.
static constexpr double kStay = 0.1;
/// How much longer a vector takes if it is computed alone and one of its
/// formulas waits for another: nothing else is there to be done meanwhile.
static constexpr double kWait = 0.5;
/// What a load takes whose next iteration reads another row of an array: it
/// comes from a cache that is farther away.
static constexpr double kRowCost = 10;
/// Where the processor fetches rows, what else counts: rows of a tile that read
/// along rows of an array, of which the first cache may have no more at a time;
/// and what such a load then takes longer. Measured on a Zen 4.
static constexpr int64_t kRowsOfCache = 8;
static constexpr double kConflictCost = 2;
/// How much more often a loop runs for the thread that stays longest.
static constexpr double kDivergence = 1.5;

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

/// Whether `value` is a sum of `counter` and of what is fixed.
static bool growsByOne(Value value, Value counter, Operation *loop) {
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

/// Whether neighbours find their elements far from each other.
static bool isFarFromNeighbours(const std::optional<Address> &address,
                                const LaneShapeAnalysis &shapes) {
  return address && !address->isLocal && address->offset &&
         !shapes.getShape(address->offset).hasNoAxis() &&
         shapes.getShape(address->offset).getStride(0).kind !=
             LaneStride::Constant;
}

bool pyk::simd::walksThroughRows(gpu::GPUFuncOp kernel,
                                 const LaneShapeAnalysis &shapes) {
  unsigned ofRows = 0, others = 0;
  kernel.walk([&](scf::ForOp loop) {
    if (!matchPattern(loop.getStep(), m_One()))
      return;
    loop->walk([&](Operation *op) {
      auto access = dyn_cast<AccessOpInterface>(op);
      if (!access || op->getParentOfType<LoopLikeOpInterface>() != loop)
        return;
      auto address = findAddress(access.getArray(), shapes);
      if (isFarFromNeighbours(address, shapes) &&
          growsByOne(address->offset, loop.getInductionVar(), loop))
        ++ofRows;
      else if (address && address->offset &&
               !shapes.getShape(address->offset).hasNoAxis())
        ++others;
    });
  });
  return ofRows > others;
}

bool pyk::simd::isTold(Operation *op) {
  return !op->getBlock()->getOps<OutsideOp>().empty();
}

bool pyk::simd::gathersInLoops(gpu::GPUFuncOp kernel,
                               const LaneShapeAnalysis &shapes,
                               unsigned lanes) {
  double threads = 0, vectors = 0;
  kernel.walk([&](Operation *loop) {
    if (!isLoop(loop) || !partsThreads(loop, shapes))
      return;
    loop->walk([&](Operation *op) {
      if (op == loop || op->hasTrait<OpTrait::ConstantLike>() || isTold(op))
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
      auto address = findAddress(access.getArray(), shapes);
      vectors += isFarFromNeighbours(address, shapes) ? kGatherCycles : 1;
    });
  });
  return vectors * kDivergence > threads;
}

/// Whether `op` is in a loop of many iterations, or of nobody knows how many.
static bool isInLongLoop(Operation *op) {
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>()) {
    auto counted = dyn_cast<scf::ForOp>(*loop);
    std::optional<APInt> iterations =
        counted ? counted.getStaticTripCount() : std::nullopt;
    if (!iterations || iterations->ugt(kShortLoop))
      return true;
  }
  return false;
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
  return shape.getStride(0).isZero() &&
         shape.getStride(1).kind != LaneStride::Constant &&
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

static void addCost(Block &block, const LaneShapeAnalysis &shapes,
                    const Tile &tile, bool fetchesRows, double weight,
                    Cost &cost) {
  if (isTold(&block.front()))
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

/// Whether a formula of `kernel` needs the result of another, from one
/// iteration to the next left aside.
static bool hasChainOfFormulas(gpu::GPUFuncOp kernel) {
  // Those that values come from, one after the other.
  DenseMap<Value, unsigned> chains;
  unsigned longest = 0;
  kernel.walk([&](Operation *op) {
    unsigned chain = 0;
    auto follow = [&](OperandRange operands) {
      for (Value operand : operands)
        chain = std::max(chain, chains.lookup(operand));
    };
    follow(op->getOperands());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        follow(block.getTerminator()->getOperands());
    chain += hasFormula(op);
    for (Value result : op->getResults())
      chains[result] = chain;
    longest = std::max(longest, chain);
  });
  return longest > 1;
}

bool pyk::simd::planTile(gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes,
                         TileNeed need, bool fetchesRows, Tile &tile) {
  Block &body = kernel.getBody().front();
  auto measure = [&] {
    Cost cost;
    addCost(body, shapes, tile, fetchesRows, 1, cost);
    return cost;
  };
  // What threads do between barriers is mostly written as a loop.
  if (need == TileNeed::Block) {
    double vectors = getInstances(tile.getDimensions());
    return measure().code * std::min(1.0, kMostVectorsInCode / vectors) <=
           kMostCode;
  }
  double best = 0;
  Dimensions chosen = {0, 0, 0};
  const int64_t allRows = tile.getRowsOfBlock();
  const int64_t allStrips = tile.getStripsOfBlock();
  const double wait = hasChainOfFormulas(kernel) ? kWait : 0;
  const auto registers = static_cast<double>(getRegisters(tile.getLanes()));
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
      if (cost.carried > registers)
        cost.time *= 1 + (cost.carried - registers) / registers;
      auto instances = static_cast<double>(rows * strips);
      double time = cost.time / instances * (1 + wait / instances);
      // Larger ones must pay.
      if (chosen[0] == 0 || time < best * 0.97) {
        best = time;
        chosen = {rows, strips, 1};
      }
    }
  tile.setSize(chosen[0], chosen[1]);
  return measure().code <= kMostCode;
}

/// Whether neighbours along y find their elements side by side, and those along
/// x do not, as in a transpose: the next row has the rest of each cache line.
static bool goesDown(Operation *op, const LaneShapeAnalysis &shapes) {
  auto access = dyn_cast<AccessOpInterface>(op);
  if (!access)
    return false;
  auto address = findAddress(access.getArray(), shapes);
  if (!isFarFromNeighbours(address, shapes))
    return false;
  const LaneStride &down = shapes.getShape(address->offset).getStride(1);
  return down.kind == LaneStride::Constant && !down.isZero();
}

int64_t pyk::simd::planRun(gpu::GPUFuncOp kernel,
                           const LaneShapeAnalysis &shapes, TileNeed need,
                           const Tile &tile) {
  if (need != TileNeed::Nothing)
    return 1;
  bool hasOneRow = tile.getRowsOfBlock() == tile.getDimensions()[0];
  bool asksForBlock = false;
  auto visit = [&](Operation *op) {
    auto index = dyn_cast<gpu::BlockIdOp>(op);
    asksForBlock |= index && index.getDimension() == gpu::Dimension::x;
    bool isShared = llvm::any_of(op->getResultTypes(), [](Type type) {
      auto array = dyn_cast<ArrayType>(type);
      return array && array.getSpace() == Space::Shared;
    });
    bool goesFar = isa<AccessOpInterface>(op) && !hasOneRow &&
                   (isInLongLoop(op) || goesDown(op, shapes));
    return isShared || goesFar ? WalkResult::interrupt()
                               : WalkResult::advance();
  };
  if (kernel.walk(visit).wasInterrupted() || !asksForBlock)
    return 1;
  return std::clamp<int64_t>(kThreadsOfRun / tile.getBlock()[0], 1,
                             kMostBlocksOfRun);
}
