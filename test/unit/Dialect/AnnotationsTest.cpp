// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inference writes into the IR besides the types of values.

#include "Dialect/Py/Transforms/Annotations.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class AnnotationsTest : public InferenceTest {
protected:
  void write(Operation *op) {
    annotations.write(op, Branches(function, {}, Typing::Numba));
  }

  Annotations annotations;
};

constexpr llvm::StringLiteral kSubscript = R"mlir(
  %t = py.get "t" : !o
  %x = py.subscript %t[%t] : (!o, !o) -> !o)mlir";

TEST_F(AnnotationsTest, APositionThatIsNoLongerKnownIsNotWritten) {
  start(kSubscript);
  auto op = find<SubscriptOp>();
  annotations.setPosition(op, 1);
  write(op);
  EXPECT_EQ(op.getPosition(), 1);
  annotations.setPosition(op, std::nullopt);
  write(op);
  EXPECT_FALSE(op.getPosition());
}

// A slice of a tuple may take none of its items.
TEST_F(AnnotationsTest, AnEmptySelectionIsWritten) {
  start(kSubscript);
  auto op = find<SubscriptOp>();
  annotations.setSelection(op, {});
  write(op);
  ASSERT_TRUE(op.getSelectionAttr());
  EXPECT_TRUE(op.getSelectionAttr().empty());
}

TEST_F(AnnotationsTest, ACallGetsItsTargetAndItsSignature) {
  start(R"mlir(
    %f = py.get "f" : !o
    %x = py.call %f() : (!o) -> !o)mlir");
  auto op = find<CallOp>();
  auto signature = FunctionType::get(&context, {}, {parse("f32")});
  annotations.setTarget(op, function);
  annotations.setSignature(op, signature);
  write(op);
  EXPECT_EQ(op.getTarget(), "f");
  EXPECT_EQ(op.getSignature(), signature);
  EXPECT_FALSE(op.getAlignmentAttr());
}

} // namespace
