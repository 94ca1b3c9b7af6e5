// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread tells the host.

#ifndef PYK_DIALECT_PYK_IR_PYKHOSTOPS_H
#define PYK_DIALECT_PYK_IR_PYKHOSTOPS_H

#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykHostOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKHOSTOPS_H
