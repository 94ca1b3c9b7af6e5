// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels run as vectors, and the loop over the tiles of a block. What a
// tile does, Vectorizer writes.

#include "Explain.h"
#include "LaneAxis.h"
#include "Meetings.h"
#include "Phases.h"
#include "Plan.h"
#include "Vectorizer.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"
#include "pyk/Dialect/Simd/Transforms/Remarks.h"
#include "pyk/Support/Remarks.h"

namespace pyk::simd {
#define GEN_PASS_DEF_VECTORIZEPASS
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

namespace {

struct VectorizePass : simd::impl::VectorizePassBase<VectorizePass> {
  using Base::Base;

  void runOnOperation() override {
    if (!tile.empty() && (tile.size() != 2 || tile[0] < 1 || tile[1] < 1)) {
      getOperation().emitError("expects rows and strips of a tile, as 2x4");
      return signalPassFailure();
    }
    SmallVector<gpu::GPUFuncOp> kernels;
    for (auto function : getOperation().getOps<gpu::GPUFuncOp>())
      if (function.isKernel())
        kernels.push_back(function);
    LaneShapeAnalysis shapes(getOperation());
    for (gpu::GPUFuncOp kernel : kernels) {
      Obstacle obstacle = vectorize(kernel, shapes);
      if (unsigned axis = getLaneAxis(kernel); obstacle && axis != 0) {
        // As the program has it.
        swapAxes(kernel, axis);
        obstacle = vectorize(kernel, LaneShapeAnalysis(getOperation()));
      }
      if (obstacle)
        remarkNoVectors(kernel,
                        obstacle.op ? obstacle.op->getLoc() : kernel.getLoc(),
                        obstacle.reason, obstacle.advice);
    }
  }

  Obstacle vectorize(gpu::GPUFuncOp kernel, const LaneShapeAnalysis &shapes);
};

} // namespace

/// Runs `make` for each tile of the block, or, if `isRun`, of several blocks:
/// rows go through all of them.
static void loopOverTiles(const Tile &tile, bool isRun, OpBuilder &builder,
                          Location loc,
                          llvm::function_ref<void(const TilePosition &)> make) {
  Type i32 = builder.getI32Type();
  auto makeNumber = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i32, number);
  };
  OpBuilder::InsertionGuard guard(builder);
  auto loop = [&](int64_t count, int64_t step) {
    if (count == step)
      return makeNumber(0);
    Value end = makeNumber(count);
    return beginLoop(builder, loc, makeNumber(0), end, step);
  };
  Value first, length, blockX;
  if (isRun) {
    first = arith::IndexCastUIOp::create(
        builder, loc, i32,
        gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x));
    length = RunLengthOp::create(builder, loc, i32);
  }
  Value row = loop(tile.getRowsOfBlock(), tile.getDimensions()[0]);
  if (isRun) {
    Value number = beginLoop(builder, loc, makeNumber(0), length, /*step=*/1);
    Value x = arith::AddIOp::create(builder, loc, first, number,
                                    arith::IntegerOverflowFlags::nsw |
                                        arith::IntegerOverflowFlags::nuw);
    EnterBlockOp::create(builder, loc, x);
    blockX =
        arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), x);
  }
  Value strip = loop(tile.getStripsOfBlock(), tile.getDimensions()[1]);
  make({row, strip, blockX});
}

/// Rows are rows of tiles, unless warps would be cut by their ends.
static Tile makeTile(gpu::GPUFuncOp kernel, std::array<int64_t, 3> block,
                     unsigned lanes) {
  Tile tile(block, lanes);
  if (tile.getWarpLayout() != WarpLayout::None)
    return tile;
  bool hasWarps = kernel
                      .walk([](Operation *op) {
                        return isOfWarp(op) ? WalkResult::interrupt()
                                            : WalkResult::advance();
                      })
                      .wasInterrupted();
  return hasWarps ? Tile::makeLinear(block, lanes) : tile;
}

/// Ops of a block at most: these take some 200 ms to compile.
static constexpr int64_t kMostCodeOfBlock = 16000;

Obstacle VectorizePass::vectorize(gpu::GPUFuncOp kernel,
                                  const LaneShapeAnalysis &shapes) {
  auto block = kBlockShape.get(kernel);
  if (!block)
    return "the shape of its blocks is not known";
  const unsigned lanes = getLanes(kernel, this->lanes);
  kVectorLanes.take(kernel);
  Tile shape = makeTile(kernel, {block[0], block[1], block[2]}, lanes);
  TileNeed need = TileNeed::Nothing;
  if (Obstacle obstacle = checkKernel(kernel, shape, shapes, need))
    return obstacle;
  bool gathers = !always && gathersInLoops(kernel, shapes, lanes);
  bool isExplaining = isExplained(&getContext());
  if (gathers && isExplaining)
    explainKernel(kernel, shape, shapes);
  if (gathers)
    return {"most of what its loops do is to collect elements from all over",
            "let neighbours take neighbouring elements where they can"};
  if (!always && walksThroughRows(kernel, shapes))
    return "each of its threads goes through a row of its own";
  if (tile.size() == 2) {
    shape.setSize(tile[0], tile[1]);
    if (!shape.mayHaveRows(tile[0]) || shape.getStripsOfBlock() % tile[1] ||
        (need == TileNeed::Block && !shape.isWholeBlock()) ||
        (need == TileNeed::WholeWarps && !shape.hasWholeWarps()))
      return "its blocks have no such tiles, or only one";
  } else if (!planTile(kernel, shapes, need, fetchesRows, shape)) {
    return {"a tile of its blocks would be too much code",
            "try smaller blocks"};
  }
  if (isExplaining)
    explainKernel(kernel, shape, shapes);
  Obstacle obstacle;
  Block &old = kernel.getBody().front();
  auto *body = new Block;
  kernel.getBody().push_back(body);
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  int64_t run = planRun(kernel, shapes, need, shape);
  loopOverTiles(shape, run != 1, builder, kernel.getLoc(),
                [&](const TilePosition &position) {
                  obstacle =
                      Vectorizer(shape, position, shapes, builder).run(old);
                });
  if (!obstacle && need == TileNeed::Block &&
      isMoreCode(*body, shape.getDimensions(), kMostCodeOfBlock))
    obstacle = {"a tile of its blocks would be too much code",
                "try smaller blocks"};
  if (obstacle) {
    body->dropAllReferences();
    body->erase();
    return obstacle;
  }
  builder.setInsertionPointToEnd(body);
  ReturnOp::create(builder, kernel.getLoc());
  // Arguments stay those of the first block.
  old.dropAllReferences();
  while (!old.empty())
    old.back().erase();
  old.getOperations().splice(old.end(), body->getOperations());
  body->erase();
  remarkVectors(kernel, shape);
  Dimensions size = shape.getDimensions();
  kTile.set(kernel, builder.getDenseI64ArrayAttr({size[0], size[1], size[2]}));
  if (run != 1)
    kRun.set(kernel, builder.getI64IntegerAttr(run));
  return {};
}
