// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's vectors of a few numbers: what they are made of, and their operators.

#ifndef PYK_DIALECT_PY_IR_VECTORS_H
#define PYK_DIALECT_PY_IR_VECTORS_H

#include "pyk/Dialect/Py/IR/PyAttributes.h"
#include "pyk/Dialect/Py/IR/PyTypes.h"

namespace pyk::py {

/// The most components of a vector.
constexpr unsigned kMaxVectorLength = 4;

/// The names of the components.
constexpr llvm::StringLiteral kComponents[kMaxVectorLength] = {"x", "y", "z",
                                                               "w"};

/// The types of the components that a value of `type` adds to a vector that is
/// made of it: a number is one, a vector has its own, and so has a record of
/// numbers. None for anything else.
llvm::SmallVector<mlir::Type> getComponents(mlir::Type type);

/// Whether `type` is a record with the fields of vectors of type `vector`, so
/// that one can be stored in it.
bool isRecordOf(mlir::Type type, ShortVectorType vector);

/// The type of `kind` applied to `lhs` and `rhs`, of which one is a vector;
/// null if the operator does not take them.
mlir::Type getVectorType(BinaryOperator kind, mlir::Type lhs, mlir::Type rhs);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_VECTORS_H
