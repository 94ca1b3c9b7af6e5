// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs PyK's passes and pipelines on MLIR, and nothing else.

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "pyk/InitAll.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pyk::registerAllDialects(registry);
  pyk::registerAllPasses();
  pyk::registerAllPipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "PyK's optimizer: runs passes on MLIR\n", registry));
}
