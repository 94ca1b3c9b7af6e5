// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of type inference that have no state of their own to speak of: one
// expression or statement each, whose operands have types that are given.

#include "Dialect/Py/Transforms/AttributeTyping.h"
#include "Dialect/Py/Transforms/ChoiceTyping.h"
#include "Dialect/Py/Transforms/ConstantTyping.h"
#include "Dialect/Py/Transforms/ItemTyping.h"
#include "Dialect/Py/Transforms/LaunchTyping.h"
#include "Dialect/Py/Transforms/OperatorTyping.h"
#include "Dialect/Py/Transforms/ResultTyping.h"
#include "Dialect/Py/Transforms/StatementWalker.h"
#include "Dialect/Py/Transforms/StoreTyping.h"
#include "Dialect/Py/Transforms/UnpackTyping.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class TypingPartsTest : public InferenceTest {
protected:
  void record(Value value, StringRef type) {
    inference->record(value, makeTyped(parse(type)));
  }

  /// The type of `fact`; null after an error.
  static Type getType(const FailureOr<Fact> &fact) {
    return succeeded(fact) ? fact->type : Type();
  }

  /// What an operator makes of operands of these types.
  Type compute(StringRef kind, StringRef lhs, StringRef rhs) {
    start((R"mlir(
      %a = py.get "a" : !o
      %b = py.get "b" : !o
      %x = py.binary )mlir" +
           kind + " %a, %b : (!o, !o) -> !o")
              .str());
    auto op = find<BinaryOp>();
    record(op.getLhs(), lhs);
    record(op.getRhs(), rhs);
    return getType(inference->operators().evaluate(op));
  }

  /// What `[index]` takes of a value of the type `object`.
  Type takeItem(StringRef object, StringRef index) {
    start(("%a = py.get \"a\" : !o\n%i = py.constant(" + index +
           ") : !o\n%x = py.subscript %a[%i] : (!o, !o) -> !o")
              .str());
    auto op = find<SubscriptOp>();
    record(op.getObject(), object);
    inference->record(op.getIndex(),
                      *inference->constants().evaluate(find<ConstantOp>()));
    return getType(inference->items().evaluate(op));
  }
};

TEST_F(TypingPartsTest, OperatorsTypeAsNumba) {
  EXPECT_EQ(compute("add", "si32", "si32"), parse("si64"));
  EXPECT_EQ(compute("add", "si64", "ui64"), parse("si64"));
  EXPECT_EQ(compute("truediv", "si32", "si32"), parse("f64"));
  EXPECT_EQ(compute("mul", "f32", "si64"), parse("f64"));
  EXPECT_EQ(compute("mul", "f32", "si16"), parse("f32"));
  EXPECT_EQ(messages, std::vector<std::string>{});
  EXPECT_FALSE(compute("add", "tuple<si64>", "si64"));
  EXPECT_EQ(messages.size(), 1U);
}

TEST_F(TypingPartsTest, ItemsOfTuplesHaveTypesOfTheirOwn) {
  EXPECT_EQ(takeItem("tuple<si64, f32>", "#py.int<1 : si64>"), parse("f32"));
  EXPECT_EQ(takeItem("tuple<si64, f32>", "#py.int<-2 : si64>"), parse("si64"));
  EXPECT_EQ(messages, std::vector<std::string>{});
  EXPECT_FALSE(takeItem("tuple<si64, f32>", "#py.int<2 : si64>"));
  EXPECT_FALSE(takeItem("tuple<si64, f32>", "#py.int<-3 : si64>"));
  EXPECT_EQ(messages.size(), 2U);
}

TEST_F(TypingPartsTest, AttributesOfArrays) {
  auto read = [&](StringRef name) {
    start(("%a = py.get \"a\" : !o\n%x = py.attribute %a \"" + name +
           "\" : (!o) -> !o")
              .str());
    auto op = find<AttributeOp>();
    record(op.getObject(), "!pyk.array<?x4xf32, c>");
    return getType(inference->attributes().evaluate(op));
  };
  EXPECT_EQ(read("size"), parse("si64"));
  EXPECT_EQ(read("shape"), parse("tuple<si64, si64>"));
  EXPECT_EQ(messages, std::vector<std::string>{});
  EXPECT_FALSE(read("sze"));
  ASSERT_FALSE(messages.empty());
  EXPECT_NE(messages[0].find("'sze'"), std::string::npos);
}

TEST_F(TypingPartsTest, WhatIsStoredMustFitTheElement) {
  auto store = [&](StringRef array, StringRef value) {
    start(R"mlir(
      %a = py.get "a" : !o
      %i = py.get "i" : !o
      %x = py.get "x" : !o
      py.set_subscript %x, %a[%i] : !o, !o, !o)mlir");
    auto op = find<SetSubscriptOp>();
    record(op.getObject(), array);
    record(op.getIndex(), "si64");
    record(op.getValue(), value);
    return succeeded(inference->stores().interpret(op));
  };
  EXPECT_TRUE(store("!pyk.array<?xf32, c>", "f64"));
  EXPECT_TRUE(store("!pyk.array<?xi32, c>", "f64"));
  EXPECT_EQ(messages, std::vector<std::string>{});
  EXPECT_FALSE(store("!pyk.array<?xf32, c>", "complex<f32>"));
  EXPECT_FALSE(store("!pyk.array<?xf32, c>", "tuple<f32>"));
}

