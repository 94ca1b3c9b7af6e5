// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of values that stand for another one where an operation takes no such
// values: an instance of a namedtuple for a tuple, a member of an integer or
// string enumeration for its value, an optional for what it holds. Rules for
// operators and functions know the plain types only; `py.unwrap` is between.

#ifndef PYK_DIALECT_PY_IR_WRAPPERS_H
#define PYK_DIALECT_PY_IR_WRAPPERS_H

#include "mlir/IR/BuiltinTypes.h"

namespace pyk::py {

/// What a value of `type` stands for; null for one that stands for itself.
mlir::Type unwrapOnce(mlir::Type type);

/// What a value of `type` stands for in the end, `type` itself if for nothing
/// else; of a tuple that of its items.
mlir::Type unwrapAll(mlir::Type type);

/// What `py.unwrap` makes of a value of `type`: what it stands for, or, of a
/// tuple, what its items do in the end.
mlir::Type getUnwrapped(mlir::Type type);

/// The items of a tuple or of an instance of a namedtuple; null for others.
mlir::TupleType getTuple(mlir::Type type);

/// The type of an optional of `value`; null where None and a `value` have no
/// common type.
mlir::Type makeOptional(mlir::Type value);

/// A class's name without the module and functions that it is in.
llvm::StringRef getShortName(llvm::StringRef name);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_WRAPPERS_H
