// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the lowering from py that deal with arrays, records, vectors and
// iterators: which ops they make, and of which numbers.

#include "Conversion/PyToPyk/Arrays.h"
#include "Conversion/PyToPyk/ComplexNumbers.h"
#include "Conversion/PyToPyk/Iterators.h"
#include "Conversion/PyToPyk/Launches.h"
#include "Conversion/PyToPyk/NdRanges.h"
#include "Conversion/PyToPyk/Records.h"
#include "Conversion/PyToPyk/Rounding.h"
#include "Conversion/PyToPyk/Scalars.h"
#include "Conversion/PyToPyk/Vectors.h"
#include "LoweringSupport.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {
class LoweringMemoryTest : public LoweringTest {
protected:
  /// An array of `type`, which nobody has made.
  Binding array(StringRef type) {
    Type parsed = parse(type);
    unsigned position = made.getNumArguments();
    EXPECT_TRUE(succeeded(made.insertArgument(position, parsed, {}, loc)));
    return {parsed, {made.getArgument(position)}};
  }

  Binding number(int64_t value) {
    return constant("#py.int<" + std::to_string(value) + " : si64>");
  }

  /// What `value`, a float, is once all is folded.
  double foldFloat(Value value) {
    Value bits =
        arith::BitcastOp::create(*builder, loc, builder->getI64Type(), value);
    return llvm::bit_cast<double>(fold(bits));
  }

  /// The ops of one kind, in order.
  template <typename Op>
  SmallVector<Op> find() {
    SmallVector<Op> found;
    made.walk([&](Op op) { found.push_back(op); });
    return found;
  }
};
} // namespace

TEST_F(LoweringMemoryTest, NegativeIndicesCountFromTheEnd) {
  Binding a = array("!pyk.array<5x?xf32, c>");
  EXPECT_EQ(fold(getDim(*builder, a.parts[0], 0, loc)), 5);
  Value index =
      lowering->arrays().getIndex(number(-2), a.parts[0], 0, "a", loc);
  EXPECT_EQ(fold(index), 3);
  Binding most = constant("#py.int<2 : ui64>");
  EXPECT_EQ(fold(lowering->arrays().getIndex(most, a.parts[0], 0, "a", loc)),
            2);
  // Nothing was to be checked.
  EXPECT_EQ(getCheck(), "");
}

TEST_F(LoweringMemoryTest, IndicesAreCheckedInTheirDimension) {
  options.checkBounds = true;
  lowering.emplace(module->lookupSymbol<py::FuncOp>("given"), *builder,
                   options);
  Binding a = array("!pyk.array<5x?xf32, c>");
  (void)lowering->arrays().getIndex(parameter(), a.parts[0], 1, "a", loc);
  EXPECT_EQ(getCheck(),
            "index {0} is out of bounds for axis 1 of a with size {1}");
}

TEST_F(LoweringMemoryTest, AnElementIsLoadedAndARowIsAView) {
  Binding a = array("!pyk.array<4x6xf32, c>");
  Binding row = lowering->arrays().getRow(a, number(3).parts[0], loc);
  EXPECT_EQ(row.type, parse("!pyk.array<6xf32, any>"));
  auto view = row.parts[0].getDefiningOp<pyk::ViewOp>();
  ASSERT_TRUE(view);
  EXPECT_EQ(fold(view.getOperand(1)), 3);
  Binding element = lowering->arrays().getRow(row, number(2).parts[0], loc);
  EXPECT_EQ(element.type, parse("f32"));
  auto load = element.parts[0].getDefiningOp<pyk::LoadOp>();
  ASSERT_TRUE(load);
  EXPECT_EQ(load.getArray(), row.parts[0]);
  EXPECT_EQ(fold(load.getIndices()[0]), 2);
}

TEST_F(LoweringMemoryTest, StoresConvertToTheElement) {
  Binding a = array("!pyk.array<4xi8, c>");
  lowering->arrays().storeElement(number(300), a.parts[0], number(1).parts[0],
                                  parse("si8"), loc);
  auto stores = find<pyk::StoreOp>();
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_TRUE(stores[0].getValue().getType().isInteger(8));
  EXPECT_EQ(fold(stores[0].getValue()), 300 - 256);
  EXPECT_EQ(fold(stores[0].getIndices()[0]), 1);
}

TEST_F(LoweringMemoryTest, AFieldOfARecordIsThatOfItsPosition) {
  Binding records = array("!pyk.array<!pyk.record<\"x\" : f32 at 0, "
                          "\"n\" : i64 at 8, size 16>, c>");
  Binding n = lowering->records().getField(records, 1, loc);
  EXPECT_TRUE(n.parts[0].getType().isInteger(64));
  lowering->records().setField(number(7), records, 1, loc);
  auto fields = find<pyk::FieldOp>();
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].getName(), "n");
  EXPECT_EQ(fields[1].getName(), "n");
  auto stores = find<pyk::StoreOp>();
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(stores[0].getArray(), fields[1].getResult());
  EXPECT_EQ(fold(stores[0].getValue()), 7);
}

