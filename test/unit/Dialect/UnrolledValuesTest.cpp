// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for compact vectors once they are unrolled, and which of their
// elements are computed as numbers.

#include "Dialect/Simd/Transforms/UnrolledValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

namespace {

class UnrolledValuesTest : public testing::Test {
protected:
  UnrolledValuesTest() : builder(&context), values(builder) {
    context.loadDialect<arith::ArithDialect, LLVM::LLVMDialect, ub::UBDialect,
                        vector::VectorDialect>();
    builder.setInsertionPointToEnd(&block);
    wide = vector::BroadcastOp::create(builder, loc, compact, number());
    numbers = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(compact, ArrayRef<int64_t>({0, 1, 2, 3, 4, 5})));
    other = ub::PoisonOp::create(builder, loc, compact);
    for (Value value : {wide, numbers, other})
      set(value);
  }

  /// What all threads have alike.
  Value number() {
    Value made = ub::PoisonOp::create(builder, loc, builder.getI64Type());
    values.map(made, made);
    return made;
  }

  /// Lets two vectors of the machine stand for `value`.
  void set(Value value) {
    auto machine = VectorType::get(3, builder.getI64Type());
    Value first = ub::PoisonOp::create(builder, loc, machine);
    Value second = ub::PoisonOp::create(builder, loc, machine);
    values.set(value, {first, second});
  }

  Value add(Value a, Value b) {
    Value sum = arith::AddIOp::create(builder, loc, a, b);
    set(sum);
    return sum;
  }

  MLIRContext context;
  Block block;
  OpBuilder builder;
  Location loc = UnknownLoc::get(&context);
  VectorType compact =
      VectorType::get({1, 2, 3}, IntegerType::get(&context, 64));
  UnrolledValues values;
  /// From a number, of constants, and of which nothing is known.
  Value wide, numbers, other;
};

} // namespace

TEST_F(UnrolledValuesTest, InstancesAreThoseOfAllRowsIfThereIsOne) {
  EXPECT_EQ(values.getInstance(other, 0, 1), values.get(other)[1]);
  EXPECT_EQ(values.getInstance(other, 5, 1), values.get(other)[1]);
}

TEST_F(UnrolledValuesTest, ElementsOfSumsOfNumbersAreNumbers) {
  Value element = values.getElement(add(wide, numbers), {0, 1, 2});
  auto sum = element.getDefiningOp<arith::AddIOp>();
  ASSERT_TRUE(sum);
  EXPECT_TRUE(sum.getType().isInteger(64));
  EXPECT_TRUE(sum.getLhs().getDefiningOp<ub::PoisonOp>());
  APInt constant;
  ASSERT_TRUE(matchPattern(sum.getRhs(), m_ConstantInt(&constant)));
  EXPECT_EQ(constant, 5);
}

TEST_F(UnrolledValuesTest, OtherElementsAreTakenFromInstances) {
  auto element = values.getElement(other, {0, 1, 2})
                     .getDefiningOp<LLVM::ExtractElementOp>();
  ASSERT_TRUE(element);
  EXPECT_EQ(element.getVector(), values.get(other)[1]);
}

TEST_F(UnrolledValuesTest, ElementsAreMadeOnce) {
  Value sum = add(wide, other);
  EXPECT_EQ(values.getElement(sum, {0, 0, 1}),
            values.getElement(sum, {0, 0, 1}));
  EXPECT_NE(values.getElement(sum, {0, 0, 1}),
            values.getElement(sum, {0, 0, 2}));
}

TEST_F(UnrolledValuesTest, ElementsAreComputedNotFarBack) {
  Value sum = wide;
  for (int i = 0; i < 20; ++i)
    sum = add(sum, other);
  values.getElement(sum, {0, 0, 0});
  auto isNumber = [](Operation &op) {
    return isa<arith::AddIOp>(op) && op.getResult(0).getType().isInteger(64);
  };
  EXPECT_LT(llvm::count_if(block, isNumber), 20);
}
