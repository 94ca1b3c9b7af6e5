// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates a module in stage nvvm to LLVM IR or PTX, for tests of what
// comes after MLIR.

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "pyk/InitAll.h"
#include "pyk/Target/LLVMIR.h"
#include "pyk/Target/PTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

static llvm::cl::opt<std::string> chip("chip", llvm::cl::init("sm_80"),
                                       llvm::cl::desc("GPU to compile for"));
static llvm::cl::opt<unsigned> ptxVersion(
    "ptx-version", llvm::cl::init(0),
    llvm::cl::desc("Version of PTX times ten; 0 for the chip's own"));

/// The LLVM IR of a module; null after an error. Checks what MLIR's LLVM
/// dialect does not, since files of tests may hold anything.
static std::unique_ptr<llvm::Module> translate(Operation *op,
                                               llvm::LLVMContext &context) {
  auto module = pyk::translateToLLVMIR(cast<ModuleOp>(op), context);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (module && llvm::verifyModule(*module, &stream)) {
    op->emitError("expects valid LLVM IR but got: ") << message;
    return nullptr;
  }
  return module;
}

static LogicalResult printLLVMIR(Operation *op, raw_ostream &stream) {
  llvm::LLVMContext context;
  auto module = translate(op, context);
  if (!module)
    return failure();
  stream << *module;
  return success();
}

static LogicalResult printPTX(Operation *op, raw_ostream &stream) {
  llvm::LLVMContext context;
  auto module = translate(op, context);
  if (!module)
    return failure();
  pyk::PtxOptions options;
  options.chip = chip;
  options.ptxVersion = ptxVersion;
  auto text = pyk::compileToPTX(*module, options);
  if (!text)
    return op->emitError(llvm::toString(text.takeError()));
  stream << *text;
  return success();
}

int main(int argc, char **argv) {
  TranslateFromMLIRRegistration llvmir("pyk-to-llvmir", "stage llvm",
                                       printLLVMIR, pyk::registerAllDialects);
  TranslateFromMLIRRegistration ptx("pyk-to-ptx", "stage ptx", printPTX,
                                    pyk::registerAllDialects);
  return failed(mlirTranslateMain(argc, argv, "PyK's test translations"));
}
