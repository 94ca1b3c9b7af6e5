// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only includes the families of ops: one op for each construct of the language.

#ifndef PYK_DIALECT_PY_IR_PYOPS_TD
#define PYK_DIALECT_PY_IR_PYOPS_TD

include "pyk/Dialect/Py/IR/PyFuncOps.td"
include "pyk/Dialect/Py/IR/PyExpressionOps.td"
include "pyk/Dialect/Py/IR/PyControlOps.td"

#endif // PYK_DIALECT_PY_IR_PYOPS_TD
