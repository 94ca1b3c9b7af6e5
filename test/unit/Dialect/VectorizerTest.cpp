// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the vectorizer, each on one op: what it writes for the threads
// of a tile, and what it needs to know of masks.

#include "Dialect/Simd/Transforms/Vectorizer.h"
#include "SimdSupport.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not those of pyk.
using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;
using SimdBallotOp = pyk::simd::BallotOp;
using SimdShuffleOp = pyk::simd::ShuffleOp;

namespace {

class VectorizerTest : public TileTest {
protected:
  /// A kernel of `body`, behind the thread's index `%i`, an array `%a` and
  /// the number 1; what stands there has been written.
  void start(StringRef body, const Tile &own = Tile({32, 1, 1}, 16)) {
    TileTest::start((R"mlir(
      %a = pyk.from_pointer %p extents(%n)
          : !llvm.ptr<1> to !pyk.array<?xf32, c>
      %one = arith.constant 1 : i64
      %thread = gpu.thread_id x
      %i = arith.index_castui %thread : index to i64
      %same = arith.cmpi eq, %i, %n : i64
      )mlir" + body)
                        .str(),
                    own);
    ops.emplace(*values, *masks, *builder);
    walk.emplace(tile, position, *shapes, *builder);
    index = find<arith::IndexCastUIOp>().getResult();
    same = findAll<arith::CmpIOp>(kernel).front().getResult();
    for (Operation &op : getBody()) {
      if (!isa<gpu::ThreadIdOp>(op))
        ops->visit(&op);
      if (op.getNumResults() == 1 && op.getResult(0) == same)
        break;
    }
  }

  /// Writes the ops before `end`, none of which accesses memory.
  void writeBefore(Operation *end) {
    for (Operation *op = same.getDefiningOp()->getNextNode(); op != end;
         op = op->getNextNode())
      ops->visit(op);
  }

  Value index, same;
  std::optional<OpVectorizer> ops;
  std::optional<Vectorizer> walk;
};

} // namespace

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

TEST_F(VectorizerTest, PlacesAreConstantsAndWhatAllShareIsDoneOnce) {
  start("%sum = arith.addi %n, %one : i64");
  EXPECT_EQ(getElements<int64_t>(values->get(index)),
            llvm::to_vector(llvm::seq<int64_t>(32)));
  auto sum = find<arith::AddIOp>();
  ops->visit(sum);
  auto own = findOne<arith::AddIOp>(made);
  ASSERT_TRUE(own);
  EXPECT_EQ(own.getLhs(), made.getArgument(1));
  EXPECT_EQ(values->get(sum), own.getResult());
}

TEST_F(VectorizerTest, ConditionsOnNumbersHoldOnlyForThoseThatAreOn) {
  start("%sum = arith.addi %i, %n overflow<nsw> : i64");
  auto sum = find<arith::AddIOp>();
  ops->visit(sum);
  EXPECT_TRUE(findOne<arith::AddIOp>(made).hasNoSignedWrap());
  Masks::Scope scope(*masks, values->get(same));
  ops->visit(sum);
  auto both = findAll<arith::AddIOp>(made);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_FALSE(both[1].hasNoSignedWrap());
  EXPECT_EQ(getDimensions(both[1].getType()), (Dimensions{1, 2, 16}));
}

