// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of complex numbers.

#ifndef PYK_DIALECT_PYK_IR_PYKCOMPLEXOPS_H
#define PYK_DIALECT_PYK_IR_PYKCOMPLEXOPS_H

#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykComplexOps.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKCOMPLEXOPS_H
