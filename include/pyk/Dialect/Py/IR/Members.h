// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes and methods of values that the table of intrinsics lists: which
// classes, as it names them, a type belongs to.

#ifndef PYK_DIALECT_PY_IR_MEMBERS_H
#define PYK_DIALECT_PY_IR_MEMBERS_H

#include "mlir/IR/Types.h"
#include "pyk/Intrinsics/Intrinsics.h"

namespace pyk::py {

/// The classes that values of `type` belong to, the closest first: `int`,
/// `number`, `generic` for an integer. None for a type without members.
mlir::ArrayRef<llvm::StringRef> getOwners(mlir::Type type);

/// The row of the attribute or method `name` of values of `type`, or null.
const Intrinsic *lookupMember(mlir::Type type, llvm::StringRef name);

/// The names of all attributes and methods that `type` has by the table.
llvm::SmallVector<llvm::StringRef> getMembers(mlir::Type type);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_MEMBERS_H
