// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How threads lie in tiles, what stands for their values, and what is asked of
// masks.

#include "Dialect/Simd/Transforms/LaneMath.h"
#include "Dialect/Simd/Transforms/MachineVectors.h"
#include "Dialect/Simd/Transforms/StackBuffers.h"
#include "SimdSupport.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

/// A shape that changes by `x`, `y` and `z` along the axes.
static LaneShape makeShape(int64_t x, int64_t y = 0, int64_t z = 0) {
  LaneShape shape;
  for (auto [axis, stride] : llvm::enumerate(std::array{x, y, z}))
    shape.setStride(axis, {LaneStride::Constant, stride});
  return shape;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

TEST(TileShapeTest, LanesHoldWholeShortRows) {
  Tile tile({8, 4, 1}, 16);
  EXPECT_EQ(tile.getDimensions(), (Dimensions{2, 1, 16}));
  EXPECT_EQ(tile.getDimensions(makeShape(1)), (Dimensions{1, 1, 16}));
  EXPECT_EQ(tile.getDimensions(makeShape(0, 1)), (Dimensions{2, 1, 16}));
  EXPECT_EQ(tile.getDimensions(makeShape(0, 0, 1)), (Dimensions{1, 1, 1}));
  EXPECT_EQ(tile.getWarpLayout(), WarpLayout::InOrder);
  EXPECT_FALSE(tile.hasPartialWarp());
}

TEST(TileShapeTest, LongRowsTakeStrips) {
  Tile tile({40, 3, 2}, 16);
  EXPECT_EQ(tile.getDimensions(), (Dimensions{6, 3, 16}));
  EXPECT_EQ(tile.getDimensions(makeShape(1)), (Dimensions{1, 3, 16}));
  EXPECT_EQ(tile.getDimensions(makeShape(0, 1)), (Dimensions{6, 1, 1}));
  EXPECT_EQ(tile.getVaryingDimensions(makeShape(1)), (Dimensions{1, 1, 1}));
  EXPECT_EQ(tile.getVaryingDimensions(LaneShape::getVarying()),
            (Dimensions{6, 3, 16}));
  // Its rows end within vectors, as its warps do not.
  EXPECT_EQ(tile.getWarpLayout(), WarpLayout::None);
  Tile linear = Tile::makeLinear({40, 3, 2}, 16);
  EXPECT_EQ(linear.getDimensions(), (Dimensions{1, 15, 16}));
  EXPECT_EQ(linear.getDimensions(makeShape(0, 1)), (Dimensions{1, 15, 16}));
  EXPECT_EQ(linear.getWarpLayout(), WarpLayout::InOrder);
  EXPECT_TRUE(linear.hasPartialWarp());
}

TEST(TileShapeTest, WarpsAreWholeInSomeTiles) {
  Tile rows({64, 4, 1}, 16);
  EXPECT_EQ(rows.getWarpLayout(), WarpLayout::InRows);
  EXPECT_EQ(rows.getOfWarps({1, 1, 1}), (Dimensions{1, 4, 16}));
  rows.setSize(1, 1);
  EXPECT_FALSE(rows.hasWholeWarps());
  rows.setSize(2, 2);
  EXPECT_TRUE(rows.hasWholeWarps());
  EXPECT_FALSE(rows.isWholeBlock());
  // A warp is two rows.
  Tile lines({16, 4, 1}, 16);
  EXPECT_EQ(lines.getWarpLayout(), WarpLayout::InOrder);
  EXPECT_TRUE(lines.hasWholeWarps());
  lines.setSize(2, 1);
  EXPECT_FALSE(lines.hasWholeWarps());
  EXPECT_EQ(Tile({64, 1, 1}, 64).getWarpLayout(), WarpLayout::None);
}

TEST(TileShapeTest, RowsOfATileHaveOneZ) {
  Tile tile({32, 4, 3}, 16);
  for (int64_t rows : {1, 2, 4, 12})
    EXPECT_TRUE(tile.mayHaveRows(rows)) << rows;
  for (int64_t rows : {3, 6, 5})
    EXPECT_FALSE(tile.mayHaveRows(rows)) << rows;
  EXPECT_TRUE(Tile({32, 6, 1}, 16).mayHaveRows(3));
}

TEST(TileShapeTest, NeighboursInLanesAreNeighboursInMemory) {
  Tile rows({32, 2, 1}, 16), shared({8, 4, 1}, 16);
  EXPECT_TRUE(rows.isContiguous(makeShape(1, 100), 1));
  EXPECT_TRUE(rows.isContiguous(makeShape(4), 4));
  EXPECT_FALSE(rows.isContiguous(makeShape(4), 1));
  // Lanes go on in the next row.
  EXPECT_TRUE(shared.isContiguous(makeShape(1, 8), 1));
  EXPECT_FALSE(shared.isContiguous(makeShape(1, 100), 1));
  EXPECT_FALSE(rows.isContiguous(LaneShape::getVarying(), 1));
}

TEST(TileShapeTest, NeighboursInRowsAreNeighboursInMemory) {
  Tile tile({32, 8, 2}, 16);
  tile.setSize(8, 1);
  EXPECT_TRUE(tile.hasNeighboursInRows(makeShape(100, 1), 1));
  EXPECT_TRUE(tile.hasNeighboursInRows(makeShape(400, 4, 7), 4));
  EXPECT_FALSE(tile.hasNeighboursInRows(makeShape(100, 2), 1));
  EXPECT_FALSE(tile.hasNeighboursInRows(makeShape(100, -1), 1));
  // One row, rows of which some have another z, and lanes that hold rows.
  tile.setSize(1, 1);
  EXPECT_FALSE(tile.hasNeighboursInRows(makeShape(100, 1), 1));
  tile.setSize(16, 1);
  EXPECT_FALSE(tile.hasNeighboursInRows(makeShape(100, 1), 1));
  EXPECT_FALSE(Tile({8, 4, 1}, 16).hasNeighboursInRows(makeShape(100, 1), 1));
  EXPECT_FALSE(Tile::makeLinear({8, 4, 1}, 16)
                   .hasNeighboursInRows(makeShape(100, 1), 1));
}

TEST(TileShapeTest, RowsAreMovedTogetherInPowersOfTwo) {
  EXPECT_EQ(getRowsTogether(16, 16, 32), 16);
  EXPECT_EQ(getRowsTogether(32, 8, 32), 8);
  EXPECT_EQ(getRowsTogether(12, 16, 32), 4);
  EXPECT_EQ(getRowsTogether(6, 16, 64), 2);
  EXPECT_EQ(getRowsTogether(6, 16, 32), 0);
  EXPECT_EQ(getRowsTogether(7, 16, 64), 0);
  EXPECT_EQ(getRowsTogether(8, 16, 8), 0);
  EXPECT_EQ(getRowsTogether(16, 16, 8), 16);
  EXPECT_EQ(getRowsTogether(16, 1, 64), 0);
}

TEST(TileShapeTest, CornersAreWhereValuesEnd) {
  Tile tile({32, 2, 1}, 16);
  EXPECT_EQ(tile.getCorner(makeShape(1, 32), true), (Dimensions{1, 1, 15}));
  EXPECT_EQ(tile.getCorner(makeShape(1, 32), false), (Dimensions{0, 0, 0}));
  EXPECT_EQ(tile.getCorner(makeShape(1, -32), true), (Dimensions{0, 1, 15}));
  EXPECT_EQ(tile.getCorner(LaneShape::getVarying(), true), std::nullopt);
  LaneShape wraps = makeShape(1);
  wraps.setMayWrap();
  EXPECT_EQ(tile.getCorner(wraps, true), std::nullopt);
  // Lanes with both would have to end twice.
  Tile shared({8, 4, 1}, 16);
  EXPECT_EQ(shared.getCorner(makeShape(1, 8), true), (Dimensions{1, 0, 15}));
  EXPECT_EQ(shared.getCorner(makeShape(1, -8), true), std::nullopt);
  // The last thread, where the last vector is not whole.
  EXPECT_EQ(Tile::makeLinear({20, 1, 1}, 16).getCorner(makeShape(1), true),
            (Dimensions{0, 1, 3}));
}

TEST_F(KernelTest, PlacesOfThreadsAreConstants) {
  parseKernel("");
  Location loc = kernel.getLoc();
  Value zero =
      arith::ConstantIntOp::create(*builder, loc, builder->getI32Type(), 0);
  auto index = [&](const Tile &tile, unsigned axis) {
    return tile.makeThreadIndex(*builder, loc, axis, zero, zero);
  };
  Tile shared({8, 4, 1}, 16);
  auto y = getElements<int32_t>(index(shared, 1));
  ASSERT_EQ(y.size(), 32U);
  for (size_t lane = 0; lane < y.size(); ++lane)
    EXPECT_EQ(y[lane], static_cast<int32_t>(lane / 8));
  EXPECT_EQ(getNumber(index(shared, 2)), 0);
  auto rows = getElements<int32_t>(index(Tile({32, 2, 2}, 16), 2));
  EXPECT_EQ(rows, (SmallVector<int32_t>{0, 0, 1, 1}));
  // A part of the block begins somewhere.
  Tile part({32, 2, 1}, 16);
  part.setSize(1, 1);
  auto sum = index(part, 0).getDefiningOp<arith::AddIOp>();
  ASSERT_TRUE(sum);
  auto lanes = getElements<int32_t>(sum.getRhs());
  EXPECT_EQ(lanes, llvm::to_vector(llvm::seq<int32_t>(16)));
}

TEST_F(KernelTest, LanesBehindTheLastThreadAreOff) {
  parseKernel("");
  Location loc = kernel.getLoc();
  Value zero =
      arith::ConstantIntOp::create(*builder, loc, builder->getI32Type(), 0);
  EXPECT_FALSE(Tile({32, 1, 1}, 16).makeMask(*builder, loc, zero, zero));
  EXPECT_FALSE(Tile({8, 2, 1}, 16).makeMask(*builder, loc, zero, zero));
  Tile tile({20, 3, 1}, 16);
  auto mask = getElements<bool>(tile.makeMask(*builder, loc, zero, zero));
  ASSERT_EQ(mask.size(), 32U);
  EXPECT_EQ(llvm::count(mask, true), 20);
  EXPECT_TRUE(mask[19] && !mask[20]);
  tile.setSize(1, 1);
  Value part = tile.makeMask(*builder, loc, zero, zero);
  auto compare = part.getDefiningOp<arith::CmpIOp>();
  ASSERT_TRUE(compare);
  EXPECT_EQ(compare.getPredicate(), arith::CmpIPredicate::ult);
  EXPECT_EQ(getElements<int32_t>(compare.getRhs()).front(), 20);
}

TEST_F(KernelTest, StepsCountFromACorner) {
  Tile tile({32, 2, 1}, 16);
  DenseIntElementsAttr steps = tile.getSteps(IntegerType::get(&context, 32),
                                             makeShape(3, -5), {1, 1, 15});
  SmallVector<int32_t> all(steps.getValues<int32_t>());
  ASSERT_EQ(all.size(), 64U);
  EXPECT_EQ(all[63], 0);
  EXPECT_EQ(all[62], -3);
  EXPECT_EQ(all[0], -31 * 3 + 5);
}

TEST_F(KernelTest, StretchedConstantsAreConstants) {
  parseKernel("");
  auto type = VectorType::get({2, 1, 1}, builder->getI32Type());
  Value rows = arith::ConstantOp::create(
      *builder, kernel.getLoc(),
      DenseElementsAttr::get(type, ArrayRef<int32_t>{7, 8}));
  auto wide = getElements<int32_t>(makeStretched(*builder, rows, {2, 2, 2}));
  EXPECT_EQ(wide, (SmallVector<int32_t>{7, 7, 7, 7, 8, 8, 8, 8}));
  EXPECT_EQ(makeStretched(*builder, rows, {2, 1, 1}), rows);
  Value x = made.getArgument(2);
  auto broadcast = makeStretched(*builder, x, {1, 2, 4})
                       .getDefiningOp<vector::BroadcastOp>();
  ASSERT_TRUE(broadcast);
  EXPECT_EQ(getDimensions(broadcast.getType()), (Dimensions{1, 2, 4}));
  EXPECT_TRUE(isWithin({1, 2, 1}, {4, 2, 8}));
  EXPECT_FALSE(isWithin({2, 2, 1}, {4, 2, 8}));
}

TEST_F(KernelTest, LaneMathFoldsWhatItStretches) {
  parseKernel("");
  Location loc = kernel.getLoc();
  LaneMath math(*builder, loc);
  auto type = VectorType::get({1, 1, 4}, builder->getI32Type());
  Value lanes = arith::ConstantOp::create(
      *builder, loc, DenseElementsAttr::get(type, ArrayRef{0, 1, 2, 3}));
  Value sum = math.make<arith::AddIOp>(lanes, math.number(5));
  EXPECT_EQ(getElements<int32_t>(sum), (SmallVector<int32_t>{5, 6, 7, 8}));
  Value isLess = math.make<arith::CmpIOp>(lanes, math.number(2),
                                          arith::CmpIPredicate::slt);
  Value chosen = math.select(isLess, sum, math.number(0));
  EXPECT_EQ(getElements<int32_t>(chosen), (SmallVector<int32_t>{5, 6, 0, 0}));
  EXPECT_EQ(getElements<bool>(makeNot(*builder, isLess)),
            (SmallVector<bool>{false, false, true, true}));
}

TEST_F(KernelTest, FloatsAreLeftToTheMachine) {
  parseKernel("");
  Location loc = kernel.getLoc();
  Value half =
      arith::ConstantOp::create(*builder, loc, builder->getF32FloatAttr(0.5));
  Operation *sum = arith::AddFOp::create(*builder, loc, half, half);
  EXPECT_EQ(foldConstants(*builder, sum).front(), sum->getResult(0));
  LaneMath math(*builder, loc);
  Operation *product =
      arith::MulIOp::create(*builder, loc, math.number(3), math.number(4));
  EXPECT_EQ(getNumber(foldConstants(*builder, product).front()), 12);
}

//===----------------------------------------------------------------------===//
// Vectors of the machine
//===----------------------------------------------------------------------===//

TEST_F(KernelTest, BoolsTakeAByteInMemory) {
  parseKernel("");
  Type bit = builder->getI1Type(), byte = builder->getI8Type();
  EXPECT_EQ(getHeldType(bit), byte);
  EXPECT_EQ(getHeldType(builder->getF32Type()), builder->getF32Type());
  Value mask = makeUnknown(VectorType::get(4, bit));
  Value held = toHeld(*builder, mask);
  EXPECT_EQ(held.getType(), VectorType::get(4, byte));
  EXPECT_EQ(fromHeld(*builder, held, bit).getType(), mask.getType());
  EXPECT_EQ(makeBits(*builder, mask).getType(), builder->getIntegerType(4));
  // Nothing is to be done to others.
  EXPECT_EQ(toHeld(*builder, made.getArgument(2)), made.getArgument(2));
  EXPECT_EQ(fromHeld(*builder, made.getArgument(2), builder->getF32Type()),
            made.getArgument(2));
}

TEST_F(KernelTest, VectorsOfOneLaneAreNumbers) {
  parseKernel("");
  Value x = made.getArgument(2);
  EXPECT_EQ(makeSplat(*builder, x, 1), x);
  EXPECT_EQ(extract(*builder, x, 0), x);
  Value splat = makeSplat(*builder, x, 4);
  EXPECT_EQ(splat.getType(), VectorType::get(4, x.getType()));
  auto element =
      extract(*builder, splat, 2).getDefiningOp<LLVM::ExtractElementOp>();
  ASSERT_TRUE(element);
  EXPECT_EQ(getNumber(element.getPosition()), 2);
}

TEST_F(KernelTest, WhatRunsUnderNoConditionStandsAlone) {
  parseKernel("");
  Location loc = kernel.getLoc();
  Value x = made.getArgument(2);
  auto run = [&] { return Values{x}; };
  EXPECT_EQ(runIf(*builder, {}, loc, x, run), Values{x});
  EXPECT_TRUE(findAll<scf::IfOp>(made).empty());
  Value zero = makeZero(*builder, loc, x.getType());
  Values either = runIf(*builder, made.getArgument(3), loc, zero, run);
  auto condition = findOne<scf::IfOp>(made);
  ASSERT_TRUE(condition);
  EXPECT_EQ(either, Values{condition.getResult(0)});
  EXPECT_EQ(condition.thenYield().getOperand(0), x);
  EXPECT_EQ(condition.elseYield().getOperand(0), zero);
  (void)runIf(*builder, made.getArgument(3), loc, {}, [] { return Values(); });
  EXPECT_TRUE(isValid());
}

TEST_F(KernelTest, BuffersAreMadeOnceAtTheEntry) {
  parseKernel("");
  StackBuffers buffers(*builder);
  Type f32 = builder->getF32Type();
  runIf(*builder, made.getArgument(3), made.getLoc(), {}, [&] {
    Value buffer = buffers.get(f32, 0, 8);
    EXPECT_EQ(buffer, buffers.get(f32, 0, 8));
    EXPECT_NE(buffer, buffers.get(f32, 1, 8));
    EXPECT_NE(buffer, buffers.get(f32, 0, 4));
    EXPECT_EQ(buffer.getParentBlock(), &made.getBody().front());
    auto alloca = buffer.getDefiningOp<LLVM::AllocaOp>();
    EXPECT_EQ(getNumber(alloca.getArraySize()), 8);
    EXPECT_EQ(alloca.getElemType(), f32);
    return Values();
  });
  EXPECT_TRUE(isValid());
}

//===----------------------------------------------------------------------===//
// Values and masks
//===----------------------------------------------------------------------===//

namespace {

/// The thread, and what is computed from it.
constexpr llvm::StringLiteral kThread = R"mlir(
  %thread = gpu.thread_id x
  %i = arith.index_castui %thread : index to i64
  %inside = arith.cmpi slt, %i, %n : i64
  %same = arith.cmpi eq, %i, %n : i64)mlir";

class MasksTest : public simd::TileTest {
protected:
  /// The thread's index is a constant here, and the bound a number.
  void start(const Tile &own) {
    simd::TileTest::start(kThread, own);
    auto cast = find<arith::IndexCastUIOp>();
    index = cast.getResult();
    Value place = arith::ExtUIOp::create(
        *builder, cast.getLoc(),
        getTypeWith(index.getType(), tile.getDimensions()),
        values->get(cast.getIn()));
    values->set(index, place);
    for (auto compare : findAll<arith::CmpIOp>(kernel)) {
      Value bound = values->stretch(made.getArgument(1), tile.getDimensions());
      Value result = arith::CmpIOp::create(
          *builder, compare.getLoc(), compare.getPredicate(), place, bound);
      values->set(compare, result);
      conditions.push_back(result);
    }
  }

  /// The lane of `value`, one of a vector.
  static SmallVector<int64_t> getPlace(Value value) {
    auto extraction = value.getDefiningOp<vector::ExtractOp>();
    EXPECT_TRUE(extraction);
    return extraction ? SmallVector<int64_t>(extraction.getStaticPosition())
                      : SmallVector<int64_t>();
  }

  Value index;
  /// Whether it is inside, and whether it is the bound.
  SmallVector<Value> conditions;
};

} // namespace