TEST_F(TypingPartsTest, AChoiceHasTheTypeOfBothUnlessItIsOnlyTested) {
  auto choose =
      [&](StringRef use) {
        start((R"mlir(
      %a = py.get "a" : !o
      %x = py.logical or %a : (!o) -> !o {
        %b = py.get "b" : !o
        py.yield %b : !o
      }
      )mlir" + use)
                  .str());
        auto op = find<LogicalOp>();
        record(op.getLhs(), "si32");
        Definition b(op, StringAttr::get(&context, "b"),
                     DefinitionKind::Assignment, Copy::Only);
        b.fact = makeTyped(parse("f32"));
        Environment environment;
        environment[b.name] = &b;
        return getType(inference->choices().evaluate(op, environment));
      };
  EXPECT_EQ(choose("py.set \"x\", %x : !o"), parse("f64"));
  EXPECT_EQ(choose("py.if %x : !o {\n} else {\n}"), parse("i1"));
}

TEST_F(TypingPartsTest, ItemsAreGivenToNames) {
  start(R"mlir(
    %t = py.get "t" : !o
    %u, %v = py.unpack %t : (!o) -> (!o, !o))mlir");
  auto op = find<UnpackOp>();
  record(op.getOperand(), "tuple<si64, f32>");
  inference->unpacking().interpret(op);
  EXPECT_EQ(inference->get(op.getResult(0)).type, parse("si64"));
  EXPECT_EQ(inference->get(op.getResult(1)).type, parse("f32"));
  EXPECT_EQ(messages, std::vector<std::string>{});
  record(op.getOperand(), "tuple<si64>");
  inference->unpacking().interpret(op);
  EXPECT_EQ(messages.size(), 1U);
}

TEST_F(TypingPartsTest, ResultsOfAllReturnsMeet) {
  start(R"mlir(
    %c = py.constant(true) : !o
    %a = py.constant(#py.int<1 : si64>) : !o
    %b = py.constant(2.0 : f64) : !o
    py.if %c : !o {
      py.return %a : !o
    } else {
      py.return %b : !o
    })mlir");
  inference->getWalk().phase = Phase::Types;
  SmallVector<ReturnOp> returns;
  function.walk([&](ReturnOp op) { returns.push_back(op); });
  ASSERT_EQ(returns.size(), 2U);
  record(returns[0].getOperand(), "si64");
  record(returns[1].getOperand(), "f64");
  Environment environment;
  inference->results().startWalk();
  inference->results().interpret(returns[0], environment);
  EXPECT_EQ(inference->results().getPartialResult().type, parse("si64"));
  inference->results().interpret(returns[1], environment);
  EXPECT_EQ(inference->results().getPartialResult().type, parse("f64"));
}

TEST_F(TypingPartsTest, StatementsSayWhereControlGoes) {
  start(R"mlir(
    %c = py.get "c" : !o
    py.while {
      py.yield %c : !o
    } do {
      py.break
    })mlir");
  record(find<GetOp>().getResult(), "i1");
  Flow flow;
  flow.next.emplace();
  auto loop = find<WhileOp>();
  inference->statements().interpret(loop.getBody().front(), flow);
  EXPECT_FALSE(flow.next);
  EXPECT_EQ(flow.breaks.size(), 1U);
  EXPECT_TRUE(flow.continues.empty());
}

TEST_F(TypingPartsTest, LaunchesHaveAGridAndABlockOfIntegers) {
  auto configure = [&](StringRef shape) {
    start(R"mlir(
      %k = py.get "k" : !o
      %s = py.get "s" : !o
      %x = py.subscript %k[%s] : (!o, !o) -> !o)mlir");
    auto op = find<SubscriptOp>();
    auto kernel = FlatSymbolRefAttr::get(&context, "f");
    return getType(
        inference->launches().configure(op, kernel, makeTyped(parse(shape))));
  };
  Type configured = parse("!py.configured_kernel<@f>");
  EXPECT_EQ(configure("tuple<si64, si64>"), configured);
  EXPECT_EQ(configure("tuple<tuple<si64, si32, ui8>, si64>"), configured);
  EXPECT_EQ(messages, std::vector<std::string>{});
  EXPECT_FALSE(configure("tuple<si64>"));
  EXPECT_FALSE(configure("tuple<f32, si64>"));
  EXPECT_FALSE(configure("tuple<si64, tuple<si64, si64, si64, si64>>"));
}

} // namespace
