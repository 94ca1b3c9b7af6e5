// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations and attributes of the pyk dialect.

#ifndef PYK_DIALECT_PYK_IR_PYKATTRIBUTES_H
#define PYK_DIALECT_PYK_IR_PYKATTRIBUTES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/OpImplementation.h"

#include "pyk/Dialect/Pyk/IR/PykEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "pyk/Dialect/Pyk/IR/PykAttributes.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKATTRIBUTES_H
