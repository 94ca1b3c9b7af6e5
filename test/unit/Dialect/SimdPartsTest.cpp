// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How tiles are split into parts, and what parts have of constants, positions
// and memory; exits that become arms.

#include "Dialect/Simd/Transforms/Phases.h"
#include "Dialect/Simd/Transforms/Structurer.h"
#include "SimdSupport.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

namespace {

class SimdPartsTest : public KernelTest {
protected:
  DenseElementsAttr makeElements(Dimensions size,
                                 llvm::function_ref<int64_t(Dimensions)> at) {
    SmallVector<int64_t> elements;
    for (int64_t row = 0; row < size[0]; ++row)
      for (int64_t strip = 0; strip < size[1]; ++strip)
        for (int64_t lane = 0; lane < size[2]; ++lane)
          elements.push_back(at({row, strip, lane}));
    return DenseElementsAttr::get(
        VectorType::get(size, IntegerType::get(&context, 64)),
        ArrayRef(elements));
  }

  Split split = {{4, 2, 8}, 2, 1};
};

} // namespace

TEST_F(SimdPartsTest, PartsHaveTheDimensionsThatAreDivided) {
  EXPECT_EQ(split.countRowParts(), 2);
  EXPECT_EQ(split.countStripParts(), 2);
  EXPECT_EQ(split.narrow(Dimensions{4, 1, 8}), (Dimensions{2, 1, 8}));
  Type f32 = Float32Type::get(&context);
  EXPECT_EQ(split.narrow(VectorType::get({1, 2, 8}, f32)),
            VectorType::get({1, 1, 8}, f32));
  EXPECT_EQ(split.narrow(f32), f32);
  EXPECT_TRUE(split.isDivided(VectorType::get({4, 2, 8}, f32)));
  // Parts in a row share what rows have.
  EXPECT_FALSE(split.isDivided(VectorType::get({4, 1, 8}, f32)));
  EXPECT_FALSE(split.isDivided(f32));
}

TEST_F(SimdPartsTest, ConstantsGrowFromPartToPart) {
  auto parts = divide(makeElements({4, 2, 8},
                                   [](Dimensions at) {
                                     return 100 * at[0] + 8 * at[1] + at[2];
                                   }),
                      split);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->rowStep, 200);
  EXPECT_EQ(parts->stripStep, 8);
  EXPECT_EQ(getDimensions(parts->first.getType()), (Dimensions{2, 1, 8}));
  SmallVector<int64_t> first(parts->first.getValues<int64_t>());
  EXPECT_EQ(first[8], 100);
  // Not by a step, or of another tile.
  EXPECT_FALSE(divide(
      makeElements({4, 2, 8}, [](Dimensions at) { return at[0] * at[0]; }),
      split));
  EXPECT_FALSE(divide(
      makeElements({3, 2, 8}, [](Dimensions at) { return at[0]; }), split));
  auto same =
      divide(makeElements({4, 2, 8}, [](Dimensions) { return 7; }), split);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->rowStep, 0);
}

TEST_F(SimdPartsTest, EndsStayEnds) {
  EXPECT_EQ(narrowPosition({0, 0, 5}, {4, 2, 8}, split),
            (SmallVector<int64_t>{0, 0, 5}));
  EXPECT_EQ(narrowPosition({3, 1, 7}, {4, 2, 8}, split),
            (SmallVector<int64_t>{1, 0, 7}));
  EXPECT_EQ(narrowPosition({1, 0, 0}, {4, 2, 8}, split), std::nullopt);
  EXPECT_EQ(narrowPosition({0}, {4, 2, 8}, split), std::nullopt);
}

TEST_F(SimdPartsTest, OnlyPositionsOfPartsAreDivided) {
  parseKernel(R"mlir(
    %v = ub.poison : vector<4x2x8xi64>
    %one = vector.extract %v[0, 0, 0] : i64 from vector<4x2x8xi64>
    %part = vector.extract %v[3, 1, 7] {simd.of_parts}
        : i64 from vector<4x2x8xi64>)mlir");
  auto extractions = findAll<vector::ExtractOp>(kernel);
  EXPECT_FALSE(canDividePositions(extractions[0], split));
  EXPECT_TRUE(canDividePositions(extractions[1], split));
  EXPECT_TRUE(canDivide(extractions[1], split));
}

TEST_F(SimdPartsTest, MasksTakeBytes) {
  parseKernel(R"mlir(
    %m = ub.poison : vector<1x1x8xi1>
    %v = ub.poison : vector<1x1x8xf32>)mlir");
  auto values = findAll<ub::PoisonOp>(kernel);
  EXPECT_EQ(getTypeInMemory(values[0]),
            VectorType::get({1, 1, 8}, builder->getI8Type()));
  EXPECT_EQ(countBytes({values[0], values[1]}), 8 + 32);
}

TEST_F(SimdPartsTest, ScratchHoldsThePartsInTheirPlaces) {
  parseKernel("");
  auto type = VectorType::get({4, 2, 8}, builder->getF32Type());
  Scratch scratch(type, split, made);
  EXPECT_EQ(findOne<AllocOp>(made).getType().getNumElements(), 64);
  scratch.store(*builder, makeUnknown(type));
  Value second = makeI64(*builder, made.getLoc(), 1),
        first = makeI64(*builder, made.getLoc(), 0);
  Value own = scratch.load(*builder, made.getLoc(), {second, first});
  EXPECT_EQ(own.getType(), split.narrow(type));
  auto load = own.getDefiningOp<simd::LoadOp>();
  ASSERT_TRUE(load);
  auto sum = load.getOffset().getDefiningOp<arith::AddIOp>();
  ASSERT_TRUE(sum);
  // Two rows before, of 2 strips of 8.
  auto start = sum.getLhs().getDefiningOp<vector::BroadcastOp>();
  ASSERT_TRUE(start);
  EXPECT_EQ(getNumber(start.getSource()), 32);
  EXPECT_EQ(getElements<int64_t>(sum.getRhs())[8], 16);
  EXPECT_TRUE(isValid());
}

