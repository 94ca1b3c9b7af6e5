// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions in the lowering from py, those of operators and calls apart, and
// loops: attributes, items, choices.

#include "Conversion/PyToPyk/Expressions.h"
#include "Conversion/PyToPyk/Loops.h"
#include "Conversion/PyToPyk/Records.h"
#include "Conversion/PyToPyk/Statements.h"
#include "Conversion/PyToPyk/Variables.h"
#include "LoweringSupport.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class LoweringExpressionsTest : public LoweringTest {
protected:
  /// Lets `n` hold what it is given.
  void enter(StringRef body) {
    LoweringTest::enter(body);
    hold("n", parameter());
  }
  void hold(StringRef name, Binding value) {
    lowering->variables().set(builder->getStringAttr(name), std::move(value));
  }

  /// A parameter of `@made` of `type`.
  Binding argument(StringRef type) {
    Type parsed = parse(type);
    unsigned position = made.getNumArguments();
    EXPECT_TRUE(succeeded(made.insertArgument(position, parsed, {}, loc)));
    return {parsed, {made.getArgument(position)}};
  }

  /// Lowers what stands before the only `Op`, and evaluates that.
  template <typename Op>
  Binding evaluate() {
    auto wanted = lowerBefore<Op>();
    return lowering->expressions().evaluate(wanted);
  }
  template <typename Op>
  Op lowerBefore() {
    auto wanted = find<Op>();
    for (Operation &op : source.getBody().front()) {
      if (&op == wanted)
        break;
      lowering->statements().lower(op);
    }
    return wanted;
  }

  /// The ops of one kind in `@made`.
  template <typename Op>
  SmallVector<Op> findMade() {
    SmallVector<Op> found;
    made.walk([&](Op op) { found.push_back(op); });
    return found;
  }
};

//===----------------------------------------------------------------------===//
// Names and parts
//===----------------------------------------------------------------------===//

TEST_F(LoweringExpressionsTest, NamesHaveTheTypesOfTheirReads) {
  enter("%n = py.get \"n\" : si16");
  hold("n", constant("#py.int<65537 : si64>"));
  Binding read = evaluate<GetOp>();
  EXPECT_EQ(read.type, parse("si16"));
  EXPECT_EQ(fold(read), 1);
  // No path that comes here has set it.
  enter("%m = py.get \"m\" : si64");
  EXPECT_EQ(fold(evaluate<GetOp>()), 0);
}

TEST_F(LoweringExpressionsTest, AttributesOfARecordAreItsFields) {
  constexpr llvm::StringLiteral record =
      "!pyk.array<!pyk.record<\"x\" : f32 at 0, \"n\" : i64 at 8, size 16>, c>";
  enter(("%r = py.get \"r\" : " + record + "\n%n = py.attribute %r \"n\" : (" +
         record + ") -> si32")
            .str());
  hold("r", argument(record));
  Binding value = evaluate<AttributeOp>();
  EXPECT_EQ(value.type, parse("si32"));
  auto fields = findMade<FieldOp>();
  ASSERT_EQ(fields.size(), 1U);
  EXPECT_EQ(fields[0].getName(), "n");
  auto narrowed = value.parts[0].getDefiningOp<arith::TruncIOp>();
  ASSERT_TRUE(narrowed);
  auto load = narrowed.getIn().getDefiningOp<pyk::LoadOp>();
  ASSERT_TRUE(load);
  EXPECT_EQ(load.getArray(), fields[0].getResult());
}

// The field of all records is an array.
TEST_F(LoweringExpressionsTest, AttributesOfRecordsAreArrays) {
  constexpr llvm::StringLiteral records =
      "!pyk.array<?x!pyk.record<\"x\" : f32 at 0, \"m\" : 2xi8 at 4, size 8>, "
      "c>";
  enter(("%r = py.get \"r\" : " + records + "\n%m = py.attribute %r \"m\" : (" +
         records + ") -> !pyk.array<?x2xi8, any>")
            .str());
  hold("r", argument(records));
  Binding value = evaluate<AttributeOp>();
  EXPECT_EQ(value.type, parse("!pyk.array<?x2xi8, any>"));
  EXPECT_EQ(findMade<FieldOp>().size(), 1U);
  EXPECT_TRUE(findMade<pyk::LoadOp>().empty());
}

TEST_F(LoweringExpressionsTest, AttributesOfRecordsAreSet) {
  constexpr llvm::StringLiteral record =
      "!pyk.array<!pyk.record<\"x\" : f32 at 0, \"n\" : i16 at 4, size 8>, c>";
  enter(("%r = py.get \"r\" : " + record +
         "\n%n = py.constant(#py.int<65539 : si64>) : si64"
         "\npy.set_attribute %n, %r \"n\" : si64, " +
         record)
            .str());
  hold("r", argument(record));
  lowering->records().lower(lowerBefore<SetAttributeOp>());
  auto stores = findMade<pyk::StoreOp>();
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(fold(stores[0].getValue()), 3);
  EXPECT_EQ(stores[0].getArray().getDefiningOp<FieldOp>().getName(), "n");
}

