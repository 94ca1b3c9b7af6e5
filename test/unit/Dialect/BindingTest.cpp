// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which argument of a call goes to which parameter.

#include "Dialect/Py/Transforms/Binding.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class BindingTest : public InferenceTest {
protected:
  /// Binds the arguments of `f(a, by=b)` to parameters with `names`.
  FailureOr<Bound> bind(ArrayRef<llvm::StringRef> names) {
    start(R"mlir(
      %f = py.get "f" : !o
      %a = py.get "a" : !o
      %b = py.get "b" : !o
      %x = py.call %f(%a, %b) keywords ["by"] : (!o, !o, !o) -> !o)mlir");
    call = find<CallOp>();
    Fact arguments[] = {makeTyped(parse("f32")), makeTyped(parse("si64"))};
    return bindArguments(call, "f", names, arguments, 0, std::nullopt);
  }

  CallOp call;
};

TEST_F(BindingTest, KeywordsGoToTheParametersOfTheirNames) {
  FailureOr<Bound> bound = bind({"x", "y", "by"});
  ASSERT_TRUE(succeeded(bound));
  EXPECT_EQ(bound->values[0], call.getInputs()[0]);
  EXPECT_FALSE(bound->values[1]);
  EXPECT_EQ(bound->values[2], call.getInputs()[1]);
  EXPECT_EQ(bound->facts[2].type, parse("si64"));
}

TEST_F(BindingTest, AKeywordMustBeAParameter) {
  EXPECT_TRUE(failed(bind({"x", "bya"})));
  EXPECT_EQ(messages, (std::vector<std::string>{"'f' has no parameter 'by'",
                                                "did you mean 'bya'?"}));
}

TEST_F(BindingTest, AParameterHasOneValue) {
  EXPECT_TRUE(failed(bind({"by"})));
  EXPECT_EQ(messages,
            std::vector<std::string>{"'f' is given two values for 'by'"});
}

} // namespace