TEST_F(MasksTest, ValuesHaveTheDimensionsOfTheirShapes) {
  start(Tile({32, 2, 1}, 16));
  EXPECT_EQ(values->getExpected(index), (Dimensions{1, 2, 16}));
  EXPECT_EQ(values->getExpectedType(index),
            VectorType::get({1, 2, 16}, builder->getI64Type()));
  EXPECT_TRUE(values->isUniform(kernel.getArgument(1)));
  EXPECT_EQ(values->getShapeOf(made.getArgument(1)), LaneShape());
  EXPECT_EQ(values->getShapeOf(makeUnknown(index.getType())), LaneShape());
  EXPECT_EQ(values->getShapeOf(
                makeUnknown(VectorType::get({1, 1, 2}, builder->getI32Type()))),
            LaneShape::getVarying());
  EXPECT_TRUE(values->movesWithThreads(index));
  EXPECT_FALSE(values->movesWithThreads(kernel.getArgument(1)));
}

TEST_F(MasksTest, StretchedValuesKeepTheirShapes) {
  start(Tile({32, 2, 1}, 16));
  Value own = values->get(index);
  Value wide = values->stretch(own, Dimensions{2, 2, 16});
  EXPECT_EQ(getDimensions(wide.getType()), (Dimensions{2, 2, 16}));
  EXPECT_EQ(values->getShapeOf(wide), values->getShapeOf(own));
  EXPECT_FALSE(obstacle);
  // The vectorizer cannot go on where a value is wider than was found.
  (void)values->stretch(own, Dimensions{2, 1, 1});
  EXPECT_TRUE(obstacle);
}

