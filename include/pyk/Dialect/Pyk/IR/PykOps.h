// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the pyk dialect, and what helps to read their exits.

#ifndef PYK_DIALECT_PYK_IR_PYKOPS_H
#define PYK_DIALECT_PYK_IR_PYKOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Dialect/Pyk/IR/PykEffects.h"
#include "pyk/Dialect/Pyk/IR/PykFlow.h"
#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

namespace pyk {
/// Syntax of the axes of a `pyk.view`.
mlir::ParseResult
parseAxes(mlir::OpAsmParser &parser,
          llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &numbers,
          mlir::ArrayAttr &axes);
void printAxes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::OperandRange numbers, mlir::ArrayAttr axes);
} // namespace pyk

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h.inc"

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykOps.h.inc"

namespace pyk {

/// The loop that a `pyk.break` or `pyk.continue` leaves or repeats: a ForOp or
/// LoopOp. Null if none encloses `exit`.
mlir::Operation *getExitedLoop(mlir::Operation *exit);

/// First element and number of elements that a slice takes of `extent`, as
/// `pyk.slice_bounds` yields them. Null stands for what is left out.
std::pair<int64_t, int64_t> getSliceBounds(int64_t extent,
                                           mlir::IntegerAttr lower,
                                           mlir::IntegerAttr upper,
                                           mlir::IntegerAttr step);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKOPS_H
