// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of a thread in its block and grid.

#ifndef PYK_DIALECT_PYK_IR_PYKINDEXOPS_H
#define PYK_DIALECT_PYK_IR_PYKINDEXOPS_H

#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykIndexOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKINDEXOPS_H
