// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk-opt does: run PyK's passes and pipelines on MLIR, and nothing else.

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "pyk-c/Tools.h"
#include "pyk/InitAll.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

int pyk_opt_main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pyk::registerAllDialects(registry);
  pyk::registerAllPasses();
  pyk::registerAllPipelines();
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "pyk-opt " PYK_VERSION " with MLIR " LLVM_VERSION_STRING "\n";
  });
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "PyK's optimizer: runs passes on MLIR\n", registry));
}
