// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the pyk dialect.

#ifndef PYK_DIALECT_PYK_IR_PYKTYPES_H
#define PYK_DIALECT_PYK_IR_PYKTYPES_H

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/Types.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"

#include "pyk/Dialect/Pyk/IR/PykTypeInterfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "pyk/Dialect/Pyk/IR/PykTypes.h.inc"

#endif // PYK_DIALECT_PYK_IR_PYKTYPES_H