TEST_F(LoweringExpressionsTest, AttributesOfNamedTuplesAreItems) {
  enter(R"mlir(
    %p = py.constant(#py.named_tuple<"m.P", ["x", "y"],
                     [#py.int<1 : si64>, #py.int<2 : si64>]>)
        : !py.named_tuple<"m.P", ["x", "y"], tuple<si64, si64>>
    %y = py.attribute %p "y"
        : (!py.named_tuple<"m.P", ["x", "y"], tuple<si64, si64>>) -> si64
  )mlir");
  EXPECT_EQ(fold(evaluate<AttributeOp>()), 2);
}

TEST_F(LoweringExpressionsTest, MembersOfEnumerationsHaveValues) {
  enter(R"mlir(
    %m = py.constant(#py.enum_member<"m.E", #py.int<4 : si64>>)
        : !py.enum<"m.E", si64>
    %v = py.attribute %m "value" : (!py.enum<"m.E", si64>) -> si64)mlir");
  EXPECT_EQ(fold(evaluate<AttributeOp>()), 4);
}

TEST_F(LoweringExpressionsTest, ItemsAreSelectedByPositions) {
  enter(R"mlir(
    %t = py.constant([#py.int<5 : si64>, #py.int<6 : si64>,
                      #py.int<7 : si64>]) : tuple<si64, si64, si64>
    %n = py.get "n" : si64
    %i = py.subscript %t[%n] position 1
        : (tuple<si64, si64, si64>, si64) -> si64)mlir");
  EXPECT_EQ(fold(evaluate<SubscriptOp>()), 6);
  enter(R"mlir(
    %t = py.constant([#py.int<5 : si64>, #py.int<6 : si64>,
                      #py.int<7 : si64>]) : tuple<si64, si64, si64>
    %n = py.get "n" : si64
    %s = py.subscript %t[%n] selection [2, 0]
        : (tuple<si64, si64, si64>, si64) -> tuple<si64, si64>)mlir");
  Binding selected = evaluate<SubscriptOp>();
  ASSERT_EQ(selected.parts.size(), 2U);
  EXPECT_EQ(fold(selected.parts[0]), 7);
  EXPECT_EQ(fold(selected.parts[1]), 5);
}

TEST_F(LoweringExpressionsTest, PositionsThatAreNotKnownAreChecked) {
  options.checkBounds = true;
  enter(R"mlir(
    %t = py.constant([#py.int<5 : si64>, #py.int<6 : si64>])
        : tuple<si64, si64>
    %n = py.get "n" : si64
    %i = py.subscript %t[%n] : (tuple<si64, si64>, si64) -> si64)mlir");
  (void)evaluate<SubscriptOp>();
  EXPECT_EQ(getCheck(), "index {0} is out of range for a tuple of {1}");
}

TEST_F(LoweringExpressionsTest, TuplesHoldWhatTheirTypeSays) {
  enter(R"mlir(
    %n = py.constant(#py.int<300 : si64>) : si64
    %t = py.tuple(%n, %n) : (si64, si64) -> tuple<si64, ui8>)mlir");
  Binding tuple = evaluate<TupleOp>();
  ASSERT_EQ(tuple.parts.size(), 2U);
  EXPECT_EQ(fold(tuple.parts[0]), 300);
  EXPECT_EQ(fold(tuple.parts[1]), 300 - 256);
}

TEST_F(LoweringExpressionsTest, ItemsAreGivenToNames) {
  enter(R"mlir(
    %t = py.constant([#py.int<5 : si64>, #py.int<6 : si64>])
        : tuple<si64, si64>
    %a, %b = py.unpack %t : (tuple<si64, si64>) -> (si64, si32))mlir");
  auto unpack = lowerBefore<UnpackOp>();
  lowering->expressions().lower(unpack);
  EXPECT_EQ(fold(lowering->get(unpack.getResult(0))), 5);
  EXPECT_EQ(lowering->get(unpack.getResult(1)).type, parse("si32"));
  EXPECT_EQ(fold(lowering->get(unpack.getResult(1))), 6);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

TEST_F(LoweringExpressionsTest, TheSecondOperandRunsIfItIsAsked) {
  enter(R"mlir(
    %n = py.get "n" : si64
    %x = py.logical or %n : (si64) -> si64 {
      %four = py.constant(#py.int<4 : si64>) : si64
      py.yield %four : si64
    })mlir");
  Binding value = evaluate<LogicalOp>();
  auto choice = value.parts[0].getDefiningOp<scf::IfOp>();
  ASSERT_TRUE(choice);
  // Where `n` is true, it is the value itself.
  EXPECT_EQ(choice.thenYield().getOperand(0), made.getArgument(0));
  APInt other;
  EXPECT_TRUE(
      matchPattern(choice.elseYield().getOperand(0), m_ConstantInt(&other)));
  EXPECT_EQ(other, 4);
}

// Inference has not looked at the other.
TEST_F(LoweringExpressionsTest, WhatIsDecidedIsNotAsked) {
  enter(R"mlir(
    %n = py.get "n" : si64
    %x = py.logical or %n taken false : (si64) -> si64 {
      %bad = py.get "bad" : !py.object
      py.yield %bad : !py.object
    })mlir");
  EXPECT_EQ(evaluate<LogicalOp>().parts[0], made.getArgument(0));
  EXPECT_TRUE(findMade<scf::IfOp>().empty());
}

TEST_F(LoweringExpressionsTest, ArmsHaveTheTypeOfTheChoice) {
  enter(R"mlir(
    %n = py.get "n" : si64
    %x = py.conditional %n : (si64) -> si16 {
      %one = py.constant(#py.int<1 : si64>) : si64
      py.yield %one : si64
    } else {
      %two = py.constant(#py.int<2 : si32>) : si32
      py.yield %two : si32
    })mlir");
  auto op = lowerBefore<ConditionalOp>();
  Binding value = lowering->expressions().evaluate(op);
  auto choice = value.parts[0].getDefiningOp<scf::IfOp>();
  ASSERT_TRUE(choice);
  EXPECT_TRUE(choice.getResult(0).getType().isInteger(16));
  auto test = choice.getCondition().getDefiningOp<arith::CmpIOp>();
  ASSERT_TRUE(test);
  EXPECT_EQ(test.getPredicate(), arith::CmpIPredicate::ne);
  EXPECT_EQ(test.getLhs(), made.getArgument(0));
  EXPECT_TRUE(lowering->expressions()
                  .testCondition(op.getCondition())
                  .getType()
                  .isInteger(1));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

constexpr llvm::StringLiteral kSum = R"mlir(
  %zero = py.constant(#py.int<0 : si64>) : si64
  py.set "s", %zero : si64
  %r = py.get "r" : !py.range<si64>
  py.for in %r slots {s = si64} after {s = si64} : !py.range<si64> {
  ^body(%i: si64):
    %s = py.get "s" : si64
    %sum = py.binary add %s, %i : (si64, si64) -> si64
    py.set "s", %sum : si64
  }
  %s = py.get "s" : si64)mlir";

TEST_F(LoweringExpressionsTest, CountedLoopsCarryTheirVariables) {
  enter(kSum);
  Binding start = constant("#py.int<2 : si64>"),
          step = constant("#py.int<3 : si64>");
  hold("r", {parse("!py.range<si64>"),
             {start.parts[0], made.getArgument(0), step.parts[0]}});
  EXPECT_TRUE(lowering->loops().lowerFor(lowerBefore<py::ForOp>()));
  auto loops = findMade<scf::ForOp>();
  ASSERT_EQ(loops.size(), 1U);
  ASSERT_EQ(loops[0].getInitArgs().size(), 1U);
  const Binding *sum = lowering->variables().find(builder->getStringAttr("s"));
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->parts[0], loops[0].getResult(0));
  EXPECT_TRUE(loops[0].getYieldedValues()[0].getDefiningOp<arith::AddIOp>());
}

TEST_F(LoweringExpressionsTest, LoopsOverNothingAreNone) {
  enter(R"mlir(
    %e = py.constant([]) : tuple<>
    py.for in %e : tuple<> {
    ^body(%i: !py.object):
      %bad = py.get "bad" : !py.object
    })mlir");
  EXPECT_TRUE(lowering->loops().lowerFor(lowerBefore<py::ForOp>()));
  EXPECT_TRUE(findMade<LoopLikeOpInterface>().empty());
}

TEST_F(LoweringExpressionsTest, BreaksLeaveALoopOfPyk) {
  enter(R"mlir(
    py.while slots {} after {} {
      %n = py.get "n" : si64
      py.yield %n : si64
    } do {
      %n = py.get "n" : si64
      py.if %n : si64 {
        py.break
      } else {
      }
    })mlir");
  EXPECT_TRUE(lowering->loops().lowerWhile(lowerBefore<py::WhileOp>()));
  EXPECT_TRUE(findMade<scf::WhileOp>().empty());
  EXPECT_FALSE(findMade<pyk::BreakOp>().empty());
}

} // namespace
