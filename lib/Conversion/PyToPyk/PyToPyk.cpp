// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-py-to-pyk: the pass. Each typed py.func is read once and a pyk.func
// is built beside it; no pattern is matched, because SSA form needs the order
// of statements, which a walk has and a pattern has not.

#include "FunctionLowering.h"
#include "LibraryCalls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "pyk/Conversion/Passes.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Support/Diagnostics.h"

namespace pyk {
#define GEN_PASS_DEF_CONVERTPYTOPYKPASS
#include "pyk/Conversion/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// The functions that code of other languages calls, and all that these reach.
static llvm::SmallPtrSet<Operation *, 8> findExported(ModuleOp module) {
  llvm::SmallPtrSet<Operation *, 8> exported;
  SmallVector<py::FuncOp> waiting;
  auto add = [&](py::FuncOp function) {
    if (function && exported.insert(function).second)
      waiting.push_back(function);
  };
  for (auto function : module.getOps<py::FuncOp>())
    if (kExport.isOn(function))
      add(function);
  if (waiting.empty())
    return exported;
  SymbolTable symbols(module);
  while (!waiting.empty())
    waiting.pop_back_val().walk([&](Operation *op) {
      if (FlatSymbolRefAttr target = py::getTarget(op))
        add(symbols.lookup<py::FuncOp>(target.getValue()));
    });
  return exported;
}

namespace {
struct ConvertPyToPykPass
    : pyk::impl::ConvertPyToPykPassBase<ConvertPyToPykPass> {
  using ConvertPyToPykPassBase::ConvertPyToPykPassBase;

  void runOnOperation() override {
    SmallVector<py::FuncOp> functions(getOperation().getOps<py::FuncOp>());
    OpBuilder builder(&getContext());
    llvm::SmallPtrSet<Operation *, 8> exported = findExported(getOperation());
    SmallVector<pyk::FuncOp> library;
    for (py::FuncOp source : functions) {
      if (!source.getArguments() || !source.getResult()) {
        source.emitOpError("requires inferred types; run py-infer-types first");
        return signalPassFailure();
      }
      builder.setInsertionPointAfter(source);
      // Errors are about what the program says; the library has none of its
      // own. Nobody would hear of one where other code calls.
      bool isOwn = !source.getLibrary() && !exported.contains(source);
      LoweringOptions options;
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  options.member = member;
#include "pyk/Pipelines/CompileOptions.inc"
      options.checkBounds &= isOwn;
      options.reportErrors &= isOwn;
      // The library has no variables of the program.
      if (source.getLibrary())
        options.debugInfo = "none";
      FunctionLowering lowering(source, builder, options);
      lowering.run();
      auto function = cast<pyk::FuncOp>(source->getNextNode());
      function.setKernel(source.getKernel());
      if (source.getLibrary())
        library.push_back(function);
    }
    for (py::FuncOp source : functions)
      source.erase();
    inlineShortCalls(getOperation(), library);
  }
};
} // namespace