TEST_F(VectorizerTest, WhatHasNoVectorsGoesThroughTheThreads) {
  start(R"mlir(
    %real = arith.uitofp %i : i64 to f32
    %part = pyk.libdevice "saturate"(%real) : (f32) -> f32
    %again = arith.addf %part, %part : f32)mlir");
  auto real = find<arith::UIToFPOp>();
  auto part = find<LibdeviceOp>();
  Masks::Scope scope(*masks, values->get(same));
  ops->visit(real);
  ops->visit(part);
  auto serial = findOne<SerialOp>(made);
  ASSERT_TRUE(serial);
  // It cannot fail, so inactive lanes compute it, too.
  EXPECT_FALSE(serial.getMask());
  ASSERT_EQ(serial.getInputs().size(), 1U);
  EXPECT_EQ(serial.getInputs()[0], values->get(real));
  EXPECT_EQ(values->get(part.getResult(0)), serial.getResult(0));
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, DivisionsOfVectorsCannotTrap) {
  start(R"mlir(
    %quotient = arith.divui %i, %n : i64
    %again = arith.addi %quotient, %one : i64)mlir");
  auto quotient = find<arith::DivUIOp>();
  Masks::Scope scope(*masks, values->get(same));
  ops->visit(quotient);
  EXPECT_TRUE(findAll<SerialOp>(made).empty());
  auto wide = findOne<arith::DivUIOp>(made);
  ASSERT_TRUE(wide);
  EXPECT_EQ(getDimensions(wide.getType()), (Dimensions{1, 2, 16}));
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, WhatNobodyUsesIsNotWritten) {
  start("%quotient = arith.divui %i, %n : i64");
  ops->visit(find<arith::DivUIOp>());
  EXPECT_TRUE(findAll<SerialOp>(made).empty());
}

TEST_F(VectorizerTest, ProcessorsHaveVectorsForSomeOps) {
  start(R"mlir(
    %root = math.sqrt %x : f32
    %quotient = arith.divui %i, %n : i64
    %part = pyk.libdevice "saturate"(%x) : (f32) -> f32)mlir");
  EXPECT_TRUE(hasVectorForm(find<math::SqrtOp>()));
  EXPECT_TRUE(hasVectorForm(find<arith::DivUIOp>()));
  EXPECT_FALSE(hasVectorForm(find<LibdeviceOp>()));
  EXPECT_FALSE(hasVectorForm(find<gpu::ThreadIdOp>()));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_F(VectorizerTest, NeighboursAreLoadedAtOnce) {
  start(R"mlir(
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    %v = pyk.load %e[] : !pyk.array<f32, c>)mlir");
  AccessVectorizer accesses(*values, *masks, *ops, *builder);
  accesses.visit(find<pyk::LoadOp>());
  auto load = findOne<SimdLoadOp>(made);
  ASSERT_TRUE(load);
  EXPECT_TRUE(load.getContiguous());
  EXPECT_FALSE(load.getMask());
  EXPECT_EQ(load.getOffset(), values->get(index));
  EXPECT_EQ(values->get(find<pyk::LoadOp>()), load.getResult());
  Masks::Scope scope(*masks, values->get(same));
  accesses.visit(find<pyk::LoadOp>());
  EXPECT_EQ(findAll<SimdLoadOp>(made)[1].getMask(), values->get(same));
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, AddressesAreAnArrayAndAnOffset) {
  start(R"mlir(
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    %shared = pyk.element %a + %n : !pyk.array<?xf32, c>
    %l = pyk.alloc : !pyk.array<4xf32, c, local>
    %m = pyk.element %l + %i : !pyk.array<4xf32, c, local>)mlir");
  auto elements = findAll<ElementOp>(kernel);
  auto own = findAddress(elements[0], *shapes);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->array, elements[0].getArray());
  EXPECT_EQ(own->offset, index);
  EXPECT_FALSE(own->isLocal);
  auto shared = findAddress(elements[1], *shapes);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->array, elements[1].getResult());
  EXPECT_FALSE(shared->offset);
  auto local = findAddress(elements[2], *shapes);
  ASSERT_TRUE(local);
  EXPECT_TRUE(local->isLocal);
  EXPECT_EQ(getLocalArray(elements[2]), find<AllocOp>());
  EXPECT_FALSE(getLocalArray(elements[0]));
}

TEST_F(VectorizerTest, ElementsFarApartAreNotContiguous) {
  start(R"mlir(
    %two = arith.constant 2 : i64
    %far = arith.muli %i, %two : i64
    %e = pyk.element %a + %far : !pyk.array<?xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>)mlir");
  writeBefore(find<ElementOp>());
  AccessVectorizer accesses(*values, *masks, *ops, *builder);
  accesses.visit(find<pyk::StoreOp>());
  auto store = findOne<SimdStoreOp>(made);
  ASSERT_TRUE(store);
  EXPECT_FALSE(store.getContiguous());
  EXPECT_EQ(getElements<int64_t>(store.getOffset())[31], 62);
  EXPECT_TRUE(isValid());
}

