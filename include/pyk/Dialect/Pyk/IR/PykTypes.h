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

namespace pyk {

/// Whether kernels compute with floats of `type`: those of IEEE 754 of 16, 32
/// and 64 bits, and bf16.
bool isFloatElement(mlir::Type type);

/// Whether kernels compute with complex numbers of `type`.
bool isComplexElement(mlir::Type type);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKTYPES_H
