// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `ast` buffers from standard input, one on each line, infers types, and
// prints for each what the function that `kernel` calls returns, or the error.
// It lets a test compare thousands of functions in one process. With
// `--convert`, what is typed is also converted to stage pyk and verified.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "pyk/Conversion/Passes.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Py/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Frontend/AstBuffer.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>

using namespace mlir;
using namespace pyk;

static llvm::cl::opt<bool> convert("convert",
                                   llvm::cl::desc("Also convert to stage pyk"));

/// The result of the function that `kernel` calls, as messages show it.
static std::string describeResult(ModuleOp module) {
  auto kernel = module.lookupSymbol<py::FuncOp>("kernel");
  std::optional<Type> result;
  if (kernel)
    kernel.walk([&](py::CallOp call) {
      if (FlatSymbolRefAttr target = call.getTargetAttr())
        result = SymbolTable::lookupNearestSymbolFrom<py::FuncOp>(call, target)
                     .getResult();
    });
  return result ? py::describe(*result) : "unknown";
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "infers types of ast buffers\n");
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<py::PyDialect, PykDialect, arith::ArithDialect,
                      math::MathDialect, scf::SCFDialect, ub::UBDialect>();
  for (std::string line; std::getline(std::cin, line);) {
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty())
        error = diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> module =
        importAstBuffer(line, "<buffer>", &context, nullptr);
    PassManager pm(&context);
    pm.addPass(py::createInferTypesPass());
    if (!module || failed(pm.run(*module))) {
      llvm::outs() << "error: " << error << '\n';
      continue;
    }
    llvm::outs() << describeResult(*module);
    if (convert) {
      // A crash ends the output with the case that it is about.
      llvm::outs().flush();
      PassManager conversion(&context);
      conversion.addPass(createConvertPyToPykPass());
      if (failed(conversion.run(*module)))
        llvm::outs() << ", not converted: " << error;
    }
    llvm::outs() << '\n';
  }
  return 0;
}
