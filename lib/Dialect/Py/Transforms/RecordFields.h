// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of records. A record is an array without dimensions, and its fields
// are arrays of one dimension less than those of an array of records.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_RECORDFIELDS_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_RECORDFIELDS_H

#include "mlir/IR/Diagnostics.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

namespace pyk::py {

/// The type of the field at `position` of `records`. Emits an error if a kernel
/// cannot use it.
mlir::FailureOr<mlir::Type> getField(mlir::Location loc, ArrayType records,
                                     unsigned position);

/// Says that `records` have no field `name`, and which they have.
mlir::InFlightDiagnostic emitUnknownField(mlir::Location loc, ArrayType records,
                                          llvm::StringRef name);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_RECORDFIELDS_H
