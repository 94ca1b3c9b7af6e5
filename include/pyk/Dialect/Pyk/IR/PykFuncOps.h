// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and calls.

#ifndef PYK_DIALECT_PYK_IR_PYKFUNCOPS_H
#define PYK_DIALECT_PYK_IR_PYKFUNCOPS_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKFUNCOPS_H
