/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads a module of the pyk dialect through MLIR's C API and prints it.
 */
#include "pyk-c/Dialects.h"
#include "mlir-c/IR.h"
#include <stdio.h>

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

int main(void) {
  MlirContext context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__py__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__pyk__(), context);
  MlirModule module = mlirModuleCreateParse(
      context,
      mlirStringRefCreateFromCString(
          "pyk.func @fill(%a: !pyk.array<?xi32, c>) attributes {kernel} {\n"
          "  %i = pyk.grid x : i64\n"
          "  pyk.return\n"
          "}\n"));
  int failed = mlirModuleIsNull(module);
  if (!failed)
    mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return failed;
}
