// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to elements that other threads access at the same time.

#ifndef PYK_DIALECT_PYK_IR_PYKATOMICOPS_H
#define PYK_DIALECT_PYK_IR_PYKATOMICOPS_H

#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKATOMICOPS_H
