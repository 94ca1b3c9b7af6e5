// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators on constants.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_FOLDING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_FOLDING_H

#include "pyk/Dialect/Py/IR/PyOps.h"

namespace pyk::py {

/// Whether `constant` is true in Python; nothing if that is not known.
std::optional<bool> getTruth(mlir::Attribute constant);

/// `lhs kind rhs` as Python computes it; null if it is not known, or if CPython
/// leaves it for run time because it is an error or takes too many bits.
mlir::Attribute foldBinary(BinaryOperator kind, mlir::Attribute lhs,
                           mlir::Attribute rhs);

/// `kind operand`, as above.
mlir::Attribute foldUnary(UnaryOperator kind, mlir::Attribute operand);

/// The comparison of two constants; nothing if it is not known.
std::optional<bool> foldCompare(CompareOperator kind, mlir::Attribute lhs,
                                mlir::Attribute rhs);

/// True if `value` is a literal in the text, not a name that stands for one.
bool isLiteralText(mlir::Value value);

/// Replaces operators on literals by their results, as CPython does before
/// anyone else sees the function.
void foldLiterals(FuncOp function);

/// Gives ints 32 bits where these hold them, and floats too, but for those that
/// an operator, a store or a cast converts.
void narrowLiterals(FuncOp function);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_FOLDING_H
