// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which element or record an op reads or writes, as far as its operands say.

#ifndef PYK_DIALECT_PYK_ANALYSIS_ACCESSEDELEMENTS_H
#define PYK_DIALECT_PYK_ANALYSIS_ACCESSEDELEMENTS_H

#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"

namespace pyk {

/// The array that `op`, an access or a copy, reads.
mlir::TypedValue<ArrayType> getReadArray(mlir::Operation *op);

/// What says which element `op`, an access or a copy, is to; what is stored
/// plays no part.
llvm::SmallVector<mlir::Value> getElementOperands(mlir::Operation *op);

/// True if the same ops compute `a` and `b`, arrays or indices, from the same
/// values. Each site is an op of the function at hand: the access, or the call
/// in whose callee the value is.
bool isSameExpression(mlir::Value a, mlir::Operation *siteOfA, mlir::Value b,
                      mlir::Operation *siteOfB);

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_ACCESSEDELEMENTS_H
