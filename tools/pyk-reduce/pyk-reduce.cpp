// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's reducer with PyK's dialects and passes: makes a file smaller as long
// as a script says that it still shows what is looked for.

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "pyk/InitAll.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pyk::registerAllDialects(registry);
  pyk::registerAllPasses();
  pyk::registerAllPipelines();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
