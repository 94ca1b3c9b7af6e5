// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that share their elements with another.

#ifndef PYK_DIALECT_PYK_IR_PYKVIEWOPS_H
#define PYK_DIALECT_PYK_IR_PYKVIEWOPS_H

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "pyk/Dialect/Pyk/IR/PykOpBase.h"

namespace pyk {
/// Syntax of the axes of a `pyk.view`.
mlir::ParseResult
parseAxes(mlir::OpAsmParser &parser,
          llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &numbers,
          mlir::ArrayAttr &axes);
void printAxes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::OperandRange numbers, mlir::ArrayAttr axes);
} // namespace pyk

#define GET_OP_CLASSES
#include "pyk/Dialect/Pyk/IR/PykViewOps.h.inc"

namespace pyk {

/// First element and number of elements that a slice takes of `extent`, as
/// `pyk.slice_bounds` yields them. Null stands for what is left out.
std::pair<int64_t, int64_t> getSliceBounds(int64_t extent,
                                           mlir::IntegerAttr lower,
                                           mlir::IntegerAttr upper,
                                           mlir::IntegerAttr step);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKVIEWOPS_H
