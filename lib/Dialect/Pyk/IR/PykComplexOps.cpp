// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of complex numbers, which ExpandComplex.cpp expands.

#include "pyk/Dialect/Pyk/IR/PykComplexOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace pyk;

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykComplexOps.cpp.inc"

void PykDialect::registerComplexOps() {
  addOperations<
#define GET_OP_LIST
#include "pyk/Dialect/Pyk/IR/PykComplexOps.cpp.inc"
      >();
}
