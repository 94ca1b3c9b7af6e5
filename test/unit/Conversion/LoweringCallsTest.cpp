// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls and closures in the lowering from py: what each parameter gets, and
// what a nested function carries with it.

#include "Conversion/PyToPyk/Calls.h"
#include "Conversion/PyToPyk/Scalars.h"
#include "Conversion/PyToPyk/Statements.h"
#include "Conversion/PyToPyk/Variables.h"
#include "LoweringSupport.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

/// Functions to call.
constexpr llvm::StringLiteral kFunctions = R"mlir(
  py.func @add(["x", "by"]) defaults [unit, #py.int<7 : si64>]
      arguments [si64, si32] returns f64 {
  }
  py.func @rest(["first", "others"]) variadic
      arguments [si64, tuple<si32, si64>] returns none {
  }
  py.func @inner(["v", "by", "m"]) captures 1
      arguments [si64, si64, si32] returns si64 {
  }
  py.func @library.pair(["a"]) arguments [tuple<si32, si64>] returns si64
      library {
  })mlir";

class LoweringCallsTest : public LoweringTest {
protected:
  /// Lowers `body` up to its only call, which is left; `n` is 3, and `m` 5.
  py::CallOp enterCall(StringRef body) {
    enter(body, kFunctions);
    Variables &variables = lowering->variables();
    variables.set(builder->getStringAttr("n"), constant("#py.int<3 : si64>"));
    variables.set(builder->getStringAttr("m"), constant("#py.int<5 : si64>"));
    auto call = find<py::CallOp>();
    for (Operation &op : source.getBody().front()) {
      if (&op == call)
        break;
      lowering->statements().lower(op);
    }
    return call;
  }

  /// The calls that were written.
  SmallVector<pyk::CallOp> getCalls() {
    SmallVector<pyk::CallOp> calls;
    made.walk([&](pyk::CallOp call) { calls.push_back(call); });
    return calls;
  }

  /// What a call is given, if these are numbers that are known.
  SmallVector<int64_t> getGiven(pyk::CallOp call) {
    return llvm::map_to_vector(call->getOperands(),
                               [&](Value value) { return fold(value); });
  }
};

TEST_F(LoweringCallsTest, WhatIsLeftOutHasItsDefault) {
  py::CallOp call = enterCall(R"mlir(
    %f = py.constant(@add) : !py.static<@add>
    %n = py.get "n" : si64
    %r = py.call %f(%n) target @add : (!py.static<@add>, si64) -> f32)mlir");
  Binding result = lowering->calls().evaluate(call);
  auto calls = getCalls();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].getCallee(), "add");
  EXPECT_EQ(getGiven(calls[0]), (SmallVector<int64_t>{3, 7}));
  EXPECT_TRUE(calls[0]->getOperand(1).getType().isInteger(32));
  // In the type of the call.
  EXPECT_EQ(result.type, parse("f32"));
  auto narrowed = result.parts[0].getDefiningOp<arith::TruncFOp>();
  ASSERT_TRUE(narrowed);
  EXPECT_EQ(narrowed.getIn(), calls[0]->getResult(0));
}

TEST_F(LoweringCallsTest, KeywordsComeInTheOrderOfParameters) {
  py::CallOp call = enterCall(R"mlir(
    %f = py.constant(@add) : !py.static<@add>
    %n = py.get "n" : si64
    %m = py.get "m" : si64
    %r = py.call %f(%m, %n) keywords ["by", "x"] target @add
        : (!py.static<@add>, si64, si64) -> f64)mlir");
  (void)lowering->calls().evaluate(call);
  EXPECT_EQ(getGiven(getCalls()[0]), (SmallVector<int64_t>{3, 5}));
}

TEST_F(LoweringCallsTest, VariadicFunctionsGetTheRest) {
  py::CallOp call = enterCall(R"mlir(
    %f = py.constant(@rest) : !py.static<@rest>
    %n = py.get "n" : si64
    %m = py.get "m" : si64
    %r = py.call %f(%n, %m, %n) target @rest
        : (!py.static<@rest>, si64, si64, si64) -> none)mlir");
  Binding result = lowering->calls().evaluate(call);
  EXPECT_TRUE(result.parts.empty());
  pyk::CallOp own = getCalls()[0];
  EXPECT_EQ(getGiven(own), (SmallVector<int64_t>{3, 5, 3}));
  EXPECT_TRUE(own->getOperand(1).getType().isInteger(32));
}

