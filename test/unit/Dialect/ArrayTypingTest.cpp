// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of arrays, as an index selects them.

#include "Dialect/Py/Transforms/ArrayTyping.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class ArrayTypingTest : public InferenceTest {
protected:
  /// What an index of the type `index` selects of an array of the type `array`;
  /// null after an error.
  Type select(llvm::StringRef array, llvm::StringRef index) {
    start(R"mlir(
      %a = py.get "a" : !o
      %i = py.get "i" : !o
      %x = py.subscript %a[%i] : (!o, !o) -> !o)mlir");
    auto op = find<SubscriptOp>();
    inference->record(op.getIndex(), makeTyped(parse(index)));
    return inference->arrays()
        .getSelected(op, op.getIndex(), cast<ArrayType>(parse(array)))
        .value_or(Type());
  }
};

TEST_F(ArrayTypingTest, AnIntegerSelectsAnElement) {
  EXPECT_EQ(select("!pyk.array<?xf32, c>", "si64"), parse("f32"));
}

TEST_F(ArrayTypingTest, AnIntegerSelectsARow) {
  EXPECT_EQ(select("!pyk.array<?x?xf32, c>", "si64"),
            parse("!pyk.array<?xf32, c>"));
}

TEST_F(ArrayTypingTest, AnArrayHasNoMoreIndicesThanDimensions) {
  EXPECT_FALSE(select("!pyk.array<?xf32, c>", "tuple<si64, si64>"));
  EXPECT_EQ(messages, std::vector<std::string>{
                          "expects at most 1 index for array(float32,"
                          " 1d, C) but got 2"});
}

} // namespace
