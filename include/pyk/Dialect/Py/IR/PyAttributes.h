// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators and compile-time objects of the py dialect.

#ifndef PYK_DIALECT_PY_IR_PYATTRIBUTES_H
#define PYK_DIALECT_PY_IR_PYATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

#include "pyk/Dialect/Py/IR/PyEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "pyk/Dialect/Py/IR/PyAttributes.h.inc"

#endif // PYK_DIALECT_PY_IR_PYATTRIBUTES_H
