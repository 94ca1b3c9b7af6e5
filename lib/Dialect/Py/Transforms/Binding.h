// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which argument of a call goes to which parameter.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_BINDING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_BINDING_H

#include "Definitions.h"

namespace pyk::py {

/// What a call gives to each parameter of its callee; an argument that is left
/// out has no type and no value.
struct Bound {
  llvm::SmallVector<Fact> facts;
  llvm::SmallVector<mlir::Value> values;
};

/// Puts the arguments of a call in the order of `names`, taking keywords into
/// account; `surplus` of them have no name. Emits an error, with a note at
/// `callee` if it has one, if they do not fit.
mlir::FailureOr<Bound> bindArguments(CallOp op, llvm::StringRef name,
                                     mlir::ArrayRef<llvm::StringRef> names,
                                     mlir::ArrayRef<Fact> arguments,
                                     size_t surplus,
                                     std::optional<mlir::Location> callee);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_BINDING_H
