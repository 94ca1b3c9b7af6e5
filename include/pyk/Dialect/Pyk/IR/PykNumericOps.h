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

/// The function of libdevice that computes `op`, one of the math dialect or
/// pyk.libdevice, of its elements; null if there is none.
const LibdeviceOverload *getLibdeviceOverload(mlir::Operation *op);

/// Whether the CPU has a formula for it.
bool hasFormula(mlir::Operation *op);

/// Whether vectors of the CPU are given to that function.
bool isVectorCall(mlir::Operation *op);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKNUMERICOPS_H
