// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compile-time objects stand for: dtypes, which strings can name, and
// strings.

#ifndef PYK_DIALECT_PY_IR_STATIC_H
#define PYK_DIALECT_PY_IR_STATIC_H

#include "pyk/Dialect/Py/IR/PyAttributes.h"
#include <optional>

namespace pyk::py {

/// The type that NumPy calls `name`, such as `float32`; null for one that
/// kernels do not have.
mlir::Type getDtype(llvm::StringRef name, mlir::MLIRContext *context);

/// The element type that a compile-time object of type `type` stands for: a
/// dtype, or a string that NumPy takes for one, such as `"<f4"`. Null for
/// others.
mlir::Type getNamedDtype(mlir::Type type);

/// True for `==`, `!=`, `is` and `is not`.
bool isEquality(CompareOperator kind);

/// Whether the comparison `kind` holds for two objects of which the first is
/// less (`order` < 0), equal or greater; nothing if it asks something else.
std::optional<bool> compareOrder(CompareOperator kind, int order);

/// The dtype that is known at compile time and has this type; null if it is of
/// another type.
mlir::Type getDtypeObject(mlir::Type type);

/// The letter that NumPy has for the kind of dtype `type`, such as `f`.
char getDtypeKind(mlir::Type type);

/// The string that is known at compile time and has this type; null if it is of
/// another type.
mlir::StringAttr getText(mlir::Type type);

/// Whether the comparison `kind` holds for the strings or bytes of types `lhs`
/// and `rhs`, which are known at compile time; nothing if they are not.
std::optional<bool> compareText(CompareOperator kind, mlir::Type lhs,
                                mlir::Type rhs);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_STATIC_H
