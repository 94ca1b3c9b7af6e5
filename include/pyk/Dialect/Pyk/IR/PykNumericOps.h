// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with one result for every operand.

#ifndef PYK_DIALECT_PYK_IR_PYKNUMERICOPS_H
#define PYK_DIALECT_PYK_IR_PYKNUMERICOPS_H

#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h.inc"

namespace pyk {

struct LibdeviceOverload;

/// The function of libdevice that computes the elements of `op`, an op of math
/// or arith or pyk.libdevice; null if there is none. For f16 it is that of f32,
/// whose result is rounded.
const LibdeviceOverload *getLibdeviceOverload(mlir::Operation *op);

/// Whether `op` becomes tens of instructions for a vector: a function that the
/// CPU has a formula for, or a division of integers that it expands.
bool hasFormula(mlir::Operation *op);

/// Whether vectors of the CPU are given to that function.
bool isVectorCall(mlir::Operation *op);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKNUMERICOPS_H
