// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lowering from py whose parts a test can ask one by one.

#ifndef PYK_TEST_UNIT_CONVERSION_LOWERINGSUPPORT_H
#define PYK_TEST_UNIT_CONVERSION_LOWERINGSUPPORT_H

#include "Conversion/PyToPyk/Constants.h"
#include "Conversion/PyToPyk/FunctionLowering.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/InitAll.h"
#include "gtest/gtest.h"

namespace pyk::py {

/// A lowering that stands in the body of `@made`, whose parameter is an i64.
class LoweringTest : public testing::Test {
protected:
  LoweringTest()
      : context(getRegistry()), loc(mlir::UnknownLoc::get(&context)) {
    context.allowUnregisteredDialects();
    context.loadAllAvailableDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
      py.func @given(["x"]) arguments [si64] returns none {
      }
      pyk.func @made(%x: i64) {
        pyk.return
      })mlir",
                                                     &context);
    made = module->lookupSymbol<pyk::FuncOp>("made");
    builder.emplace(made.getBody().front().getTerminator());
    options.reportErrors = true;
    lowering.emplace(module->lookupSymbol<py::FuncOp>("given"), *builder,
                     options);
  }

  static const mlir::DialectRegistry &getRegistry() {
    static const mlir::DialectRegistry registry = [] {
      mlir::DialectRegistry all;
      registerAllDialects(all);
      return all;
    }();
    return registry;
  }

  mlir::Type parse(llvm::StringRef type) {
    return mlir::parseType(type, &context);
  }

  /// Lets the lowering be that of a function of `body` with a parameter `n`, an
  /// integer, in place of `@given`; `others` are functions beside it. What it
  /// writes still goes into `@made`.
  void enter(llvm::StringRef body, llvm::StringRef others = "") {
    std::string text = "py.func @f([\"n\"]) arguments [si64] returns none {" +
                       body.str() + "}" + others.str();
    entered = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(entered);
    source = *entered->getOps<py::FuncOp>().begin();
    lowering.emplace(source, *builder, options);
  }

  /// The only op of one kind in the function that is lowered.
  template <typename Op>
  Op find() {
    Op found;
    source.walk([&](Op op) {
      EXPECT_FALSE(found);
      found = op;
    });
    EXPECT_TRUE(found);
    return found;
  }

  /// The constant that `attribute` is.
  Binding constant(llvm::StringRef attribute) {
    return makeConstant(*builder, mlir::parseAttribute(attribute, &context),
                        loc);
  }

  /// The parameter, as a number of a type of py.
  Binding parameter(llvm::StringRef type = "si64") {
    return {parse(type), {made.getArgument(0)}};
  }

  /// What the number `value` is once all is folded, without a sign. What was
  /// made stays as it is.
  int64_t fold(mlir::Value value) {
    mlir::OperationState state(loc, "test.use", value, {});
    mlir::Operation *use = builder->create(state);
    mlir::OwningOpRef<pyk::FuncOp> copy = made.clone();
    use->erase();
    mlir::PassManager passes(&context, pyk::FuncOp::getOperationName());
    passes.addPass(mlir::createCanonicalizerPass());
    EXPECT_TRUE(mlir::succeeded(passes.run(*copy)));
    mlir::Operation *last =
        copy->getBody().front().getTerminator()->getPrevNode();
    llvm::APInt known;
    EXPECT_TRUE(
        mlir::matchPattern(last->getOperand(0), mlir::m_ConstantInt(&known)));
    return known.getSExtValue();
  }
  int64_t fold(const Binding &binding) {
    EXPECT_EQ(binding.parts.size(), 1U);
    return fold(binding.parts.front());
  }

  /// The message of the only check that was made.
  std::string getCheck() {
    std::string message;
    made.walk([&](pyk::CheckOp check) {
      EXPECT_EQ(message, "");
      message = check.getFailure()->getMessage().str();
    });
    return message;
  }

  mlir::MLIRContext context;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  pyk::FuncOp made;
  std::optional<mlir::OpBuilder> builder;
  LoweringOptions options;
  std::optional<FunctionLowering> lowering;
  /// What `enter` has parsed.
  mlir::OwningOpRef<mlir::ModuleOp> entered;
  py::FuncOp source;
};

} // namespace pyk::py

#endif // PYK_TEST_UNIT_CONVERSION_LOWERINGSUPPORT_H
