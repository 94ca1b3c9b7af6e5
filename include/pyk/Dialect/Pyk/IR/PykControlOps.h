// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions, loops and their exits.

#ifndef PYK_DIALECT_PYK_IR_PYKCONTROLOPS_H
#define PYK_DIALECT_PYK_IR_PYKCONTROLOPS_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykControlOps.h.inc"

namespace pyk {

/// The loop that a `pyk.break` or `pyk.continue` leaves or repeats: a ForOp or
/// LoopOp. Null if none encloses `exit`.
mlir::Operation *getExitedLoop(mlir::Operation *exit);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKCONTROLOPS_H
