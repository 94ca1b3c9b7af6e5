// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `ast` buffers from standard input. By default there is one on each
// line, and for each what the function that `kernel` calls returns is printed,
// or the error; that lets a test compare thousands of functions in one process.
// With
// `--convert`, what is typed is also converted to stage pyk and verified. With
// `--print=STAGE`, the input is one buffer, and its module is printed.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"
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
#include <iterator>

using namespace mlir;
using namespace pyk;

namespace {
/// What to print of the one buffer that is read.
enum class Stage { None, Imported, Typed, Converted };
} // namespace

static llvm::cl::opt<bool> convert("convert",
                                   llvm::cl::desc("Also convert to stage pyk"));

static llvm::cl::opt<Stage> print(
    "print", llvm::cl::desc("Read one buffer and print its module"),
    llvm::cl::init(Stage::None),
    llvm::cl::values(clEnumValN(Stage::Imported, "imported", "as imported"),
                     clEnumValN(Stage::Typed, "typed", "with types"),
                     clEnumValN(Stage::Converted, "converted", "in pyk")));

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

/// Prints what becomes of the one buffer on standard input. Errors are shown as
/// a user sees them.
static int printOne(MLIRContext &context) {
  std::string buffer(std::istreambuf_iterator<char>(std::cin), {});
  SourceText sources;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::outs() << render(diagnostic, sources).text << '\n';
    return success();
  });
  OwningOpRef<ModuleOp> module =
      importAstBuffer(buffer, "<buffer>", &context, &sources);
  PassManager pm(&context);
  if (print != Stage::Imported)
    pm.addPass(py::createInferTypesPass());
  if (print == Stage::Converted)
    pm.addPass(createConvertPyToPykPass());
  if (!module || failed(verify(*module)) || failed(pm.run(*module)))
    return 1;
  llvm::outs() << *module << '\n';
  return 0;
}

/// Prints the result, or the error, of the buffer on each line.
static int printResults(MLIRContext &context) {
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

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "types ast buffers\n");
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<py::PyDialect, PykDialect, arith::ArithDialect,
                      math::MathDialect, scf::SCFDialect, ub::UBDialect>();
  return print == Stage::None ? printResults(context) : printOne(context);
}