// The last one counts.
TEST_F(VectorizerTest, ThreadsStoreToOneElementInTurn) {
  start(R"mlir(
    %f = arith.uitofp %i : i64 to f32
    %e = pyk.element %a + %n : !pyk.array<?xf32, c>
    pyk.store %f, %e[] : !pyk.array<f32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>)mlir");
  writeBefore(find<ElementOp>());
  AccessVectorizer accesses(*values, *masks, *ops, *builder);
  accesses.visit(find<ElementOp>());
  auto stores = findAll<pyk::StoreOp>(kernel);
  accesses.visit(stores[0]);
  auto serial = findOne<SerialOp>(made);
  ASSERT_TRUE(serial);
  EXPECT_EQ(findOne<pyk::StoreOp>(serial).getValue(),
            serial.getBody().getArgument(0));
  // What all store is stored once.
  accesses.visit(stores[1]);
  auto all = findAll<pyk::StoreOp>(made);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1]->getParentOp(), made);
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, LocalArraysHaveRoomForAllThreads) {
  start(R"mlir(
    %l = pyk.alloc : !pyk.array<4xf32, c, local>
    %e = pyk.element %l + %one : !pyk.array<4xf32, c, local>
    %v = pyk.load %e[] : !pyk.array<f32, c, local>)mlir");
  AccessVectorizer accesses(*values, *masks, *ops, *builder);
  accesses.visitLocalArray(find<AllocOp>());
  EXPECT_EQ(findOne<AllocOp>(made).getType().getNumElements(), 4 * 32);
  accesses.visit(find<pyk::LoadOp>());
  auto load = findOne<SimdLoadOp>(made);
  ASSERT_TRUE(load);
  EXPECT_TRUE(load.getContiguous());
  // Elements of one index lie side by side.
  auto sum = load.getOffset().getDefiningOp<arith::AddIOp>();
  ASSERT_TRUE(sum);
  EXPECT_EQ(getElements<int64_t>(sum.getRhs()),
            llvm::to_vector(llvm::seq<int64_t>(32)));
  EXPECT_TRUE(isValid());
}

//===----------------------------------------------------------------------===//
// Threads together
//===----------------------------------------------------------------------===//

TEST_F(VectorizerTest, VotesOfBarriersAreQuestionsAboutMasks) {
  start(R"mlir(
    %any = pyk.barrier vote any %same -> i32
    %count = pyk.barrier vote count %same -> i32
    %all = pyk.barrier vote all %same -> i32)mlir");
  BarrierVectorizer barriers(*values, *masks, *builder);
  for (BarrierOp op : findAll<BarrierOp>(kernel))
    barriers.visit(op);
  EXPECT_EQ(findAll<AnyOp>(made).size() + findAll<AllOp>(made).size(), 2U);
  auto count = findOne<CountOp>(made);
  ASSERT_TRUE(count);
  EXPECT_EQ(count.getMask(), values->get(same));
  // Before and behind each, where threads meet.
  EXPECT_EQ(findAll<BarrierOp>(made).size(), 6U);
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, OnlyWholeBlocksKeepTheirMeetings) {
  start("", Tile({64, 1, 1}, 16));
  keepMeeting(tile, *builder, made.getLoc());
  EXPECT_EQ(findAll<BarrierOp>(made).size(), 1U);
  Tile part = tile;
  part.setSize(1, 2);
  keepMeeting(part, *builder, made.getLoc());
  EXPECT_EQ(findAll<BarrierOp>(made).size(), 1U);
}

