// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of records, and records as a whole.

#ifndef PYK_DIALECT_PYK_IR_PYKRECORDOPS_H
#define PYK_DIALECT_PYK_IR_PYKRECORDOPS_H

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKRECORDOPS_H
