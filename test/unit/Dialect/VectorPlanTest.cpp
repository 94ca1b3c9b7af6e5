// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels run as vectors, in which tiles, and what is said of them.

#include "Dialect/Simd/Transforms/CheckKernel.h"
#include "Dialect/Simd/Transforms/Explain.h"
#include "Dialect/Simd/Transforms/Meetings.h"
#include "Dialect/Simd/Transforms/Plan.h"
#include "SimdSupport.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h"
#include "pyk/Support/Remarks.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

namespace {

class VectorPlanTest : public KernelTest {
protected:
  /// A kernel of `body`, behind the thread's index `%i`, an array `%a` and
  /// some numbers.
  void start(StringRef body) {
    parseKernel((R"mlir(
      %a = pyk.from_pointer %p extents(%n)
          : !llvm.ptr<1> to !pyk.array<?xf32, c>
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %all = arith.constant -1 : i32
      %thread = gpu.thread_id x
      %i = arith.index_castui %thread : index to i64
      %same = arith.cmpi eq, %i, %n : i64
      )mlir" + body)
                    .str());
    shapes.emplace(*module);
  }

  /// Why vectors cannot run a kernel of `body`.
  std::string check(StringRef body, const Tile &tile = Tile({64, 1, 1}, 16)) {
    start(body);
    need = TileNeed::Nothing;
    return checkKernel(kernel, tile, *shapes, need).reason;
  }

  /// What is said of the kernel by `explain`.
  std::vector<std::string> listen(llvm::function_ref<void()> explain) {
    SourceText sources;
    RemarkCollector remarks(&context, kCpuRemarks, sources);
    explain();
    return remarks.getTexts();
  }

  TileNeed need = TileNeed::Nothing;
  std::optional<LaneShapeAnalysis> shapes;
};

/// A loop that each thread leaves when it likes, with an element at `%o`.
std::string makeOwnLoop(StringRef offset) {
  return ("scf.for %k = %zero to %i step %one : i64 {\n %o = " + offset +
          R"mlir( : i64
      %e = pyk.element %a + %o : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    })mlir")
      .str();
}

} // namespace

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

TEST_F(VectorPlanTest, OpsOfWarpsNameTheirLanes) {
  start(R"mlir(
    %half = arith.constant 65535 : i32
    %v = pyk.shuffle index %x, %all mask %half : f32
    pyk.warp_barrier
    %lanes = pyk.active_mask
    pyk.barrier)mlir");
  auto shuffle = find<pyk::ShuffleOp>();
  EXPECT_TRUE(isOfWarp(shuffle) && isMeetingOfWarp(shuffle));
  EXPECT_EQ(getLanesOfMeeting(shuffle), shuffle.getMask());
  EXPECT_FALSE(isWholeWarp(shuffle.getMask()));
  EXPECT_TRUE(isWholeWarp(shuffle.getOffset()));
  EXPECT_TRUE(isWholeWarp(getLanesOfMeeting(find<WarpBarrierOp>())));
  EXPECT_FALSE(isWholeWarp(kernel.getArgument(4)));
  auto active = find<ActiveMaskOp>();
  EXPECT_TRUE(isOfWarp(active));
  EXPECT_FALSE(isMeetingOfWarp(active));
  EXPECT_FALSE(isOfWarp(find<BarrierOp>()));
  EXPECT_TRUE(hasMeeting(find<BarrierOp>()));
  EXPECT_FALSE(hasMeeting(active));
}

TEST_F(VectorPlanTest, LanesThatMeetOnceAreAlone) {
  start(R"mlir(
    %half = arith.constant 65535 : i32
    %rest = arith.constant -65536 : i32
    pyk.warp_barrier mask %half
    pyk.warp_barrier mask %rest
    pyk.warp_barrier mask %rest)mlir");
  auto barriers = findAll<WarpBarrierOp>(kernel);
  EXPECT_TRUE(isOnlyOneOfItsLanes(barriers[0]));
  EXPECT_FALSE(isOnlyOneOfItsLanes(barriers[1]));
}

TEST_F(VectorPlanTest, WhoLeavesForGoodIsNotWaitedFor) {
  start(R"mlir(
    scf.if %same {
      pyk.barrier
    }
    scf.if %same {
      pyk.barrier
    }
    scf.if %c {
      pyk.barrier
    })mlir");
  auto barriers = findAll<BarrierOp>(kernel);
  EXPECT_TRUE(partsThreads(barriers[0]->getParentOp(), *shapes));
  EXPECT_FALSE(partsThreads(barriers[2]->getParentOp(), *shapes));
  EXPECT_FALSE(isMissedForGood(barriers[0]));
  EXPECT_FALSE(isMetByAll(barriers[0], *shapes));
  EXPECT_TRUE(isMissedForGood(barriers[2]));
  EXPECT_TRUE(isMetByAll(barriers[2], *shapes));
  start("scf.if %same {\n pyk.barrier\n }");
  EXPECT_TRUE(isMetByAll(find<BarrierOp>(), *shapes));
}

