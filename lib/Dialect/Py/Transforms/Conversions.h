// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values become others by themselves.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_CONVERSIONS_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_CONVERSIONS_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"

namespace pyk::py {

/// Emits an error if a number, time, text or vector of type `from` becomes none
/// of `to` by itself: a complex number a real one, a time a number.
mlir::LogicalResult checkConvertible(mlir::Location loc, mlir::Type from,
                                     mlir::Type to);

/// The same of a vector.
mlir::LogicalResult checkVector(mlir::Location loc, mlir::Type from,
                                mlir::Type to);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_CONVERSIONS_H
