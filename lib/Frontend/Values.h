// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The VALUE part of an `ast` buffer: compile-time objects as attributes.

#ifndef PYK_LIB_FRONTEND_VALUES_H
#define PYK_LIB_FRONTEND_VALUES_H

#include "mlir/IR/Builders.h"
#include "llvm/Support/JSON.h"

namespace pyk {

/// The attribute of the py dialect for `value`. Emits an error at `loc` and
/// returns null if the value is malformed.
mlir::Attribute importValue(const llvm::json::Object &value,
                            mlir::Builder &builder, mlir::Location loc);

} // namespace pyk

#endif // PYK_LIB_FRONTEND_VALUES_H