TEST_F(VectorPlanTest, LanesFoundInsideWaitForNoOther) {
  start(R"mlir(
    %found = pyk.ballot %same mask %all
    scf.if %same {
      pyk.warp_barrier mask %found
      %here = pyk.active_mask
      pyk.warp_barrier mask %here
      pyk.warp_barrier mask %all
    } else {
      pyk.warp_barrier mask %found
    })mlir");
  auto barriers = findAll<WarpBarrierOp>(kernel);
  EXPECT_TRUE(isWaitingForNoOther(barriers[0], barriers[0]));
  EXPECT_TRUE(isWaitingForNoOther(barriers[1], barriers[1]));
  EXPECT_FALSE(isWaitingForNoOther(barriers[2], barriers[2]));
  EXPECT_FALSE(isWaitingForNoOther(barriers[3], barriers[3]));
}

//===----------------------------------------------------------------------===//
// Which kernels
//===----------------------------------------------------------------------===//

TEST_F(VectorPlanTest, TilesMustHoldThoseThatMeet) {
  EXPECT_EQ(check(""), "");
  EXPECT_EQ(need, TileNeed::Nothing);
  EXPECT_EQ(check("pyk.warp_barrier"), "");
  EXPECT_EQ(need, TileNeed::WholeWarps);
  EXPECT_EQ(check("pyk.barrier"), "");
  EXPECT_EQ(need, TileNeed::Block);
  // Where some lanes may be missing, the places of all are to be known.
  EXPECT_EQ(check(R"mlir(
    scf.if %same {
      pyk.warp_barrier
    }
    pyk.warp_barrier)mlir"),
            "");
  EXPECT_EQ(need, TileNeed::Block);
  EXPECT_EQ(check("", Tile::makeLinear({40, 3, 1}, 16)), "");
  EXPECT_EQ(need, TileNeed::Block);
}

TEST_F(VectorPlanTest, SomeKernelsDoNotRunAsVectors) {
  EXPECT_EQ(check("pyk.print \"done\\0A\""), "it prints");
  EXPECT_EQ(check("pyk.spin_hint"), "its threads wait for each other's stores");
  EXPECT_EQ(check("scf.if %same {\n pyk.barrier\n }\n pyk.barrier"),
            "not all threads of a block meet at this barrier");
  EXPECT_EQ(check("pyk.warp_barrier", Tile({40, 3, 1}, 16)),
            "its warps are not whole vectors");
  EXPECT_EQ(check(R"mlir(
    %l = pyk.alloc : !pyk.array<4000xf32, c, local>
    %e = pyk.element %l + %i : !pyk.array<4000xf32, c, local>
    pyk.store %x, %e[] : !pyk.array<f32, c, local>)mlir"),
            "its local arrays are too large");
  EXPECT_EQ(check(R"mlir(
    %b = pyk.from_pointer %p extents(%i)
        : !llvm.ptr<1> to !pyk.array<?xf32, c>)mlir"),
            "threads choose different arrays");
}

TEST_F(VectorPlanTest, ObstaclesSayWhereTheyAre) {
  start("pyk.spin_hint");
  Obstacle obstacle = checkKernel(kernel, Tile({64, 1, 1}, 16), *shapes, need);
  EXPECT_EQ(obstacle.op, &*std::prev(getBody().end(), 2));
  EXPECT_NE(obstacle.advice, "");
  EXPECT_FALSE(Obstacle());
}

//===----------------------------------------------------------------------===//
// Which tiles
//===----------------------------------------------------------------------===//

TEST_F(VectorPlanTest, ElementsFromAllOverAreNoGain) {
  start(makeOwnLoop("arith.muli %k, %i"));
  EXPECT_TRUE(gathersInLoops(kernel, *shapes, 16));
  start(makeOwnLoop("arith.addi %k, %i"));
  EXPECT_FALSE(gathersInLoops(kernel, *shapes, 16));
}

