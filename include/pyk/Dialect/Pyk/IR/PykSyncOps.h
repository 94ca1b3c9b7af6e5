// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads wait for each other.

#ifndef PYK_DIALECT_PYK_IR_PYKSYNCOPS_H
#define PYK_DIALECT_PYK_IR_PYKSYNCOPS_H

#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykSyncOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKSYNCOPS_H