TEST_F(LoweringCallsTest, FunctionsOfTheLibraryAreCalledForOtherOps) {
  enter("", kFunctions);
  Binding pair = constant("[#py.int<1 : si64>, #py.int<2 : si64>]");
  Binding result = lowering->calls().callLibrary(
      FlatSymbolRefAttr::get(&context, "library.pair"), pair, loc);
  EXPECT_EQ(result.type, parse("si64"));
  pyk::CallOp own = getCalls()[0];
  EXPECT_EQ(own.getCallee(), "library.pair");
  EXPECT_EQ(getGiven(own), (SmallVector<int64_t>{1, 2}));
  EXPECT_TRUE(own->getOperand(0).getType().isInteger(32));
}

TEST_F(LoweringCallsTest, TypesConvertWhatTheyAreCalledWith) {
  py::CallOp call = enterCall(R"mlir(
    %f = py.constant(i1) : !py.static<i1>
    %n = py.get "n" : si64
    %r = py.call %f(%n) : (!py.static<i1>, si64) -> si64)mlir");
  Binding result = lowering->calls().evaluate(call);
  EXPECT_EQ(result.type, parse("si64"));
  EXPECT_EQ(fold(result), 1);
  EXPECT_TRUE(getCalls().empty());
}

TEST_F(LoweringCallsTest, NamedTuplesHaveTheirDefaults) {
  py::CallOp call = enterCall(R"mlir(
    %f = py.constant(#py.named_tuple_class<"m.P", ["x", "y", "z"],
                     [unit, #py.int<8 : si64>, #py.int<9 : si64>]>)
        : !py.static<#py.named_tuple_class<"m.P", ["x", "y", "z"],
                     [unit, #py.int<8 : si64>, #py.int<9 : si64>]>>
    %n = py.get "n" : si64
    %m = py.get "m" : si64
    %r = py.call %f(%m, %n) keywords ["z"]
        : (!py.static<#py.named_tuple_class<"m.P", ["x", "y", "z"],
           [unit, #py.int<8 : si64>, #py.int<9 : si64>]>>, si64, si64)
        -> !py.named_tuple<"m.P", ["x", "y", "z"], tuple<si64, si64, si64>>
  )mlir");
  Binding result = lowering->calls().evaluate(call);
  ASSERT_EQ(result.parts.size(), 3U);
  constexpr int64_t expected[] = {5, 8, 3};
  for (auto [part, value] : llvm::zip(result.parts, expected))
    EXPECT_EQ(fold(part), value);
}

//===----------------------------------------------------------------------===//
// Closures
//===----------------------------------------------------------------------===//

constexpr llvm::StringLiteral kNested = R"mlir(
  %n = py.get "n" : si64
  %f = py.closure @inner(%n)
      : (si64) -> !py.closure<@inner, tuple<si64>, ["m"]>
  %r = py.call %f(%n) target @inner
      : (!py.closure<@inner, tuple<si64>, ["m"]>, si64) -> si64)mlir";

TEST_F(LoweringCallsTest, ClosuresCarryTheirDefaults) {
  (void)enterCall(kNested);
  auto closure = find<ClosureOp>();
  Binding carried = lowering->calls().evaluate(closure);
  EXPECT_EQ(carried.type, closure.getType());
  EXPECT_EQ(fold(carried), 3);
}

TEST_F(LoweringCallsTest, CapturedVariablesAreReadWhereTheCallIs) {
  py::CallOp call = enterCall(kNested);
  lowering->variables().set(builder->getStringAttr("m"),
                            constant("#py.int<6 : si64>"));
  (void)lowering->calls().evaluate(call);
  pyk::CallOp own = getCalls()[0];
  EXPECT_EQ(getGiven(own), (SmallVector<int64_t>{3, 3, 6}));
  // As the function was specialized.
  EXPECT_TRUE(own->getOperand(2).getType().isInteger(32));
}

TEST_F(LoweringCallsTest, ClosuresThatLeaveCarryWhatTheyCapture) {
  (void)enterCall(kNested);
  Binding own = lowering->get(find<ClosureOp>().getResult());
  auto to = cast<ClosureType>(
      parse("!py.closure<@inner, tuple<si64>, [\"m\"], tuple<si32>>"));
  Binding whole = lowering->calls().convertClosure(own, to, loc);
  EXPECT_EQ(whole.type, to);
  ASSERT_EQ(whole.parts.size(), 2U);
  EXPECT_EQ(fold(whole.parts[0]), 3);
  EXPECT_EQ(fold(whole.parts[1]), 5);
  // Later, the variables play no part.
  lowering->variables().set(builder->getStringAttr("m"),
                            constant("#py.int<6 : si64>"));
  Binding again = lowering->convert(
      whole, parse("!py.closure<@inner, tuple<si64>, [\"m\"], tuple<si64>>"),
      loc);
  ASSERT_EQ(again.parts.size(), 2U);
  EXPECT_TRUE(again.parts[1].getType().isInteger(64));
  EXPECT_EQ(fold(again.parts[1]), 5);
}

} // namespace