TEST_F(VectorPlanTest, RowsOfTheirOwnAreWalkedByThreads) {
  constexpr llvm::StringLiteral loop = R"mlir(
    %row = arith.muli %i, %n : i64
    scf.for %k = %zero to %n step %one : i64 {
      %o = arith.addi %row, %k : i64
      %e = pyk.element %a + %o : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    })mlir";
  start(loop);
  EXPECT_TRUE(walksThroughRows(kernel, *shapes));
  start(R"mlir(
    scf.for %k = %zero to %n step %one : i64 {
      %row = arith.muli %k, %n : i64
      %o = arith.addi %row, %i : i64
      %e = pyk.element %a + %o : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    })mlir");
  EXPECT_FALSE(walksThroughRows(kernel, *shapes));
}

TEST_F(VectorPlanTest, TilesAreAsLargeAsTheyMustBe) {
  start("pyk.warp_barrier");
  Tile tile({64, 4, 1}, 16);
  ASSERT_TRUE(planTile(kernel, *shapes, TileNeed::WholeWarps,
                       /*fetchesRows=*/false, tile));
  EXPECT_TRUE(tile.hasWholeWarps());
  EXPECT_EQ(tile.getStripsOfBlock() % tile.getDimensions()[1], 0);
  Tile whole({64, 4, 1}, 16);
  ASSERT_TRUE(planTile(kernel, *shapes, TileNeed::Block,
                       /*fetchesRows=*/false, whole));
  EXPECT_TRUE(whole.isWholeBlock());
}

TEST_F(VectorPlanTest, BlocksRunTogetherWhereNothingIsShared) {
  constexpr llvm::StringLiteral kAsk = R"mlir(
    %block = gpu.block_id x)mlir";
  Tile tile({32, 1, 1}, 16);
  start(kAsk);
  EXPECT_EQ(planRun(kernel, *shapes, TileNeed::Nothing, tile), 4096 / 32);
  EXPECT_EQ(planRun(kernel, *shapes, TileNeed::Block, tile), 1);
  EXPECT_EQ(planRun(kernel, *shapes, TileNeed::Nothing, Tile({2, 1, 1}, 2)),
            512);
  start("");
  EXPECT_EQ(planRun(kernel, *shapes, TileNeed::Nothing, tile), 1);
  start((kAsk + "\n%s = pyk.alloc : !pyk.array<4xf32, c, shared>").str());
  EXPECT_EQ(planRun(kernel, *shapes, TileNeed::Nothing, tile), 1);
}

TEST_F(VectorPlanTest, WhatIsToldOfWrongAccessesIsNoWork) {
  start(R"mlir(
    scf.if %same {
      pyk.outside "reads a[{0}]" at "a.py" : 7 thread %all(%n)
    }
    pyk.warp_barrier)mlir");
  Block *told = find<scf::IfOp>().thenBlock();
  EXPECT_TRUE(isTold(*told));
  EXPECT_FALSE(isTold(*find<WarpBarrierOp>()->getBlock()));
  EXPECT_EQ(findToldBlocks(kernel), DenseSet<Block *>{told});
}

//===----------------------------------------------------------------------===//
// What is said
//===----------------------------------------------------------------------===//

TEST_F(VectorPlanTest, RemarksSayHowLargeATileIs) {
  start("");
  Tile tile({64, 4, 1}, 16);
  auto texts = listen([&] { remarkVectors(kernel, tile); });
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_NE(texts[0].find("kernel 'kernel' runs blocks of 64 x 4 x 1 threads "
                          "as vectors of 16, a whole block at a time"),
            std::string::npos)
      << texts[0];
  tile.setSize(1, 2);
  texts = listen([&] { remarkVectors(kernel, tile); });
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_NE(texts[0].find("2 of 16 at a time"), std::string::npos) << texts[0];
}

TEST_F(VectorPlanTest, RemarksNameWhatIsDoneOneByOne) {
  auto explain = [&](StringRef body) {
    start(body);
    auto texts =
        listen([&] { explainKernel(kernel, Tile({64, 1, 1}, 16), *shapes); });
    return llvm::join(texts, "\n");
  };
  EXPECT_EQ(explain(R"mlir(
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>)mlir"),
            "");
  EXPECT_NE(explain(R"mlir(
    %far = arith.muli %i, %n : i64
    %e = pyk.element %a + %far : !pyk.array<?xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>)mlir")
                .find("vectors collect the elements one by one"),
            std::string::npos);
  EXPECT_EQ(explain("%q = arith.divui %i, %n : i64"), "");
  EXPECT_NE(explain(R"mlir(
    %real = arith.uitofp %i : i64 to f32
    %part = pyk.libdevice "saturate"(%real) : (f32) -> f32)mlir")
                .find("has no form for vectors"),
            std::string::npos);
}
