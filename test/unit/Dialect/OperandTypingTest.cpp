// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands, as the operations take them.

#include "Dialect/Py/Transforms/OperandTyping.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class OperandTypingTest : public InferenceTest {
protected:
  /// `-x` of an `x` of that type.
  UnaryOp negate(llvm::StringRef type) {
    start(R"mlir(
      %x = py.get "x" : !o
      %y = py.unary minus %x : (!o) -> !o)mlir");
    auto op = find<UnaryOp>();
    inference->record(op.getOperand(), makeTyped(parse(type)));
    return op;
  }
};

TEST_F(OperandTypingTest, PlainValuesAreTakenAsTheyAre) {
  UnaryOp op = negate("f32");
  Fact fact = inference->operands().getPlain(op.getOperandMutable());
  EXPECT_EQ(fact.type, parse("f32"));
  EXPECT_TRUE(op.getOperand().getDefiningOp<GetOp>());
}

TEST_F(OperandTypingTest, OptionalsAreUnwrapped) {
  UnaryOp op = negate("!py.optional<f32>");
  Fact fact = inference->operands().getPlain(op.getOperandMutable());
  EXPECT_EQ(fact.type, parse("f32"));
  EXPECT_TRUE(op.getOperand().getDefiningOp<UnwrapOp>());
}

// The second time there is nothing left to do.
TEST_F(OperandTypingTest, OptionalsAreUnwrappedOnce) {
  UnaryOp op = negate("!py.optional<f32>");
  inference->operands().getPlain(op.getOperandMutable());
  inference->operands().getPlain(op.getOperandMutable());
  EXPECT_EQ(llvm::range_size(function.getBody().getOps<UnwrapOp>()), 1);
}

TEST_F(OperandTypingTest, ArraysWithoutDimensionsAreTheirElement) {
  UnaryOp op = negate("!pyk.array<f32, c>");
  Fact fact = inference->operands().getNumber(op.getOperandMutable());
  EXPECT_EQ(fact.type, parse("f32"));
  EXPECT_TRUE(op.getOperand().getDefiningOp<SubscriptOp>());
}

} // namespace
