// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes on pyk share: sizes of shared arrays, slices, ranges of what
// functions return, memory of arrays, and ops that are expanded in place.

#include "Dialect/Pyk/Transforms/Contraction.h"
#include "Dialect/Pyk/Transforms/ExpandBFloats.h"
#include "Dialect/Pyk/Transforms/ExpandComplex.h"
#include "Dialect/Pyk/Transforms/ExpandFloat8.h"
#include "Dialect/Pyk/Transforms/GuardedMemory.h"
#include "Dialect/Pyk/Transforms/NarrowIntegers.h"
#include "Dialect/Pyk/Transforms/OutsideReport.h"
#include "Dialect/Pyk/Transforms/RealExpressions.h"
#include "Dialect/Pyk/Transforms/ReturnedRanges.h"
#include "Dialect/Pyk/Transforms/SharedSizes.h"
#include "Dialect/Pyk/Transforms/Slices.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "pyk/Dialect/Pyk/IR/PykComplexOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "pyk/InitAll.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pyk;

namespace {

class PykPartsTest : public testing::Test {
protected:
  PykPartsTest() : context(getRegistry()) {
    context.loadAllAvailableDialects();
  }

  static const DialectRegistry &getRegistry() {
    static const DialectRegistry registry = [] {
      DialectRegistry all;
      registerAllDialects(all);
      return all;
    }();
    return registry;
  }

  /// Parses a module whose first function is `function` from here on.
  void start(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    function = *module->getOps<pyk::FuncOp>().begin();
    entry = &function.getBody().front();
  }

  /// The only op of one kind.
  template <typename Op>
  Op find() {
    Op found;
    module->walk([&](Op op) {
      EXPECT_FALSE(found);
      found = op;
    });
    EXPECT_TRUE(found);
    return found;
  }

