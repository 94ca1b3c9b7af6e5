// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of classes, which make values: numbers, vectors, named tuples.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_CONSTRUCTORS_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_CONSTRUCTORS_H

#include "Definitions.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"

namespace pyk::py {

/// One number converted to `target`, a type of numbers.
mlir::FailureOr<Fact> makeNumber(CallOp op, mlir::Type target,
                                 mlir::ArrayRef<Fact> arguments);

/// A vector of CUDA of the components of `arguments`.
mlir::FailureOr<Fact> makeVector(CallOp op, ShortVectorType vector,
                                 mlir::ArrayRef<Fact> arguments);

/// A named tuple of the class `own`.
mlir::FailureOr<Fact> makeNamedTuple(CallOp op, NamedTupleClassAttr own,
                                     mlir::ArrayRef<Fact> arguments);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_CONSTRUCTORS_H
