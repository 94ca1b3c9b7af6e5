// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step from MLIR to PTX as a pass, so that one command of pyk-opt repeats a
// whole compilation. The text goes to standard output at once; pyk-opt's own
// result goes where its option -o says.

#include "pyk/Target/LLVMIR.h"
#include "pyk/Target/PTX.h"
#include "pyk/Target/PTX/Passes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace pyk {
#define GEN_PASS_DEF_PRINTPTXPASS
#include "pyk/Target/PTX/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

namespace {

struct PrintPTXPass : pyk::impl::PrintPTXPassBase<PrintPTXPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    llvm::LLVMContext context;
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(getOperation()->clone());
    CompileOptions wanted;
    wanted.debugInfo = debugInfo;
    auto module = translateToLLVMIR(*copy, context, getDebugInfo(wanted));
    if (!module)
      return signalPassFailure();
    PtxOptions options;
    options.chip = chip;
    options.ptxVersion = ptxVersion;
    options.optimizationLevel = opt;
    auto text = compileToPTX(*module, options);
    if (!text) {
      getOperation().emitError(llvm::toString(text.takeError()));
      return signalPassFailure();
    }
    llvm::outs() << *text;
    llvm::outs().flush();
  }
};

} // namespace
