// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays: where they come from, their extents, their elements.

#ifndef PYK_DIALECT_PYK_IR_PYKMEMORYOPS_H
#define PYK_DIALECT_PYK_IR_PYKMEMORYOPS_H

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKMEMORYOPS_H
