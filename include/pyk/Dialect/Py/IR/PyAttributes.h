// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile-time objects of the py dialect.

#ifndef PYK_DIALECT_PY_IR_PYATTRIBUTES_H
#define PYK_DIALECT_PY_IR_PYATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"

#define GET_ATTRDEF_CLASSES
#include "pyk/Dialect/Py/IR/PyAttributes.h.inc"

#endif // PYK_DIALECT_PY_IR_PYATTRIBUTES_H
