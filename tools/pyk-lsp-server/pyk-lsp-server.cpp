// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's language server with PyK's dialects: an editor that opens a stage in a
// `.mlir` file shows errors, definitions, uses and completions in it.

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "pyk/InitAll.h"
#include "llvm/Support/LogicalResult.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pyk::registerAllDialects(registry);
  return llvm::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
