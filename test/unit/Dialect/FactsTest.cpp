// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known while types are inferred: facts, results of operators on
// constants, and branches that are decided by them.

#include "Dialect/Py/Transforms/Branches.h"
#include "Dialect/Py/Transforms/Folding.h"
#include "InferenceSupport.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class FactsTest : public InferenceTest {
protected:
  Attribute attribute(StringRef text) { return parseAttribute(text, &context); }
  Attribute number(int64_t value) {
    return attribute("#py.int<" + std::to_string(value) + " : si64>");
  }
  Attribute fold(BinaryOperator kind, Attribute a, Attribute b) {
    return foldBinary(kind, a, b);
  }
};

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

TEST_F(FactsTest, OnlyPythonsOwnIntegersAreLiterals) {
  Fact integer = makeConstant(number(4));
  EXPECT_EQ(integer.type, parse("si64"));
  EXPECT_EQ(integer.constant, number(4));
  EXPECT_TRUE(integer.isLiteral);
  EXPECT_TRUE(makeConstant(attribute("true")).isLiteral);
  for (StringRef other : {"4 : si16", "2.0 : f64", "#py.none"}) {
    EXPECT_FALSE(makeConstant(attribute(other)).isLiteral) << other.str();
    EXPECT_FALSE(makeConstant(attribute(other)).constant) << other.str();
  }
  // Of a member the value is known all the same.
  Fact member = makeConstant(
      attribute("#py.enum_member<\"m.E\", #py.int<4 : si64>, integer = true>"));
  EXPECT_EQ(member.constant, number(4));
  EXPECT_FALSE(member.isLiteral);
}

TEST_F(FactsTest, TuplesKnowSomeOfTheirItems) {
  Fact tuple =
      makeTuple(&context, {makeConstant(number(4)), makeTyped(parse("f32"))});
  EXPECT_EQ(tuple.type, parse("tuple<si64, f32>"));
  EXPECT_EQ(getTupleItem(tuple, 0).constant, number(4));
  EXPECT_TRUE(getTupleItem(tuple, 0).isLiteral);
  EXPECT_FALSE(getTupleItem(tuple, 1).constant);
  EXPECT_EQ(getTupleItem(tuple, 1).type, parse("f32"));
  EXPECT_FALSE(makeTuple(&context, {makeTyped(parse("f32"))}).constant);
}

