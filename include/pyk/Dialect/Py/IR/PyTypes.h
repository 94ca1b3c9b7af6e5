// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators and types of the py dialect.

#ifndef PYK_DIALECT_PY_IR_PYTYPES_H
#define PYK_DIALECT_PY_IR_PYTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

#include "pyk/Dialect/Py/IR/PyEnums.h.inc"
#include "pyk/Dialect/Py/IR/PyTypeInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "pyk/Dialect/Py/IR/PyTypes.h.inc"

#endif // PYK_DIALECT_PY_IR_PYTYPES_H