TEST_F(VectorizerTest, WarpsSeeWhatTheirLanesHave) {
  start("", Tile({64, 1, 1}, 16));
  WarpLanes lanes(*values, *masks, *builder);
  auto lane = getElements<int32_t>(lanes.makeLane(made.getLoc()));
  ASSERT_EQ(lane.size(), 64U);
  EXPECT_TRUE(lane[31] == 31 && lane[32] == 0);
  Value condition = made.getArgument(3), varying = values->get(same);
  EXPECT_TRUE(lanes.isOne(condition));
  EXPECT_FALSE(lanes.isOne(varying));
  // All lanes say the same.
  EXPECT_TRUE(lanes.makeBallot(condition).getDefiningOp<arith::ExtSIOp>());
  auto ballot = lanes.makeBallot(varying).getDefiningOp<SimdBallotOp>();
  ASSERT_TRUE(ballot);
  EXPECT_EQ(ballot.getPredicate(), varying);
  EXPECT_EQ(getNumber(lanes.makePresent({})), -1);
  Masks::Scope scope(*masks, varying);
  EXPECT_FALSE(lanes.isOne(condition));
  auto spread = lanes.spread(condition).getDefiningOp<arith::SelectOp>();
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread.getCondition(), varying);
  EXPECT_TRUE(lanes.makePresent({}).getDefiningOp<SimdBallotOp>());
}

TEST_F(VectorizerTest, LanesThatTheLastWarpLacksAreNotOn) {
  start("", Tile({40, 1, 1}, 16));
  WarpLanes lanes(*values, *masks, *builder);
  EXPECT_FALSE(lanes.isOne(made.getArgument(3)));
}

TEST_F(VectorizerTest, ShufflesTakeLanesThatAreConstants) {
  start(R"mlir(
    %by = arith.constant 1 : i32
    %all = arith.constant -1 : i32
    %f = arith.uitofp %i : i64 to f32
    %shared = pyk.shuffle xor %x, %by mask %all : f32
    %other = pyk.shuffle xor %f, %by mask %all : f32
    %up = pyk.shuffle up %f, %by mask %all : f32)mlir");
  auto shuffles = findAll<pyk::ShuffleOp>(kernel);
  writeBefore(shuffles[0]);
  WarpVectorizer warps(*values, *masks, position, *builder, obstacle);
  for (pyk::ShuffleOp op : shuffles)
    warps.visit(op);
  EXPECT_EQ(values->get(shuffles[0]), made.getArgument(2));
  auto own = findAll<SimdShuffleOp>(made);
  ASSERT_EQ(own.size(), 2U);
  auto swapped = getElements<int32_t>(own[0].getSource());
  EXPECT_EQ(ArrayRef(swapped).take_front(4), (ArrayRef<int32_t>{1, 0, 3, 2}));
  // The first lane has none before it.
  auto before = getElements<int32_t>(own[1].getSource());
  EXPECT_EQ(ArrayRef(before).take_front(4), (ArrayRef<int32_t>{0, 0, 1, 2}));
  EXPECT_FALSE(obstacle);
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, LanesOutsideOfTheirMaskAreFound) {
  start(R"mlir(
    %half = arith.constant 65535 : i32
    %all = arith.constant -1 : i32
    pyk.warp_barrier mask %all
    pyk.warp_barrier mask %half)mlir");
  auto barriers = findAll<WarpBarrierOp>(kernel);
  writeBefore(barriers[0]);
  WarpVectorizer warps(*values, *masks, position, *builder, obstacle);
  warps.visit(barriers[0]);
  EXPECT_TRUE(findAll<SerialOp>(made).empty());
  warps.visit(barriers[1]);
  auto serial = findOne<SerialOp>(made);
  ASSERT_TRUE(serial);
  auto stray = getElements<bool>(serial.getMask());
  EXPECT_EQ(llvm::count(stray, true), 16);
  EXPECT_TRUE(!stray[15] && stray[16]);
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, LanesOfAWarpMustComeTogether) {
  start(R"mlir(
    %all = arith.constant -1 : i32
    scf.if %same {
      pyk.warp_barrier mask %all
    }
    pyk.warp_barrier mask %all)mlir");
  auto barriers = findAll<WarpBarrierOp>(kernel);
  writeBefore(barriers[0]->getParentOp());
  WarpVectorizer warps(*values, *masks, position, *builder, obstacle);
  warps.visit(barriers[1]);
  EXPECT_FALSE(obstacle);
  warps.visit(barriers[0]);
  EXPECT_EQ(obstacle.reason, "not all lanes of its warps come here together");
  EXPECT_EQ(obstacle.op, barriers[0]);
}

