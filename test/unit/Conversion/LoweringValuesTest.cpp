// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the lowering from py, one by one: what they make of constants
// folds to a number that is known, what they make of parameters is looked at as
// ops.

#include "Conversion/PyToPyk/Checks.h"
#include "Conversion/PyToPyk/Operators.h"
#include "Conversion/PyToPyk/Ranges.h"
#include "Conversion/PyToPyk/Scalars.h"
#include "Conversion/PyToPyk/Statements.h"
#include "Conversion/PyToPyk/Text.h"
#include "Conversion/PyToPyk/Times.h"
#include "Conversion/PyToPyk/Tuples.h"
#include "Conversion/PyToPyk/Wrappers.h"
#include "LoweringSupport.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

TEST_F(LoweringTest, ConversionsKeepSigns) {
  Binding minus = constant("#py.int<-1 : si32>");
  EXPECT_EQ(fold(lowering->convert(minus, parse("si64"), loc)), -1);
  EXPECT_EQ(fold(lowering->convert(minus, parse("i1"), loc)), -1);
  Binding most = constant("#py.int<255 : ui8>");
  EXPECT_EQ(fold(lowering->convert(most, parse("si16"), loc)), 255);
  EXPECT_EQ(fold(lowering->convert(most, parse("si8"), loc)), -1);
  EXPECT_EQ(fold(lowering->convert(constant("#py.int<256 : si64>"),
                                   parse("ui8"), loc)),
            0);
}

TEST_F(LoweringTest, TruthIsThatOfPython) {
  auto truth = [&](StringRef attribute) {
    return fold(lowering->getTruth(constant(attribute), loc)) != 0;
  };
  EXPECT_TRUE(truth("#py.int<256 : si64>"));
  EXPECT_FALSE(truth("#py.int<0 : si64>"));
  EXPECT_FALSE(truth("-0.0 : f64"));
  EXPECT_TRUE(truth("0x7FF8000000000000 : f64"));
  EXPECT_FALSE(truth("[]"));
  EXPECT_TRUE(truth("[#py.int<0 : si64>]"));
  EXPECT_FALSE(truth("#py.none"));
}

TEST_F(LoweringTest, OperatorsComputeAsPython) {
  auto binary = [&](BinaryOperator kind, StringRef a, StringRef b,
                    StringRef type) {
    return fold(lowering->operators().makeBinary(kind, constant(a), constant(b),
                                                 parse(type), loc));
  };
  EXPECT_EQ(binary(BinaryOperator::FloorDiv, "#py.int<-7 : si64>",
                   "#py.int<2 : si64>", "si64"),
            -4);
  EXPECT_EQ(binary(BinaryOperator::Mod, "#py.int<-7 : si64>",
                   "#py.int<2 : si64>", "si64"),
            1);
  EXPECT_EQ(binary(BinaryOperator::RShift, "#py.int<-8 : si64>",
                   "#py.int<1 : si64>", "si64"),
            -4);
  EXPECT_EQ(binary(BinaryOperator::LShift, "#py.int<1 : si64>",
                   "#py.int<64 : si64>", "si64"),
            0);
  EXPECT_EQ(binary(BinaryOperator::Pow, "#py.int<3 : si64>",
                   "#py.int<4 : si64>", "si64"),
            81);
}

TEST_F(LoweringTest, NegativeNumbersAreBelowUnsignedOnes) {
  Binding minus = constant("#py.int<-1 : si64>"),
          most = constant("#py.int<18446744073709551615 : ui64>");
  auto compare = [&](CompareOperator kind, const Binding &a, const Binding &b) {
    return fold(lowering->operators().makeComparison(kind, a, b, loc)) != 0;
  };
  EXPECT_TRUE(compare(CompareOperator::Lt, minus, most));
  EXPECT_FALSE(compare(CompareOperator::Eq, minus, most));
  EXPECT_TRUE(compare(CompareOperator::Ge, most, minus));
}

