// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels are faster as vectors, and how many threads at a time.

#include "Plan.h"
#include "AccessVectorizer.h"
#include "Meetings.h"
#include "PlanCosts.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// Threads of a row that several blocks have together, at most: the rows that
/// a stencil reads stay in the cache.
static constexpr int64_t kThreadsOfRun = 4096;
/// Its blocks at most: their number is in the place of a thread's index.
static constexpr int64_t kMostBlocksOfRun = 512;
/// The iterations of a loop that goes through little memory, at most.
static constexpr uint64_t kShortLoop = 32;
/// Rows times strips of a tile that is not the block, at most.
static constexpr int64_t kMostInstances = 16;
/// So many ops have to save half of the time.
static constexpr double kCodeUnit = 1000;
/// Ops of a tile that has to be the block at most.
static constexpr double kMostCode = 8000;
/// How many vectors of a tile that is the block count in its code, as a guess.
static constexpr double kMostVectorsInCode = 4 * kVectorsOfPhase;

/// Cycles that one thread's load, any other op of it, and a vector's access to
/// elements here and there take; measured on a Zen 4.
static constexpr double kLoadCycles = 0.5, kOpCycles = 0.3, kGatherCycles = 26;
/// What an atomic operation takes, and one on shared memory, which only one
/// thread of the machine reaches.
static constexpr double kAtomicCycles = 8, kPlainUpdateCycles = 2;
/// How much longer a vector takes if it is computed alone and one of its
/// formulas waits for another: nothing else is there to be done meanwhile.
static constexpr double kWait = 0.5;
/// How much more often a loop runs for the thread that stays longest.
static constexpr double kDivergence = 1.5;

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

bool pyk::simd::isTold(Block &block) {
  return !block.getOps<OutsideOp>().empty();
}

DenseSet<Block *> pyk::simd::findToldBlocks(gpu::GPUFuncOp kernel) {
  DenseSet<Block *> blocks;
  kernel.walk([&](OutsideOp op) { blocks.insert(op->getBlock()); });
  return blocks;
}

bool pyk::simd::gathersInLoops(gpu::GPUFuncOp kernel,
                               const LaneShapeAnalysis &shapes,
                               unsigned lanes) {
  double threads = 0, vectors = 0;
  DenseSet<Block *> told = findToldBlocks(kernel);
  kernel.walk([&](Operation *loop) {
    if (!isLoop(loop) || !partsThreads(loop, shapes))
      return;
    loop->walk([&](Operation *op) {
      if (op == loop || op->hasTrait<OpTrait::ConstantLike>() ||
          told.contains(op->getBlock()))
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
  auto measure = [&] { return getCost(body, shapes, tile, fetchesRows); };
  // What threads do between barriers is mostly written as a loop.
  if (need == TileNeed::Block) {
    auto [rows, strips, lanes] = tile.getDimensions();
    const auto vectors = static_cast<double>(rows * strips);
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
  // A tile of one vector is accepted at any size: code that runs one thread
  // after the other is not smaller.
  tile.setSize(chosen[0], chosen[1]);
  return true;
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