TEST_F(VectorizerTest, MasksOfLanesAreConstants) {
  start(R"mlir(
    %less = pyk.lane_mask lt
    %greater = pyk.lane_mask gt)mlir");
  WarpVectorizer warps(*values, *masks, position, *builder, obstacle);
  auto read = [&](LaneMaskOp op) {
    warps.visit(op);
    return getElements<int32_t>(values->get(op));
  };
  auto ops = findAll<LaneMaskOp>(kernel);
  auto less = read(ops[0]), greater = read(ops[1]);
  EXPECT_EQ(less[0], 0);
  EXPECT_EQ(less[5], 31);
  EXPECT_EQ(greater[31], 0);
  EXPECT_EQ(greater[30], INT32_MIN);
}

TEST_F(VectorizerTest, ValuesMatchThoseOfAllLanes) {
  start(R"mlir(
    %all = arith.constant -1 : i32
    %one_value = pyk.match_any %n mask %all : i64
    %values = pyk.match_any %i mask %all : i64)mlir");
  auto matches = findAll<MatchAnyOp>(kernel);
  writeBefore(matches[0]);
  WarpLanes lanes(*values, *masks, *builder);
  MatchVectorizer match(*values, lanes, *builder);
  match.visit(matches[0]);
  EXPECT_EQ(getNumber(values->get(matches[0])), -1);
  EXPECT_TRUE(findAll<SimdShuffleOp>(made).empty());
  match.visit(matches[1]);
  EXPECT_EQ(findAll<SimdShuffleOp>(made).size(), 32U);
  EXPECT_TRUE(isValid());
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

TEST_F(VectorizerTest, CheapArmsAreSelected) {
  start(R"mlir(
    %zero = arith.constant 0.0 : f32
    %v = scf.if %same -> f32 {
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    })mlir");
  auto condition = find<scf::IfOp>();
  writeBefore(condition);
  ConditionVectorizer conditions(*walk, *values, *masks, position,
                                 /*isEdge=*/false, *builder, obstacle);
  conditions.visit(condition);
  auto select = findOne<arith::SelectOp>(made);
  ASSERT_TRUE(select);
  EXPECT_EQ(select.getCondition(), values->get(same));
  EXPECT_EQ(values->get(condition.getResult(0)), select.getResult());
  EXPECT_TRUE(findAll<scf::IfOp>(made).empty());
}

TEST_F(VectorizerTest, WhatAllDecideAlikeStays) {
  start("scf.if %c {\n}");
  ConditionVectorizer conditions(*walk, *values, *masks, position,
                                 /*isEdge=*/false, *builder, obstacle);
  conditions.visit(find<scf::IfOp>());
  auto own = findOne<scf::IfOp>(made);
  ASSERT_TRUE(own);
  EXPECT_EQ(own.getCondition(), made.getArgument(3));
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, IterationsOfAllThreadsNeedNoMask) {
  start(R"mlir(
    %threads = arith.constant 32 : i64
    %few = arith.constant 16 : i64
    scf.for %k = %i to %n step %threads : i64 {
    }
    scf.for %k = %i to %n step %few : i64 {
    }
    scf.for %k = %one to %n step %few : i64 {
    })mlir");
  auto loops = findAll<scf::ForOp>(kernel);
  writeBefore(loops[0]);
  IterationVectorizer iterations(*walk, *values, *masks, *builder);
  SmallVector<Value> carried;
  RemainingIterations rest = iterations.visitWhole(loops[0], carried);
  EXPECT_TRUE(rest.isLastIteration);
  ASSERT_TRUE(rest.active && rest.counter);
  EXPECT_EQ(getDimensions(rest.active.getType()), (Dimensions{1, 2, 16}));
  EXPECT_EQ(findAll<scf::ForOp>(made).size(), 1U);
  iterations.visitLast(loops[0], rest, carried);
  EXPECT_EQ(findAll<scf::IfOp>(made).size(), 1U);
  // Another step does not take each thread beyond all others.
  EXPECT_FALSE(iterations.visitWhole(loops[1], carried).isLastIteration);
  // Where they begin together, or not all are on, there are no such.
  EXPECT_FALSE(iterations.visitWhole(loops[2], carried).active);
  Masks::Scope scope(*masks, values->get(same));
  EXPECT_FALSE(iterations.visitWhole(loops[0], carried).active);
  EXPECT_EQ(findAll<scf::ForOp>(made).size(), 2U);
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, LoopsGoOnWhileAnyThreadDoes) {
  start(R"mlir(
    scf.for %k = %one to %n step %one : i64 {
    }
    scf.for %k = %one to %i step %one : i64 {
    })mlir");
  auto loops = findAll<scf::ForOp>(kernel);
  ForVectorizer counted(*walk, *values, *masks, *builder);
  counted.visit(loops[0]);
  auto own = findOne<scf::ForOp>(made);
  ASSERT_TRUE(own);
  EXPECT_EQ(own.getUpperBound(), made.getArgument(1));
  counted.visit(loops[1]);
  auto loop = findOne<scf::WhileOp>(made);
  ASSERT_TRUE(loop);
  // The counter, which all share, and who is on.
  ASSERT_EQ(loop.getInits().size(), 2U);
  EXPECT_TRUE(isScalar(getDimensions(loop.getInits()[0].getType())));
  EXPECT_EQ(getDimensions(loop.getInits()[1].getType()),
            (Dimensions{1, 2, 16}));
  auto some = loop.getConditionOp().getCondition().getDefiningOp<AnyOp>();
  ASSERT_TRUE(some);
  EXPECT_EQ(some.getMask(), loop.getBeforeArguments()[1]);
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, QuestionsOfLoopsAreAskedOfThoseThatAreOn) {
  start(R"mlir(
    scf.while : () -> () {
      scf.condition(%c)
    } do {
      scf.yield
    }
    scf.while : () -> () {
      scf.condition(%same)
    } do {
      scf.yield
    })mlir");
  auto loops = findAll<scf::WhileOp>(kernel);
  WhileVectorizer whiles(*walk, *values, *masks, *builder);
  whiles.visit(loops[0]);
  auto own = findOne<scf::WhileOp>(made);
  ASSERT_TRUE(own);
  EXPECT_TRUE(own.getInits().empty());
  EXPECT_EQ(own.getConditionOp().getCondition(), made.getArgument(3));
  whiles.visit(loops[1]);
  scf::WhileOp masked = findAll<scf::WhileOp>(made)[1];
  ASSERT_EQ(masked.getInits().size(), 1U);
  auto all = getElements<bool>(masked.getInits()[0]);
  EXPECT_TRUE(llvm::all_equal(all) && all.front());
  EXPECT_TRUE(masked.getConditionOp().getCondition().getDefiningOp<AnyOp>());
  EXPECT_TRUE(isValid());
}

TEST_F(VectorizerTest, AKernelIsWrittenForItsTile) {
  start(R"mlir(
    scf.if %same {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    })mlir");
  EXPECT_FALSE(walk->run(getBody()));
  auto store = findOne<SimdStoreOp>(made);
  ASSERT_TRUE(store);
  EXPECT_TRUE(store.getMask());
  auto some = dyn_cast<scf::IfOp>(store->getParentOp());
  ASSERT_TRUE(some);
  EXPECT_TRUE(some.getCondition().getDefiningOp<AnyOp>());
}

// That block has lanes without a thread.
TEST_F(VectorizerTest, LanesWithoutAThreadAreOff) {
  start(R"mlir(
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>)mlir",
        Tile({20, 1, 1}, 16));
  EXPECT_FALSE(walk->run(getBody()));
  auto store = findOne<SimdStoreOp>(made);
  ASSERT_TRUE(store);
  EXPECT_EQ(llvm::count(getElements<bool>(store.getMask()), true), 20);
}