TEST_F(MasksTest, SelectsOfConstantsFold) {
  start(Tile({32, 1, 1}, 16));
  Location loc = made.getLoc();
  LaneMath math(*builder, loc);
  Value yes = makeConstant(*builder, true, {1, 2, 16});
  Value chosen = values->makeSelect(yes, math.number(4), math.number(5));
  auto all = getElements<int32_t>(chosen);
  EXPECT_EQ(all.size(), 32U);
  EXPECT_TRUE(llvm::all_equal(all) && all.front() == 4);
}

TEST_F(MasksTest, ScopesEndWhereTheyEnd) {
  start(Tile({32, 1, 1}, 16));
  EXPECT_FALSE(masks->get());
  EXPECT_EQ(masks->joinWith({1, 1, 1}), (Dimensions{1, 1, 1}));
  {
    Masks::Scope outer(*masks, conditions[0]);
    EXPECT_EQ(masks->get(), conditions[0]);
    EXPECT_EQ(masks->joinWith({4, 1, 1}), (Dimensions{4, 2, 16}));
    {
      Masks::Scope inner(*masks, conditions[1]);
      EXPECT_EQ(masks->get(), conditions[1]);
    }
    EXPECT_EQ(masks->get(), conditions[0]);
    // Of what all threads share no mask is needed.
    EXPECT_FALSE(masks->get({1, 1, 1}));
    EXPECT_EQ(masks->get({1, 2, 16}), conditions[0]);
    // Of a value with less dimensions: whether one is on that has it.
    EXPECT_TRUE(masks->get({1, 1, 16}).getDefiningOp<AnyOp>());
  }
  EXPECT_FALSE(masks->get());
}

