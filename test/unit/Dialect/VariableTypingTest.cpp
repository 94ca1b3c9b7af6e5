// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables hold where paths meet.

#include "Dialect/Py/Transforms/VariableTyping.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class VariableTypingTest : public InferenceTest {
protected:
  VariableTypingTest() {
    start(R"mlir(
      %a = py.get "a" : !o
      py.set "x", %a : !o
      py.set "x", %a : !o)mlir");
  }

  /// Two paths that assign values of these types to a variable meet.
  Definition *meet(llvm::StringRef left, llvm::StringRef right) {
    Environment environments[2];
    llvm::StringRef types[] = {left, right};
    for (auto [set, type, environment] :
         llvm::zip(function.getBody().getOps<SetOp>(), types, environments))
      inference->variables().define(set, name, makeTyped(parse(type)),
                                    environment);
    return inference->variables()
        .meet(function, DefinitionKind::Join,
              {&environments[0], &environments[1]})
        ->lookup(name);
  }

  StringAttr name = StringAttr::get(&context, "x");
};

TEST_F(VariableTypingTest, OneDefinitionMeetsAsItIs) {
  Environment environment;
  inference->variables().define(find<SetOp>(), name, makeTyped(parse("f32")),
                                environment);
  std::optional<Environment> met = inference->variables().meet(
      function, DefinitionKind::Join, {&environment, &environment});
  EXPECT_EQ(met->lookup(name), environment.lookup(name));
}

TEST_F(VariableTypingTest, WhatIsReadIsUnified) {
  Definition *join = meet("f32", "f64");
  EXPECT_FALSE(join->fact.type);
  (void)inference->variables().read(join, function.getLoc());
  EXPECT_TRUE(inference->getWalk().changed);
  EXPECT_EQ(meet("f32", "f64"), join);
  EXPECT_EQ(join->fact.type, parse("f64"));
}

// Two paths may leave an array and a number in a variable that nothing reads.
TEST_F(VariableTypingTest, AConflictIsAnErrorWhereItIsRead) {
  Definition *join = meet("f32", "!pyk.array<?xf32, c>");
  EXPECT_TRUE(messages.empty());
  (void)inference->variables().read(join, function.getLoc());
  meet("f32", "!pyk.array<?xf32, c>");
  EXPECT_TRUE(messages.empty());
  EXPECT_TRUE(failed(inference->variables().read(join, function.getLoc())));
  EXPECT_EQ(
      messages,
      (std::vector<std::string>{
          "cannot unify float32 and array(float32, 1d, C) for variable "
          "'x'",
          "assigned float32 here", "assigned array(float32, 1d, C) here"}));
}

} // namespace
