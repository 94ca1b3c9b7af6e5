// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the lowering from py that deal with control: which variables live
// where, what loops and calls become, what debuggers are told.

#include "Conversion/PyToPyk/Debugger.h"
#include "Conversion/PyToPyk/Liveness.h"
#include "LoweringSupport.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {
class LoweringFlowTest : public LoweringTest {
protected:
  /// The function of `text`, which takes an integer `n`, of a module that lives
  /// as long as the test.
  py::FuncOp parseFunction(StringRef body) {
    std::string text = "py.func @f([\"n\"]) arguments [si64] returns none {" +
                       body.str() + "}";
    other = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(other);
    return *other->getOps<py::FuncOp>().begin();
  }

  template <typename Op>
  static Op find(Operation *root) {
    Op found;
    root->walk([&](Op op) { found = op; });
    return found;
  }

  Names names(std::initializer_list<StringRef> list) {
    Names result;
    for (StringRef name : list)
      result.insert(StringAttr::get(&context, name));
    return result;
  }

  OwningOpRef<ModuleOp> other;
};

constexpr StringRef kLoop = R"mlir(
  %zero = py.constant(#py.int<0 : si64>) : si64
  py.set "s", %zero : si64
  py.set "t", %zero : si64
  py.while slots {s = si64} after {s = si64} {
    %n = py.get "n" : si64
    %s = py.get "s" : si64
    %c = py.compare lt %s, %n : (si64, si64) -> i1
    py.yield %c : i1
  } do {
    %s = py.get "s" : si64
    py.set "u", %s : si64
    %u = py.get "u" : si64
    %more = py.binary add %u, %u : (si64, si64) -> si64
    py.set "s", %more : si64
  }
  %t = py.get "t" : si64)mlir";
} // namespace

TEST_F(LoweringFlowTest, WhatAnIterationReadsLivesAtTheHead) {
  py::FuncOp function = parseFunction(kLoop);
  Liveness liveness(function);
  auto loop = find<py::WhileOp>(function);
  EXPECT_EQ(liveness.getLiveAfter(loop), names({"t"}));
  // `u` is set before it is read.
  EXPECT_EQ(liveness.getLiveAtHead(loop), names({"n", "s", "t"}));
  EXPECT_EQ(liveness.getLiveAtEnd(loop), names({"t"}));
}

TEST_F(LoweringFlowTest, LoopsCarryWhatLives) {
  py::FuncOp function = parseFunction(kLoop);
  builder->setInsertionPointToEnd(module->getBody());
  FunctionLowering loops(function, *builder, options);
  loops.run();
  auto loop = find<scf::WhileOp>(*module);
  ASSERT_TRUE(loop);
  ASSERT_EQ(loop.getInits().size(), 1U);
  APInt first;
  ASSERT_TRUE(matchPattern(loop.getInits()[0], m_ConstantInt(&first)));
  EXPECT_TRUE(first.isZero());
}

TEST_F(LoweringFlowTest, DebuggersAreToldOfNumbersIfAsked) {
  auto count = [&] {
    int64_t told = 0;
    made.walk([&](pyk::DebugValueOp op) {
      EXPECT_EQ(op.getName(), "n");
      EXPECT_EQ(op.getType(), parse("si64"));
      ++told;
    });
    return told;
  };
  StringAttr name = builder->getStringAttr("n");
  tellDebugger(*lowering, name, parameter(), loc);
  EXPECT_EQ(count(), 0);
  options.debugInfo = "full";
  lowering.emplace(module->lookupSymbol<py::FuncOp>("given"), *builder,
                   options);
  tellDebugger(*lowering, name, parameter(), loc);
  EXPECT_EQ(count(), 1);
  // A tuple is nothing that a debugger would show.
  tellDebugger(*lowering, name, constant("[#py.int<1 : si64>]"), loc);
  tellDebugger(*lowering, name, constant("[]"), loc);
  EXPECT_EQ(count(), 1);
}