TEST_F(MasksTest, WhatNobodyComputesIsNotAsked) {
  start(Tile({32, 1, 1}, 16));
  EXPECT_EQ(masks->makeAnd({}, conditions[0]), conditions[0]);
  EXPECT_EQ(masks->makeAnd(conditions[0], {}), conditions[0]);
  EXPECT_FALSE(masks->makeAnd({}, {}));
  // Not an `and`, of which one poison is enough.
  auto both = masks->makeAnd(conditions[0], conditions[1])
                  .getDefiningOp<arith::SelectOp>();
  ASSERT_TRUE(both);
  EXPECT_EQ(both.getCondition(), conditions[0]);
  EXPECT_EQ(both.getTrueValue(), conditions[1]);
}

TEST_F(MasksTest, TheFirstAndTheLastThreadAnswerForAll) {
  start(Tile({32, 1, 1}, 16));
  auto any = masks->makeAny(conditions[0]).getDefiningOp<arith::CmpIOp>();
  auto all = masks->makeAll(conditions[0]).getDefiningOp<arith::CmpIOp>();
  ASSERT_TRUE(any && all);
  EXPECT_EQ(getPlace(any.getLhs()), (SmallVector<int64_t>{0, 0, 0}));
  EXPECT_EQ(getPlace(all.getLhs()), (SmallVector<int64_t>{0, 1, 15}));
  // Of the opposite the other one does.
  auto none = masks->makeAll(makeNot(*builder, conditions[0]));
  auto negated = none.getDefiningOp<arith::XOrIOp>();
  ASSERT_TRUE(negated);
  auto compare = negated.getLhs().getDefiningOp<arith::CmpIOp>();
  ASSERT_TRUE(compare);
  EXPECT_EQ(getPlace(compare.getLhs()), (SmallVector<int64_t>{0, 0, 0}));
}

