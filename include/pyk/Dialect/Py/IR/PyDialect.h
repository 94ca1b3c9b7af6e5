// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The py dialect class.

#ifndef PYK_DIALECT_PY_IR_PYDIALECT_H
#define PYK_DIALECT_PY_IR_PYDIALECT_H

#include "mlir/IR/Dialect.h"

#include "pyk/Dialect/Py/IR/PyDialect.h.inc"

#endif // PYK_DIALECT_PY_IR_PYDIALECT_H
