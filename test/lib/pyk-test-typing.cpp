// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `ast` buffers from standard input, one on each line, infers types, and
// prints for each what the function that `kernel` calls returns, or the
// error. It lets a test compare thousands of functions in one process.

#include "mlir/Pass/PassManager.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Py/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Frontend/AstBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>

using namespace mlir;
using namespace pyk;

int main() {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<py::PyDialect, PykDialect>();
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
    auto kernel = module->lookupSymbol<py::FuncOp>("kernel");
    Type result;
    kernel.walk([&](py::CallOp call) {
      result = SymbolTable::lookupNearestSymbolFrom<py::FuncOp>(
                   call, call.getTargetAttr())
                   .getResult()
                   .value_or(Type());
    });
    llvm::outs() << (result ? py::describe(result) : "unknown") << '\n';
  }
  return 0;
}