TEST_F(MasksTest, OfEqualityAllThreadsAreAsked) {
  start(Tile({32, 1, 1}, 16));
  EXPECT_TRUE(masks->makeAny(conditions[1]).getDefiningOp<AnyOp>());
  EXPECT_TRUE(masks->makeAll(conditions[1]).getDefiningOp<AllOp>());
  EXPECT_FALSE(masks->makeAny(conditions[1], /*onlyAtCorners=*/true));
  Value both = masks->makeAnd(conditions[0], conditions[1]);
  EXPECT_FALSE(masks->makeAll(both, /*onlyAtCorners=*/true));
  EXPECT_EQ(masks->makeAny(made.getArgument(3)), made.getArgument(3));
  EXPECT_EQ(
      getNumber(masks->makeAny(makeConstant(*builder, false, {1, 2, 16}))), 0);
  EXPECT_EQ(getNumber(masks->makeAll(makeConstant(*builder, true, {1, 2, 16}))),
            -1);
}

TEST_F(MasksTest, WhatMovesWithThreadsIsNotKept) {
  start(Tile({32, 1, 1}, 16));
  auto type = VectorType::get({1, 2, 16}, builder->getI64Type());
  Value next = makeUnknown(type), old = makeUnknown(type);
  // Neighbours stay neighbours.
  EXPECT_EQ(masks->keepOld(conditions[0], next, old, index), next);
  // Other values differ somehow.
  auto bits = VectorType::get({1, 2, 16}, builder->getI1Type());
  Value nextBit = makeUnknown(bits), oldBit = makeUnknown(bits);
  auto kept = masks
                  ->keepOld(conditions[0], nextBit, oldBit,
                            findAll<arith::CmpIOp>(kernel)[1].getResult())
                  .getDefiningOp<arith::SelectOp>();
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept.getTrueValue(), nextBit);
  EXPECT_EQ(kept.getFalseValue(), oldBit);
}