TEST_F(LoweringTest, EqualityLooksIntoTuplesAndNone) {
  auto equal = [&](StringRef a, StringRef b) {
    return fold(lowering->operators().makeEquality(
               constant(a), constant(b), /*isIdentity=*/false, loc)) != 0;
  };
  EXPECT_TRUE(equal("[#py.int<1 : si64>, 2.0 : f64]",
                    "[1.0 : f64, #py.int<2 : si64>]"));
  EXPECT_FALSE(equal("[#py.int<1 : si64>, 2.0 : f64]",
                     "[1.0 : f64, #py.int<3 : si64>]"));
  EXPECT_FALSE(equal("[]", "[#py.int<1 : si64>]"));
  EXPECT_TRUE(equal("#py.none", "#py.none"));
  Binding none = lowering->wrappers().convertToOptional(
      constant("#py.none"), cast<OptionalType>(parse("!py.optional<si64>")),
      loc);
  ASSERT_EQ(none.parts.size(), 2U);
  EXPECT_EQ(fold(isPresent(*builder, none, loc)), 0);
  EXPECT_EQ(fold(lowering->getTruth(none, loc)), 0);
}

TEST_F(LoweringTest, TuplesSelectAndFind) {
  Binding tuple =
      constant("[#py.int<5 : si64>, #py.int<7 : si64>, #py.int<7 : si64>]");
  EXPECT_EQ(fold(getItem(tuple, 1)), 7);
  Value second = makeInteger(*builder, 1, builder->getI64Type(), loc);
  EXPECT_EQ(fold(lowering->tuples().selectItem(tuple, second, loc)), 7);
  // The first that is equal; no check, since it is known to be there.
  Binding wanted = constant("#py.int<7 : si64>");
  EXPECT_EQ(fold(lowering->tuples().findItem(tuple, wanted, loc)), 1);
  EXPECT_EQ(getCheck(), "");
  (void)lowering->tuples().findItem(tuple, constant("#py.int<9 : si64>"), loc);
  EXPECT_EQ(getCheck(), "tuple.index(x): x not in tuple");
}

TEST_F(LoweringTest, LongTuplesAreOneTable) {
  std::string items = "#py.int<0 : si64>";
  for (int64_t item = 1; item != 40; ++item)
    items += ", #py.int<" + std::to_string(item) + " : si64>";
  Binding tuple = constant("[" + items + "]");
  // Tables of constants stand in the function that is made.
  lowering->run();
  Value position = made.getArgument(0);
  (void)lowering->tuples().selectItem(tuple, position, loc);
  (void)lowering->tuples().selectItem(tuple, position, loc);
  int64_t tables = 0;
  module->walk([&](pyk::ConstantArrayOp table) {
    ++tables;
    EXPECT_EQ(table.getType().getShape()[0], 40);
  });
  EXPECT_EQ(tables, 1);
}

TEST_F(LoweringTest, RangesAreCountedUpwards) {
  auto type = parse("!py.range<si64>");
  auto number = [&](int64_t value) {
    return makeInteger(*builder, value, builder->getI64Type(), loc);
  };
  // 10, 7, 4, 1
  Binding down{type, {number(10), number(0), number(-3)}};
  CountedRange range = lowering->ranges().countFromZero(down, loc);
  EXPECT_EQ(fold(range.start), 0);
  EXPECT_EQ(fold(range.stop), 4);
  Binding third = lowering->ranges().getElement(down, range, number(2), loc);
  EXPECT_EQ(fold(third), 4);
  Binding empty{type, {number(0), number(10), number(-1)}};
  EXPECT_EQ(fold(lowering->ranges().countFromZero(empty, loc).stop), 0);
  EXPECT_EQ(fold(lowering->getTruth(empty, loc)), 0);
}