TEST_F(SimdPartsTest, PartsRunOneAfterTheOther) {
  parseKernel("");
  Location loc = made.getLoc();
  Value zero = makeI64(*builder, loc, 0);
  SmallVector<Value> last = forEachPart(
      *builder, loc, split, zero, [&](const Part &part, ValueRange before) {
        return SmallVector<Value>{
            arith::AddIOp::create(*builder, loc, before[0], part.strip)};
      });
  auto loops = findAll<scf::ForOp>(made);
  ASSERT_EQ(loops.size(), 2U);
  for (scf::ForOp loop : loops) {
    EXPECT_TRUE(loop->hasAttr(kPartsAttrName));
    EXPECT_EQ(getNumber(loop.getUpperBound()), 2);
  }
  EXPECT_TRUE(last[0].getDefiningOp<scf::ForOp>());
  EXPECT_TRUE(isValid());
}

TEST_F(SimdPartsTest, OpsAreWrittenForAPart) {
  parseKernel(R"mlir(
    %v = ub.poison : vector<4x2x8xi64>
    %d = arith.constant dense<3> : vector<4x2x8xi64>
    %sum = arith.addi %v, %d : vector<4x2x8xi64>)mlir");
  PartWriter writer(*builder, split);
  Value zero = makeI64(*builder, made.getLoc(), 0);
  writer.begin({zero, zero});
  auto value = find<ub::PoisonOp>();
  auto sum = find<arith::AddIOp>();
  Value own = makeUnknown(split.narrow(value.getType()));
  writer.map(value, own);
  EXPECT_TRUE(writer.has(value));
  writer.clone(sum);
  auto copy = writer.lookup(sum).getDefiningOp<arith::AddIOp>();
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy.getLhs(), own);
  EXPECT_EQ(getElements<int64_t>(copy.getRhs()).size(), 16U);
  writer.begin({zero, zero});
  EXPECT_FALSE(writer.has(value));
}

TEST_F(SimdPartsTest, LoopsTakeWhatIsBeforeThem) {
  parseKernel(R"mlir(
    %v = ub.poison : vector<1x1x8xf32>
    %w = ub.poison : vector<1x1x8xf32>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = scf.for %i = %zero to %n step %one iter_args(%s = %w)
        -> vector<1x1x8xf32> : i64 {
      %t = arith.addf %s, %v : vector<1x1x8xf32>
      scf.yield %t : vector<1x1x8xf32>
    })mlir");
  auto loop = find<scf::ForOp>();
  EXPECT_EQ(getTaken(loop),
            (SmallVector<Value>{findAll<ub::PoisonOp>(kernel)[0]}));
  EXPECT_EQ(countScratchBytes(loop), 2 * 32);
  // All of it is in registers.
  EXPECT_FALSE(chooseSplit(loop, {1, 1, 8}));
}

TEST_F(SimdPartsTest, ShortPhasesAreNone) {
  parseKernel(R"mlir(
    %v = ub.poison : vector<4x2x8xf32>
    %s = arith.addf %v, %v : vector<4x2x8xf32>)mlir");
  Dimensions tile = {4, 2, 8};
  PhasePlan plan(getBody(), split);
  EXPECT_TRUE(plan.getPhases().empty());
  EXPECT_FALSE(plan.isInPhase(find<arith::AddFOp>()));
  EXPECT_TRUE(plan.getKept().empty());
  EXPECT_FALSE(isMoreCode(getBody(), tile, 100));
  EXPECT_TRUE(isMoreCode(getBody(), tile, 4));
  // Parts are of a row, or whole rows.
  Split part = choosePart({16, 8, 16}, 0);
  EXPECT_TRUE(part.rows == 1 || part.strips == 8);
  EXPECT_LE(part.rows * part.strips, kVectorsOfPhase);
  // Rows that change places with lanes are in one part, if they divide the
  // tile.
  for (int64_t together : {0, 4, 8, 16}) {
    part = choosePart({16, 2, 16}, together);
    EXPECT_EQ(part.rows, together == 0 ? 2 : together);
    EXPECT_EQ(part.strips, 2);
    EXPECT_EQ(choosePart({6, 1, 16}, together).rows, 3);
    EXPECT_EQ(choosePart({16, 8, 16}, together).rows, 1);
  }
}

TEST_F(SimdPartsTest, WhatIsBehindAnExitIsInTheOtherArm) {
  parseKernel(R"mlir(
    pyk.if %c {
      pyk.return
    }
    %sum = arith.addi %n, %n : i64)mlir");
  made.getBody().front().getTerminator()->erase();
  builder->setInsertionPointToEnd(&made.getBody().front());
  Structurer(*builder).run(getBody());
  EXPECT_TRUE(findAll<pyk::IfOp>(made).empty());
  auto choice = findOne<scf::IfOp>(made);
  ASSERT_TRUE(choice);
  auto sum = findOne<arith::AddIOp>(made);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->getParentRegion(), &choice.getElseRegion());
  // One for all.
  EXPECT_EQ(findOne<pyk::ReturnOp>(made)->getParentOp(), made);
}
