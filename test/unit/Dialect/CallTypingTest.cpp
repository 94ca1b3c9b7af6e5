// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: which function they specialize, what they give to its parameters, what
// closures carry there, and what classes make.

#include "Dialect/Py/Transforms/CallTyping.h"
#include "Dialect/Py/Transforms/ClosureTyping.h"
#include "Dialect/Py/Transforms/ConstantTyping.h"
#include "Dialect/Py/Transforms/Constructors.h"
#include "Dialect/Py/Transforms/Library.h"
#include "Dialect/Py/Transforms/RecordFields.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

/// Functions to call.
constexpr llvm::StringLiteral kFunctions = R"mlir(
  py.func @add(["x", "by"]) defaults [unit, #py.int<1 : si64>] {
    %x = py.get "x" : !o
    %by = py.get "by" : !o
    %sum = py.binary add %x, %by : (!o, !o) -> !o
    py.return %sum : !o
  }
  py.func @rest(["first", "others"]) variadic {
    %others = py.get "others" : !o
    py.return %others : !o
  }
  py.func @inner(["v", "by", "n"]) captures 1 {
    %v = py.get "v" : !o
    %n = py.get "n" : !o
    %sum = py.binary add %v, %n : (!o, !o) -> !o
    py.return %sum : !o
  }
  py.func @kernel([]) kernel arguments [] {
  }
  py.func @ndarray.twice(["self"]) library {
    %self = py.get "self" : !o
    py.return %self : !o
  })mlir";

class CallTypingTest : public InferenceTest {
protected:
  using Texts = std::vector<std::string>;

  /// What `body` calls, its arguments by name and of the types of `types`,
  /// yields; null after an error. Constants are known.
  Type call(StringRef body,
            std::initializer_list<std::pair<StringRef, StringRef>> types) {
    messages.clear();
    start(body, kFunctions);
    function.walk([&](ConstantOp op) {
      inference->record(op.getResult(), *inference->constants().evaluate(op));
    });
    function.walk([&](GetOp op) {
      for (auto [name, type] : types)
        if (op.getName() == name)
          inference->record(op.getResult(), makeTyped(parse(type)));
    });
    function.walk([&](ClosureOp op) {
      inference->record(op.getResult(), *inference->closures().evaluate(op));
    });
    auto fact = inference->calls().evaluate(find<CallOp>(), environment);
    return succeeded(fact) ? fact->type : Type();
  }

  /// Lets the variable `name` hold a value of `type` where the call stands.
  void hold(StringRef name, Type type) {
    auto key = StringAttr::get(&context, name);
    definitions.push_back(std::make_unique<Definition>(
        nullptr, key, DefinitionKind::Assignment, Copy::Only));
    definitions.back()->fact = makeTyped(type);
    environment[key] = definitions.back().get();
  }

  /// The function that the call goes to.
  FuncOp getTarget() {
    auto op = find<CallOp>();
    inference->getAnnotations().write(op, inference->getBranches());
    return module->lookupSymbol<FuncOp>(op.getTargetAttr());
  }

  Environment environment;
  std::vector<std::unique_ptr<Definition>> definitions;
};

constexpr llvm::StringLiteral kAddOne = R"mlir(
  %f = py.constant(@add) : !o
  %a = py.get "a" : !o
  %r = py.call %f(%a) : (!o, !o) -> !o)mlir";

TEST_F(CallTypingTest, ArgumentsSpecializeAFunction) {
  EXPECT_EQ(call(kAddOne, {{"a", "f32"}}), parse("f64"));
  FuncOp target = getTarget();
  ASSERT_TRUE(target);
  EXPECT_NE(target.getSymName(), "add");
  auto types = llvm::to_vector(target.getArguments()->getAsRange<TypeAttr>());
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0].getValue(), parse("f32"));
  EXPECT_EQ(types[1].getValue(), parse("si64"));
  // The text stays as it was.
  EXPECT_FALSE(module->lookupSymbol<FuncOp>("add").getArguments());
  EXPECT_EQ(call(kAddOne, {{"a", "si32"}}), parse("si64"));
  EXPECT_EQ(messages, Texts{});
}

