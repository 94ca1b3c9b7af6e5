// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of the parts of type inference share.

#ifndef PYK_TEST_UNIT_DIALECT_INFERENCESUPPORT_H
#define PYK_TEST_UNIT_DIALECT_INFERENCESUPPORT_H

#include "Dialect/Py/Transforms/FunctionInference.h"
#include "Dialect/Py/Transforms/ProgramInference.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "pyk/InitAll.h"
#include "gtest/gtest.h"

namespace pyk::py {

/// A context that keeps the errors that are emitted in it, notes included.
class InferenceTest : public testing::Test {
protected:
  InferenceTest()
      : context(getRegistry()),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages.push_back(diagnostic.str());
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            messages.push_back(note.str());
          return mlir::success();
        }) {
    context.loadAllAvailableDialects();
  }

  static mlir::DialectRegistry getRegistry() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  mlir::Type parse(llvm::StringRef type) {
    return mlir::parseType(type, &context);
  }

  /// Makes `inference`, of a function with `body` that has not been walked;
  /// `others` are functions beside it.
  void start(llvm::StringRef body, llvm::StringRef others = "") {
    std::string text =
        "!o = !py.object\npy.func @f([]) {" + body.str() + "}" + others.str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    program = std::make_unique<ProgramInference>(*module, false);
    function = *module->getOps<FuncOp>().begin();
    inference = std::make_unique<FunctionInference>(
        *program, function, function.getSymNameAttr(), llvm::ArrayRef<Fact>());
    inference->getWalk().phase = Phase::Types;
  }

  /// The first operation of that kind.
  template <typename Op>
  Op find() {
    return *function.getBody().getOps<Op>().begin();
  }

  mlir::MLIRContext context;
  std::vector<std::string> messages;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  FuncOp function;
  std::unique_ptr<ProgramInference> program;
  std::unique_ptr<FunctionInference> inference;
};

} // namespace pyk::py

#endif // PYK_TEST_UNIT_DIALECT_INFERENCESUPPORT_H