TEST_F(LoweringMemoryTest, VectorsComputeByComponent) {
  auto type = cast<ShortVectorType>(parse("!py.vector<si32, 3>"));
  Binding pair = lowering->vectors().makeVector(
      cast<ShortVectorType>(parse("!py.vector<si32, 2>")),
      {number(1), number(2)}, loc);
  // Arguments may be vectors.
  Binding a = lowering->vectors().makeVector(type, {pair, number(3)}, loc);
  ASSERT_EQ(a.parts.size(), 3U);
  Binding sum = lowering->vectors().makeVectorBinary(BinaryOperator::Mul, a,
                                                     number(10), type, loc);
  for (int64_t component : {0, 1, 2})
    EXPECT_EQ(fold(sum.parts[component]), 10 * (component + 1));
}

TEST_F(LoweringMemoryTest, ComplexNumbersComputeByParts) {
  Binding a = constant("#complex.number<:f64 1.0, 2.0>"),
          b = constant("#complex.number<:f64 3.0, -4.0>");
  Value product =
      lowering->complexNumbers().multiply(a.parts[0], b.parts[0], loc);
  EXPECT_EQ(foldFloat(getReal(*builder, product, loc)), 11.0);
  EXPECT_EQ(foldFloat(getImag(*builder, product, loc)), 2.0);
  Value difference = lowering->complexNumbers().makeComplexBinary(
      BinaryOperator::Sub, a.parts[0], b.parts[0], loc);
  EXPECT_EQ(foldFloat(getReal(*builder, difference, loc)), -2.0);
  EXPECT_EQ(foldFloat(getImag(*builder, difference, loc)), 6.0);
  Value negated = lowering->complexNumbers().negate(b.parts[0], loc);
  EXPECT_EQ(foldFloat(getImag(*builder, negated, loc)), 4.0);
  EXPECT_EQ(fold(areEqual(*builder, a.parts[0], a.parts[0], loc)), -1);
  EXPECT_EQ(fold(areEqual(*builder, a.parts[0], b.parts[0], loc)), 0);
}

TEST_F(LoweringMemoryTest, ElementsOfShapesHaveTheLastIndexFirst) {
  Binding shape{parse("!py.ndindex<2>"),
                {number(2).parts[0], number(3).parts[0]}};
  auto extents = lowering->ndRanges().getNdExtents(shape, loc);
  ASSERT_EQ(extents.size(), 2U);
  Binding index = lowering->ndRanges().getNdElement(shape, extents,
                                                    number(5).parts[0], loc);
  ASSERT_EQ(index.parts.size(), 2U);
  EXPECT_EQ(fold(index.parts[0]), 1);
  EXPECT_EQ(fold(index.parts[1]), 2);
}

TEST_F(LoweringMemoryTest, IteratorsCountWhatIsTaken) {
  Binding tuple = constant("[#py.int<5 : si64>, #py.int<7 : si64>]");
  EXPECT_FALSE(lowering->iterators().hasIterator(tuple));
  Binding iterator = lowering->iterators().makeIterator(tuple, loc);
  EXPECT_TRUE(lowering->iterators().hasIterator(iterator));
  Value taken = iterator.parts.back();
  EXPECT_TRUE(taken.getDefiningOp<pyk::AllocOp>());
  auto stores = find<pyk::StoreOp>();
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(fold(stores[0].getValue()), 0);
  (void)lowering->iterators().takeNext(iterator, loc);
  EXPECT_EQ(getCheck(), "");
  stores = find<pyk::StoreOp>();
  ASSERT_EQ(stores.size(), 2U);
  EXPECT_EQ(stores[1].getArray(), taken);
  auto sum = stores[1].getValue().getDefiningOp<arith::AddIOp>();
  ASSERT_TRUE(sum);
  EXPECT_EQ(fold(sum.getRhs()), 1);
  int64_t checks = find<pyk::CheckOp>().size();
  EXPECT_EQ(checks, 1);
}

TEST_F(LoweringMemoryTest, LaunchesHaveThreeExtents) {
  Binding shape = constant("[[#py.int<4 : si64>, #py.int<2 : si64>], "
                           "#py.int<32 : si64>, #py.int<0 : si64>, "
                           "#py.int<256 : si64>]");
  Binding configured = configureKernel(
      *lowering,
      cast<ConfiguredKernelType>(parse("!py.configured_kernel<@given>")), shape,
      loc);
  ASSERT_EQ(configured.parts.size(), 8U);
  constexpr int64_t expected[] = {4, 2, 1, 32, 1, 1, 0, 256};
  for (auto [part, value] : llvm::zip(configured.parts, expected))
    EXPECT_EQ(fold(part), value);
}

TEST_F(LoweringMemoryTest, RoundingIsToEven) {
  auto round = [&](StringRef value, int64_t digits) {
    return foldFloat(makeRounded(*lowering, constant(value), number(digits),
                                 parse("f64"), loc));
  };
  EXPECT_EQ(round("2.5 : f64", 0), 2.0);
  EXPECT_EQ(round("1250.0 : f64", -2), 1200.0);
}