  static std::optional<int64_t> getNumber(Value value) {
    APInt number;
    if (!matchPattern(value, m_ConstantInt(&number)))
      return std::nullopt;
    return number.getSExtValue();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  pyk::FuncOp function;
  Block *entry = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is found out
//===----------------------------------------------------------------------===//

TEST_F(PykPartsTest, SizesAreComputedTwiceByTheSameTerms) {
  start(R"mlir(
    pyk.func @f(%n: i32, %m: i64) -> i64 {
      %four = arith.constant 4 : i64
      %wide = arith.extui %n : i32 to i64
      %size = arith.muli %wide, %four : i64
      %least = arith.minsi %size, %m : i64
      pyk.return %least : i64
    })mlir");
  SizeTerms terms;
  Value unknown;
  ASSERT_TRUE(succeeded(
      readSize(entry->getTerminator()->getOperand(0), terms, unknown)));
  SmallVector<SizeTermKind> kinds;
  for (SizeTermAttr term : terms)
    kinds.push_back(term.getKind());
  EXPECT_EQ(kinds,
            (SmallVector<SizeTermKind>{
                SizeTermKind::Unsigned, SizeTermKind::Constant,
                SizeTermKind::Mul, SizeTermKind::Signed, SizeTermKind::Min}));
  ImplicitLocOpBuilder b(function.getLoc(), entry->getTerminator());
  Value arguments[] = {
      arith::ConstantIntOp::create(b, b.getI32Type(), 5).getResult(),
      arith::ConstantIntOp::create(b, b.getI64Type(), 1000).getResult()};
  EXPECT_EQ(getNumber(makeSize(terms, arguments, b)), 20);
}

TEST_F(PykPartsTest, NoLaunchKnowsWhatMemoryHolds) {
  start(R"mlir(
    pyk.func @f(%a: !pyk.array<i64, c>, %n: i64) -> i64 {
      %x = pyk.load %a[] : !pyk.array<i64, c>
      %size = arith.addi %x, %n : i64
      pyk.return %size : i64
    })mlir");
  SizeTerms terms;
  Value unknown;
  EXPECT_TRUE(
      failed(readSize(entry->getTerminator()->getOperand(0), terms, unknown)));
  EXPECT_EQ(unknown, find<LoadOp>().getResult());
}

TEST_F(PykPartsTest, SlicesFollowMemory) {
  start(R"mlir(
    pyk.func @f(%a: !pyk.array<i64, c>, %n: i64, %m: i64) -> i64 {
      %one = arith.constant 1 : i64
      %sum = arith.addi %n, %one : i64
      pyk.store %sum, %a[] : !pyk.array<i64, c>
      %other = arith.muli %m, %m : i64
      %x = pyk.load %a[] : !pyk.array<i64, c>
      pyk.return %x : i64
    })mlir");
  UnderlyingObjects objects(*module);
  Slice slice =
      Slicer(objects).slice(function, entry->getTerminator()->getOperand(0));
  EXPECT_TRUE(slice.values.contains(find<arith::AddIOp>().getResult()));
  EXPECT_TRUE(slice.values.contains(entry->getArgument(1)));
  EXPECT_FALSE(slice.values.contains(find<arith::MulIOp>().getResult()));
  ASSERT_EQ(slice.reads.size(), 1U);
  EXPECT_EQ(slice.reads[0].op, find<LoadOp>());
  EXPECT_TRUE(isWithin(entry->getArgument(0), function));
  EXPECT_FALSE(isWithin(entry->getArgument(0), find<arith::AddIOp>()));
}

TEST_F(PykPartsTest, CallsHaveTheRangesThatFunctionsReturn) {
  start(R"mlir(
    pyk.func @f() -> i32 {
      %x = pyk.call @g() : () -> i32
      pyk.return %x : i32
    }
    pyk.func @g() -> i32 {
      %five = arith.constant 5 : i32
      pyk.return %five : i32
    })mlir");
  ReturnedRanges ranges(*module);
  ASSERT_EQ(ranges.getFunctions().size(), 2U);
  pyk::FuncOp callee = ranges.getFunctions()[0];
  EXPECT_EQ(callee.getSymName(), "g");
  Block &body = callee.getBody().front();
  RangeEnvironment known;
  known.defineResults(&body.front());
  ranges.add(cast<pyk::ReturnOp>(body.getTerminator()), known);
  auto call = find<pyk::CallOp>();
  // Another return may follow.
  ranges.define(call, known);
  EXPECT_TRUE(known.get(call->getResult(0)).smax().isMaxSignedValue());
  ranges.finish(callee);
  ranges.define(call, known);
  EXPECT_EQ(known.get(call->getResult(0)).smax(), 5);
  EXPECT_EQ(known.get(call->getResult(0)).smin(), 5);
}

TEST_F(PykPartsTest, SumsOfShortNumbersAreNarrow) {
  start(R"mlir(
    pyk.func @f(%x: i16, %n: i64) -> (i64, i64) {
      %one = arith.constant 1 : i64
      %wide = arith.extsi %x : i16 to i64
      %sum = arith.addi %wide, %one : i64
      %product = arith.muli %n, %one : i64
      pyk.return %sum, %product : i64, i64
    })mlir");
  RangeEnvironment known;
  for (Value argument : entry->getArguments())
    known.define(argument, IntegerValueRange::getMaxRange(argument));
  NarrowIntegers narrow;
  for (Operation &op : entry->without_terminator()) {
    known.defineResults(&op);
    narrow.visit(&op, known);
  }
  narrow.apply(function, known);
  EXPECT_TRUE(find<arith::AddIOp>().getType().isInteger(32));
  EXPECT_TRUE(bitEnumContainsAny(find<arith::AddIOp>().getOverflowFlags(),
                                 arith::IntegerOverflowFlags::nsw));
  EXPECT_TRUE(find<arith::MulIOp>().getType().isInteger(64));
  auto sum = entry->getTerminator()->getOperand(0);
  EXPECT_TRUE(sum.getDefiningOp<arith::ExtSIOp>());
}

TEST_F(PykPartsTest, OpsThatAreForgottenStayWide) {
  start(R"mlir(
    pyk.func @f(%x: i16) -> i64 {
      %one = arith.constant 1 : i64
      %wide = arith.extsi %x : i16 to i64
      %sum = arith.addi %wide, %one : i64
      pyk.return %sum : i64
    })mlir");
  RangeEnvironment known;
  Value argument = entry->getArgument(0);
  known.define(argument, IntegerValueRange::getMaxRange(argument));
  NarrowIntegers narrow;
  for (Operation &op : entry->without_terminator()) {
    known.defineResults(&op);
    narrow.visit(&op, known);
  }
  narrow.forget(find<arith::AddIOp>());
  narrow.apply(function, known);
  EXPECT_TRUE(find<arith::AddIOp>().getType().isInteger(64));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_F(PykPartsTest, ViewsHaveTheRootsOfTheirArrays) {
  start(R"mlir(
    pyk.func @f(%a: !pyk.array<?x8xf32, c>, %b: !pyk.array<?x8xf32, c>,
                %c: i1, %i: i64) {
      %row = pyk.view %a[%i, *]
          : !pyk.array<?x8xf32, c> to !pyk.array<8xf32, c>
      %other = pyk.view %b[%i, *]
          : !pyk.array<?x8xf32, c> to !pyk.array<8xf32, c>
      %either = arith.select %c, %row, %other : !pyk.array<8xf32, c>
      pyk.return
    })mlir");
  auto roots = getRoots(find<arith::SelectOp>().getResult());
  EXPECT_EQ(roots.size(), 2U);
  EXPECT_TRUE(roots.contains(entry->getArgument(0)));
  EXPECT_TRUE(roots.contains(entry->getArgument(1)));
  // That of no kernel.
  EXPECT_FALSE(getArrayArgument(entry->getArgument(0)));
}

TEST_F(PykPartsTest, OffsetsCountElementsOrBytes) {
  auto step = [&](StringRef type) {
    return getStep(cast<ArrayType>(parseType(type, &context)));
  };
  EXPECT_EQ(step("!pyk.array<?xf64, c>"), 8);
  EXPECT_EQ(step("!pyk.array<?xi1, c>"), 1);
  EXPECT_EQ(step("!pyk.array<?xf64, any>"), 1);
}

TEST_F(PykPartsTest, ReportsNameTheAccess) {
  start(R"mlir(
    pyk.func @f(%a: !pyk.array<?xf32, c>, %i: i64) {
      %x = pyk.load %a[%i] : !pyk.array<?xf32, c>
      pyk.return
    })mlir");
  auto load = find<LoadOp>();
  ImplicitLocOpBuilder b(load.getLoc(), load);
  reportOutside(load, {}, load.getIndices(), b);
  auto outside = find<OutsideOp>();
  EXPECT_EQ(outside.getText(),
            "reads an array at [{0}], outside of the array's "
            "memory; such reads give 0");
  entry->getArgument(0).setLoc(
      NameLoc::get(StringAttr::get(&context, "a"), load.getLoc()));
  outside.erase();
  b.setInsertionPoint(load);
  reportOutside(load, entry->getArgument(0), {}, b);
  EXPECT_EQ(find<OutsideOp>().getText(),
            "reads a, outside of the array's memory; such reads give 0");
}

//===----------------------------------------------------------------------===//
// Ops that are expanded
//===----------------------------------------------------------------------===//

TEST_F(PykPartsTest, ShortFloatsAreComputedInLongOnes) {
  start(R"mlir(
    pyk.func @f(%x: bf16, %y: f32) -> (bf16, f32) {
      %sum = arith.addf %x, %x fastmath<contract> : bf16
      %product = arith.mulf %y, %y fastmath<contract> : f32
      pyk.return %sum, %product : bf16, f32
    })mlir");
  auto sum = find<arith::AddFOp>();
  EXPECT_TRUE(mayContract(sum));
  expandBFloats(sum);
  EXPECT_TRUE(sum.getType().isF32());
  EXPECT_TRUE(sum.getLhs().getDefiningOp<arith::ExtFOp>());
  // It is rounded in between.
  EXPECT_FALSE(mayContract(sum));
  EXPECT_EQ(find<arith::TruncFOp>().getIn(), sum.getResult());
  // Nothing is to be done to others.
  auto product = find<arith::MulFOp>();
  expandBFloats(product);
  EXPECT_TRUE(mayContract(product));
  EXPECT_EQ(product.getLhs(), entry->getArgument(1));
}

TEST_F(PykPartsTest, OnlyTheirOwnOpsAreExpanded) {
  start(R"mlir(
    pyk.func @f(%x: f32, %z: complex<f32>) -> (i8, complex<f32>) {
      %short = pyk.round_to_float8 e4m3 saturate nearest %x : f32
      %root = pyk.complex.sqrt %z : complex<f32>
      pyk.return %short, %root : i8, complex<f32>
    })mlir");
  Operation *end = entry->getTerminator();
  EXPECT_FALSE(expandFloat8(find<ComplexSqrtOp>()));
  EXPECT_FALSE(expandComplex(find<RoundToFloat8Op>()));
  EXPECT_TRUE(expandFloat8(find<RoundToFloat8Op>()));
  EXPECT_TRUE(end->getOperand(0).getDefiningOp<arith::TruncIOp>());
  EXPECT_TRUE(expandComplex(find<ComplexSqrtOp>()));
  EXPECT_TRUE(end->getOperand(1).getDefiningOp<complex::CreateOp>());
}

TEST_F(PykPartsTest, ExpressionsAreOps) {
  start("pyk.func @f(%x: f32, %y: f64) {\n pyk.return\n }");
  ImplicitLocOpBuilder b(function.getLoc(), entry->getTerminator());
  Real x{&b, entry->getArgument(0)}, y{&b, entry->getArgument(1)};
  Real sum = x * 3 + x;
  auto add = sum.value.getDefiningOp<arith::AddFOp>();
  ASSERT_TRUE(add);
  EXPECT_EQ(add.getRhs(), x.value);
  auto product = add.getLhs().getDefiningOp<arith::MulFOp>();
  ASSERT_TRUE(product);
  APFloat three(0.0F);
  ASSERT_TRUE(matchPattern(product.getRhs(), m_ConstantFloat(&three)));
  EXPECT_TRUE(three.isExactlyValue(3.0));
  auto chosen =
      select(x < 1 || isNaN(x), x, 2).value.getDefiningOp<arith::SelectOp>();
  ASSERT_TRUE(chosen);
  EXPECT_TRUE(chosen.getCondition().getDefiningOp<arith::OrIOp>());
  // An odd power of two in each width.
  EXPECT_EQ(getLimits(x).digits, 23);
  EXPECT_EQ(getLimits(y).digits, 53);
  EXPECT_EQ(getLimits(y).wide, std::ldexp(1.0, 508));
}