TEST_F(CallTypingTest, EqualArgumentsShareASpecialization) {
  start(R"mlir(
    %f = py.constant(@add) : !o
    %a = py.get "a" : !o
    %r = py.call %f(%a) : (!o, !o) -> !o
    %s = py.call %f(%a) : (!o, !o) -> !o)mlir",
        kFunctions);
  auto constant = find<ConstantOp>();
  inference->record(constant.getResult(),
                    *inference->constants().evaluate(constant));
  inference->record(find<GetOp>().getResult(), makeTyped(parse("f32")));
  for (CallOp op : function.getBody().getOps<CallOp>())
    (void)inference->calls().evaluate(op, environment);
  int64_t specialized = 0;
  for (FuncOp other : module->getOps<FuncOp>())
    specialized += other.getSymName().starts_with("add") &&
                   other.getArguments().has_value();
  EXPECT_EQ(specialized, 1);
}

TEST_F(CallTypingTest, KeywordsNameParameters) {
  constexpr llvm::StringLiteral body = R"mlir(
    %f = py.constant(@add) : !o
    %a = py.get "a" : !o
    %b = py.get "b" : !o
    %r = py.call %f(%a, %b) keywords ["by", "x"] : (!o, !o, !o) -> !o)mlir";
  EXPECT_EQ(call(body, {{"a", "f32"}, {"b", "complex<f32>"}}),
            parse("complex<f32>"));
  auto types =
      llvm::to_vector(getTarget().getArguments()->getAsRange<TypeAttr>());
  EXPECT_EQ(types[0].getValue(), parse("complex<f32>"));
}

TEST_F(CallTypingTest, WhatHasNoDefaultMustBeGiven) {
  EXPECT_FALSE(call(R"mlir(
    %f = py.constant(@add) : !o
    %r = py.call %f() : (!o) -> !o)mlir",
                    {}));
  EXPECT_EQ(messages, (Texts{"'add' is called without argument 'x'",
                             "'add' is defined here"}));
}

// Nothing is said of an argument that has no type yet.
TEST_F(CallTypingTest, AnUnknownArgumentLeavesTheCallUnknown) {
  EXPECT_FALSE(call(kAddOne, {}));
  EXPECT_EQ(messages, Texts{});
  EXPECT_FALSE(inference->calls().getUnresolved());
}

TEST_F(CallTypingTest, ErrorsOfTheFunctionNameTheCall) {
  EXPECT_FALSE(call(kAddOne, {{"a", "tuple<si64>"}}));
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[1], "'add' is called here with (tuple(int64), int64)");
}

TEST_F(CallTypingTest, AVariadicFunctionTakesTheRestAsATuple) {
  constexpr llvm::StringLiteral body = R"mlir(
    %f = py.constant(@rest) : !o
    %a = py.get "a" : !o
    %b = py.get "b" : !o
    %r = py.call %f(%a, %b, %a) : (!o, !o, !o, !o) -> !o)mlir";
  EXPECT_EQ(call(body, {{"a", "f32"}, {"b", "si16"}}),
            parse("tuple<si16, f32>"));
}

TEST_F(CallTypingTest, OnlyFunctionsAreCalled) {
  constexpr llvm::StringLiteral body = R"mlir(
    %f = py.get "f" : !o
    %r = py.call %f() : (!o) -> !o)mlir";
  EXPECT_FALSE(call(body, {{"f", "si64"}}));
  EXPECT_EQ(messages, Texts{"expects a function to call but got int64"});
  EXPECT_FALSE(call(body, {{"f", "!py.static<@kernel>"}}));
  EXPECT_EQ(messages,
            (Texts{"kernel 'kernel' cannot be called from a kernel",
                   "with a grid and a block in brackets it is launched"}));
}

