// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pyk dialect class.

#ifndef PYK_DIALECT_PYK_IR_PYKDIALECT_H
#define PYK_DIALECT_PYK_IR_PYKDIALECT_H

#include "mlir/IR/Dialect.h"

#include "pyk/Dialect/Pyk/IR/PykDialect.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKDIALECT_H