TEST_F(LoweringTest, TimesKeepNat) {
  auto days = cast<TimeType>(parse("!py.time<datetime, D>")),
       hours = cast<TimeType>(parse("!py.time<datetime, h>")),
       months = cast<TimeType>(parse("!py.time<datetime, M>"));
  auto convert = [&](int64_t count, TimeType from, TimeType to) {
    Value given = makeInteger(*builder, count, builder->getI64Type(), loc);
    return fold(lowering->times().convertTime(given, from, to, loc));
  };
  EXPECT_EQ(convert(3, days, hours), 72);
  EXPECT_EQ(convert(INT64_MIN, days, hours), INT64_MIN);
  // 2000-03-01: 30 years and 2 months after 1970.
  EXPECT_EQ(convert(30 * 12 + 2, months, days), 11017);
}

TEST_F(LoweringTest, TextIsComparedByCodes) {
  auto compare = [&](CompareOperator kind, StringRef a, StringRef b) {
    return fold(lowering->texts().compareTexts(kind, constant(a), constant(b),
                                               loc)) != 0;
  };
  EXPECT_TRUE(compare(CompareOperator::Lt, "\"abc\"", "\"abz\""));
  EXPECT_TRUE(compare(CompareOperator::Lt, "\"ab\"", "\"abc\""));
  EXPECT_FALSE(compare(CompareOperator::Eq, "\"ab\"", "\"abc\""));
  EXPECT_TRUE(compare(CompareOperator::Eq, "\"\"", "\"\""));
}

TEST_F(LoweringTest, VariablesAreForgottenWithTheirBranch) {
  Variables &variables = lowering->variables();
  StringAttr name = builder->getStringAttr("n");
  EXPECT_EQ(variables.find(name), nullptr);
  Variables::Bindings before = variables.save();
  variables.set(name, constant("#py.int<4 : si32>"));
  ASSERT_NE(variables.find(name), nullptr);
  // In the type that control carries on.
  SmallVector<Value> carried = variables.gather({{name, parse("si64")}}, loc);
  ASSERT_EQ(carried.size(), 1U);
  EXPECT_TRUE(carried[0].getType().isInteger(64));
  EXPECT_EQ(fold(carried[0]), 4);
  variables.restore(before);
  EXPECT_EQ(variables.find(name), nullptr);
  // No path has set it: nothing reads what is carried.
  carried = variables.gather({{name, parse("si64")}}, loc);
  EXPECT_EQ(fold(carried[0]), 0);
  variables.bind({{name, parse("si64")}}, made.getArgument(0));
  EXPECT_EQ(variables.find(name)->parts[0], made.getArgument(0));
}

TEST_F(LoweringTest, StatementsKnowTheirExits) {
  OwningOpRef<ModuleOp> other = parseSourceString<ModuleOp>(R"mlir(
    py.func @f(["c"]) arguments [i1] returns si64 {
      %c = py.get "c" : i1
      py.if %c : i1 {
        %one = py.constant(#py.int<1 : si64>) : si64
        py.return %one : si64
      } else {
      }
      %two = py.constant(#py.int<2 : si64>) : si64
      py.return %two : si64
    })mlir",
                                                            &context);
  ASSERT_TRUE(other);
  auto source = *other->getOps<py::FuncOp>().begin();
  Block &body = source.getBody().front();
  Exits exits = lowering->statements().getExits(body);
  EXPECT_FALSE(exits.falls);
  EXPECT_TRUE(exits.returns);
  EXPECT_FALSE(exits.breaks || exits.continues);
  EXPECT_TRUE(
      lowering->statements().canNest({body.begin(), body.end()}, Tail::Return));
  EXPECT_FALSE(lowering->statements().canNest({body.begin(), body.end()},
                                              Tail::Continue));
}

TEST_F(LoweringTest, ChecksAreLeftOutWhereTheyHold) {
  Value one = makeInteger(*builder, 1, builder->getI1Type(), loc);
  lowering->checks().require(one, "ValueError", "never", loc);
  EXPECT_EQ(getCheck(), "");
  Value different = arith::TruncIOp::create(*builder, loc, builder->getI1Type(),
                                            made.getArgument(0));
  lowering->checks().require(different, "ValueError", "wrong", loc);
  EXPECT_EQ(getCheck(), "wrong");
}