TEST_F(CallTypingTest, MethodsOfTheLibraryTakeTheirObjectFirst) {
  constexpr llvm::StringLiteral body = R"mlir(
    %f = py.get "f" : !o
    %r = py.call %f() : (!o) -> !o)mlir";
  EXPECT_EQ(call(body, {{"f", "!py.method<!pyk.array<?xf32, c>, \"twice\">"}}),
            parse("!pyk.array<?xf32, c>"));
  EXPECT_TRUE(
      getLibraryMethod(function, parse("!pyk.array<?xf32, c>"), "twice"));
  EXPECT_FALSE(getLibraryMethod(function, parse("f32"), "twice"));
  EXPECT_FALSE(getLibrary(function, "twice"));
}

//===----------------------------------------------------------------------===//
// Closures
//===----------------------------------------------------------------------===//

constexpr llvm::StringLiteral kNested = R"mlir(
  %by = py.get "by" : !o
  %f = py.closure @inner(%by) : (!o) -> !o
  %r = py.call %f(%by) : (!o, !o) -> !o)mlir";

TEST_F(CallTypingTest, AClosureReadsVariablesWhereItIsCalled) {
  hold("n", parse("f64"));
  EXPECT_EQ(call(kNested, {{"by", "si64"}}), parse("f64"));
  EXPECT_EQ(inference->get(find<ClosureOp>().getResult()).type,
            parse("!py.closure<@inner, tuple<si64>, [\"n\"]>"));
  auto types =
      llvm::to_vector(getTarget().getArguments()->getAsRange<TypeAttr>());
  ASSERT_EQ(types.size(), 3U);
  EXPECT_EQ(types[1].getValue(), parse("si64"));
  EXPECT_EQ(types[2].getValue(), parse("f64"));
}

TEST_F(CallTypingTest, WhatAClosureReadsMustBeAssigned) {
  EXPECT_FALSE(call(kNested, {{"by", "si64"}}));
  EXPECT_EQ(messages, (Texts{"variable 'n' is read before it is assigned",
                             "it is read by 'inner', which is defined here"}));
}

TEST_F(CallTypingTest, AClosureIsCompletedWhereItLeaves) {
  start("", kFunctions);
  hold("n", parse("f64"));
  Type own = parse("!py.closure<@inner, tuple<si64>, [\"n\"]>"),
       whole = parse("!py.closure<@inner, tuple<si64>, [\"n\"], tuple<f64>>");
  auto capture = [&](Type type) {
    SmallVector<Attribute> around;
    auto fact = inference->closures().capture(makeTyped(type), environment,
                                              function.getLoc(), around);
    return succeeded(fact) ? fact->type : Type();
  };
  EXPECT_EQ(capture(own), whole);
  EXPECT_EQ(capture(whole), whole);
  EXPECT_EQ(capture(TupleType::get(&context, {parse("f32"), own})),
            TupleType::get(&context, {parse("f32"), whole}));
  EXPECT_EQ(capture(parse("si64")), parse("si64"));
  EXPECT_EQ(messages, Texts{});
  // What it captures is itself.
  hold("n", own);
  EXPECT_FALSE(capture(own));
  EXPECT_EQ(messages.front(), "nested function 'inner' refers to itself");
}