TEST_F(FactsTest, FactsUnifyToWhatBothAre) {
  Fact four = makeConstant(number(4)), five = makeConstant(number(5));
  EXPECT_EQ(unify(four, four), four);
  Fact either = unify(four, five);
  EXPECT_EQ(either.type, parse("si64"));
  EXPECT_FALSE(either.constant || either.isLiteral);
  // Where nothing is known yet, the other is.
  EXPECT_EQ(unify(Fact(), four), four);
  EXPECT_EQ(unify(four, makeTyped(parse("f64"))).type, parse("f64"));
  EXPECT_FALSE(unify(four, makeTyped(parse("tuple<si64>"))).type);
  // Of tuples, item by item.
  Fact pair = unify(makeTuple(&context, {four, five}),
                    makeTuple(&context, {four, four}));
  EXPECT_EQ(getTupleItem(pair, 0).constant, number(4));
  EXPECT_FALSE(getTupleItem(pair, 1).constant);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TEST_F(FactsTest, IntegersFoldAsInPython) {
  EXPECT_EQ(fold(BinaryOperator::FloorDiv, number(-7), number(2)), number(-4));
  EXPECT_EQ(fold(BinaryOperator::Mod, number(-7), number(2)), number(1));
  EXPECT_EQ(fold(BinaryOperator::Mod, number(7), number(-2)), number(-1));
  EXPECT_EQ(fold(BinaryOperator::Pow, number(3), number(4)), number(81));
  EXPECT_EQ(fold(BinaryOperator::Pow, number(2), number(-1)),
            attribute("0.5 : f64"));
  EXPECT_EQ(fold(BinaryOperator::TrueDiv, number(1), number(2)),
            attribute("0.5 : f64"));
  EXPECT_EQ(fold(BinaryOperator::BitAnd, attribute("true"), attribute("false")),
            attribute("false"));
  EXPECT_EQ(fold(BinaryOperator::Add, attribute("true"), attribute("true")),
            number(2));
  // Of 64 bits without a sign, and of more.
  EXPECT_EQ(fold(BinaryOperator::LShift, number(1), number(63)),
            attribute("#py.int<9223372036854775808 : ui64>"));
  EXPECT_TRUE(
      isa<ObjectAttr>(fold(BinaryOperator::LShift, number(1), number(64))));
}

TEST_F(FactsTest, ErrorsAndLongNumbersDoNotFold) {
  EXPECT_FALSE(fold(BinaryOperator::FloorDiv, number(1), number(0)));
  EXPECT_FALSE(fold(BinaryOperator::TrueDiv, number(1), number(0)));
  EXPECT_FALSE(fold(BinaryOperator::LShift, number(1), number(-1)));
  EXPECT_FALSE(fold(BinaryOperator::LShift, number(1), number(128)));
  EXPECT_FALSE(fold(BinaryOperator::Pow, number(2), number(100000)));
  EXPECT_FALSE(
      fold(BinaryOperator::Pow, attribute("-1.0 : f64"), attribute("0.5")));
  EXPECT_FALSE(fold(BinaryOperator::Add, number(1), attribute("\"a\"")));
}

TEST_F(FactsTest, ScalarsOfNumPyKeepTheirType) {
  EXPECT_EQ(fold(BinaryOperator::Add, attribute("100 : si8"), number(100)),
            attribute("-56 : si8"));
  EXPECT_EQ(fold(BinaryOperator::Mul, attribute("0.5 : f32"), number(3)),
            attribute("1.5 : f32"));
}

TEST_F(FactsTest, UnaryOperatorsFold) {
  EXPECT_EQ(foldUnary(UnaryOperator::Minus, attribute("true")), number(-1));
  EXPECT_EQ(foldUnary(UnaryOperator::Invert, number(0)), number(-1));
  EXPECT_EQ(foldUnary(UnaryOperator::Not, attribute("\"\"")),
            attribute("true"));
  EXPECT_FALSE(foldUnary(UnaryOperator::Invert, attribute("1.0 : f64")));
  EXPECT_FALSE(foldUnary(UnaryOperator::Minus, attribute("\"a\"")));
}

TEST_F(FactsTest, ComparisonsFold) {
  Attribute nan = attribute("0x7FF8000000000000 : f64");
  EXPECT_EQ(foldCompare(CompareOperator::Lt, number(1), attribute("1.5 : f64")),
            true);
  EXPECT_EQ(foldCompare(CompareOperator::Eq, nan, nan), false);
  EXPECT_EQ(foldCompare(CompareOperator::Ne, nan, nan), true);
  EXPECT_EQ(foldCompare(CompareOperator::Is, attribute("#py.none"),
                        attribute("#py.none")),
            true);
  EXPECT_EQ(foldCompare(CompareOperator::Eq, attribute("\"a\""), number(1)),
            false);
  // Text has no order here.
  EXPECT_EQ(
      foldCompare(CompareOperator::Lt, attribute("\"a\""), attribute("\"b\"")),
      std::nullopt);
}

TEST_F(FactsTest, TruthIsThatOfPython) {
  for (StringRef empty : {"#py.none", "[]", "\"\"", "0.0 : f64", "-0.0 : f64",
                          "#complex.number<:f64 0.0, 0.0>"})
    EXPECT_EQ(py::getTruth(attribute(empty)), false) << empty.str();
  for (StringRef other :
       {"[#py.none]", "\"a\"", "#complex.number<:f64 0.0, 1.0>",
        "#py.enum_member<\"m.E\", #py.int<0 : si64>>"})
    EXPECT_EQ(py::getTruth(attribute(other)), true) << other.str();
  EXPECT_EQ(py::getTruth(attribute("#py.enum_member<\"m.E\", #py.int<0 : "
                                   "si64>, integer = true>")),
            false);
  EXPECT_EQ(py::getTruth(attribute("#py.object<\"dict\">")), std::nullopt);
}

TEST_F(FactsTest, LiteralsOfTheTextFold) {
  start(R"mlir(
    %a = py.constant(#py.int<6 : si64>) : !o
    %b = py.constant(#py.int<7 : si64>) named "b" : !o
    %c = py.binary mul %a, %a : (!o, !o) -> !o
    py.set "c", %c : !o
    %d = py.binary mul %a, %b : (!o, !o) -> !o
    py.set "d", %d : !o)mlir");
  foldLiterals(function);
  SmallVector<Value> values;
  for (SetOp op : function.getBody().getOps<SetOp>())
    values.push_back(op.getValue());
  ASSERT_EQ(values.size(), 2U);
  auto product = values[0].getDefiningOp<ConstantOp>();
  ASSERT_TRUE(product);
  EXPECT_EQ(product.getValue(), number(36));
  EXPECT_TRUE(isLiteralText(values[0]));
  // What a name stands for is none.
  EXPECT_TRUE(values[1].getDefiningOp<BinaryOp>());
  EXPECT_FALSE(isLiteralText(values[1].getDefiningOp()->getOperand(1)));
}

TEST_F(FactsTest, NarrowLiteralsLeaveFloatsThatAreConverted) {
  start(R"mlir(
    %x = py.get "x" : !o
    %n = py.constant(#py.int<6 : si64>) : !o
    %large = py.constant(#py.int<4294967296 : si64>) : !o
    %own = py.constant(0.5 : f64) : !o
    %operand = py.constant(0.25 : f64) : !o
    %sum = py.binary add %x, %operand : (!o, !o) -> !o
    py.set "own", %own : !o)mlir");
  narrowLiterals(function);
  SmallVector<Attribute> values;
  for (ConstantOp op : function.getBody().getOps<ConstantOp>())
    values.push_back(op.getValue());
  EXPECT_EQ(values, (SmallVector<Attribute>{attribute("#py.int<6 : si32>"),
                                            number(INT64_C(1) << 32),
                                            attribute("0.5 : f32"),
                                            attribute("0.25 : f64")}));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

class BranchesTest : public FactsTest {
protected:
  /// Tells of a test `x is None` where the argument `x` is `given`.
  void test(const Fact &given) {
    module = parseSourceString<ModuleOp>(R"mlir(
      py.func @f(["x"]) {
        %x = py.get "x" : !py.object
        %none = py.constant(#py.none) : !py.object
        %is = py.compare is %x, %none : (!py.object, !py.object) -> !py.object
        py.if %is : !py.object {
        } else {
        }
      })mlir",
                                         &context);
    ASSERT_TRUE(module);
    function = *module->getOps<FuncOp>().begin();
    arguments = {given};
    branches.emplace(function, arguments, Typing::Numba);
    auto name = StringAttr::get(&context, "x");
    parameter.emplace(function, name, DefinitionKind::Assignment, Copy::Only);
    branches->assign(function, name, /*isBackbone=*/true);
    branches->read(find<GetOp>(), Copy::Only, &*parameter,
                   /*isFirstWalk=*/true);
    branches->reach(getCondition(), find<IfOp>(), Copy::Only);
    branches->pruneEarly();
  }
  Value getCondition() { return find<IfOp>().getCondition(); }
  Paths getPaths() {
    return branches->getPaths(getCondition(), find<IfOp>(), Copy::Only);
  }

  SmallVector<Fact> arguments;
  std::optional<Definition> parameter;
  std::optional<Branches> branches;
};

TEST_F(BranchesTest, AnArgumentThatIsNoneDecides) {
  test(makeConstant(attribute("#py.none")));
  EXPECT_EQ(getPaths().getOnly(), true);
  EXPECT_EQ(branches->getDecided(find<CompareOp>(), Copy::Only),
            attribute("true"));
  EXPECT_TRUE(branches->isArgument(find<GetOp>().getResult()));
  EXPECT_EQ(branches->getConstant(find<ConstantOp>().getResult()),
            attribute("#py.none"));
  EXPECT_FALSE(branches->isArgument(find<ConstantOp>().getResult()));
}

TEST_F(BranchesTest, ALiteralIsNotNone) {
  test(makeConstant(number(4)));
  EXPECT_EQ(getPaths().getOnly(), false);
}

// Numba asks for the types of arguments only where they are literals or None.
TEST_F(BranchesTest, AnyOtherArgumentLeavesBothWays) {
  test(makeTyped(parse("si64")));
  EXPECT_EQ(getPaths().getOnly(), std::nullopt);
  EXPECT_FALSE(branches->getDecided(find<CompareOp>(), Copy::Only));
  Outcomes outcomes =
      branches->getOutcomes(getCondition(), find<IfOp>(), Copy::Only);
  EXPECT_EQ(outcomes.getAll(), (SmallVector<Value, 2>{getCondition()}));
}

TEST_F(BranchesTest, LiteralsDecideBeforeAnythingIsTold) {
  start(R"mlir(
    %c = py.constant(#py.int<0 : si64>) : !o
    %x = py.get "x" : !o
    %both = py.logical and %c : (!o) -> !o {
      py.yield %x : !o
    }
    py.if %both : !o {
    } else {
    })mlir");
  Branches own(function, {}, Typing::Numba);
  auto both = find<LogicalOp>();
  EXPECT_EQ(own.getPaths(both.getResult(), find<IfOp>(), Copy::Only).getOnly(),
            false);
  EXPECT_EQ(own.getRightOperand(both, Copy::Only), std::pair(false, false));
  EXPECT_TRUE(Branches::isOnlyTested(both.getResult()));
}

} // namespace
