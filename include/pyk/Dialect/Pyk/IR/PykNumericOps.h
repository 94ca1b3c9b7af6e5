// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with one result for every operand.

#ifndef PYK_DIALECT_PYK_IR_PYKNUMERICOPS_H
#define PYK_DIALECT_PYK_IR_PYKNUMERICOPS_H

#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKNUMERICOPS_H