TEST_F(CallTypingTest, AFunctionThatCarriesNothingIsAConstant) {
  start("%f = py.closure @rest() : () -> !o", kFunctions);
  auto fact = inference->closures().evaluate(find<ClosureOp>());
  ASSERT_TRUE(succeeded(fact));
  EXPECT_EQ(fact->type, parse("!py.static<@rest>"));
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

class ConstructorsTest : public InferenceTest {
protected:
  /// A call with as many arguments as there are `types`.
  CallOp makeCall(ArrayRef<StringRef> types) {
    messages.clear();
    facts.clear();
    std::string arguments, ofTypes = "!o";
    for (StringRef type : types) {
      arguments += arguments.empty() ? "%a" : ", %a";
      ofTypes += ", !o";
      facts.push_back(makeTyped(parse(type)));
    }
    start("%a = py.get \"a\" : !o\n%x = py.call %a(" + arguments + ") : (" +
          ofTypes + ") -> !o");
    return find<CallOp>();
  }

  bool makesNumber(StringRef target, ArrayRef<StringRef> types) {
    auto fact = makeNumber(makeCall(types), parse(target), facts);
    if (succeeded(fact))
      EXPECT_EQ(fact->type, parse(target));
    return succeeded(fact);
  }

  SmallVector<Fact> facts;
};

TEST_F(ConstructorsTest, NumbersAreMadeOfOneNumber) {
  EXPECT_TRUE(makesNumber("f32", {"si64"}));
  EXPECT_TRUE(makesNumber("i1", {"complex<f64>"}));
  EXPECT_TRUE(makesNumber("si64", {"!py.time<timedelta, ns>"}));
  EXPECT_FALSE(makesNumber("f32", {"complex<f64>"}));
  EXPECT_FALSE(makesNumber("f32", {}));
  EXPECT_EQ(messages,
            std::vector<std::string>{"expects one number to convert to float32 "
                                     "but got 0 arguments"});
  EXPECT_FALSE(makesNumber("f32", {"tuple<f32>"}));
}

TEST_F(ConstructorsTest, VectorsHaveAllTheirComponents) {
  auto vector = cast<ShortVectorType>(parse("!py.vector<f32, 3>"));
  auto make = [&](ArrayRef<StringRef> types) {
    return succeeded(makeVector(makeCall(types), vector, facts));
  };
  EXPECT_TRUE(make({"f32", "si64", "f64"}));
  EXPECT_TRUE(make({"!py.vector<f32, 2>", "f32"}));
  EXPECT_EQ(messages, std::vector<std::string>{});
  EXPECT_FALSE(make({"f32", "f32"}));
  EXPECT_FALSE(make({"!py.vector<f32, 2>", "!py.vector<f32, 2>"}));
  EXPECT_FALSE(make({"tuple<f32, f32, f32>"}));
  EXPECT_EQ(messages.size(), 1U);
}

TEST_F(ConstructorsTest, NamedTuplesHaveDefaults) {
  auto own = cast<NamedTupleClassAttr>(
      parseAttribute("#py.named_tuple_class<\"m.P\", [\"x\", \"y\"], "
                     "[unit, #py.int<7 : si64>]>",
                     &context));
  auto made = makeNamedTuple(makeCall({"f32"}), own, facts);
  ASSERT_TRUE(succeeded(made));
  EXPECT_EQ(made->type, parse("!py.named_tuple<\"m.P\", [\"x\", \"y\"], "
                              "tuple<f32, si64>>"));
  // The default is known.
  EXPECT_EQ(getTupleItem(*made, 1).constant, own.getDefaults()[1]);
  EXPECT_FALSE(getTupleItem(*made, 0).constant);
  EXPECT_TRUE(failed(makeNamedTuple(makeCall({}), own, facts)));
  EXPECT_EQ(messages,
            std::vector<std::string>{"'P' is called without argument 'x'"});
}

TEST_F(ConstructorsTest, FieldsOfRecordsAreFoundOrNamed) {
  auto records = cast<ArrayType>(
      parse("!pyk.array<?x!pyk.record<\"left\" : f32 at 0, \"o\" : none at 4, "
            "\"m\" : 2xi16 at 8, size 12>, c>"));
  Location loc = UnknownLoc::get(&context);
  EXPECT_EQ(py::getField(loc, records, 0).value_or(Type()),
            parse("!pyk.array<?xf32, any>"));
  EXPECT_EQ(cast<ArrayType>(*py::getField(loc, records, 2)).getRank(), 2);
  EXPECT_EQ(messages, std::vector<std::string>{});
  EXPECT_TRUE(failed(py::getField(loc, records, 1)));
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find("is of a kind that a kernel cannot use"),
            std::string::npos);
  messages.clear();
  emitUnknownField(loc, records, "letf").report();
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[1], "did you mean 'left'?");
  EXPECT_EQ(messages[2], "its fields are 'left', 'o', 'm'");
}

} // namespace
