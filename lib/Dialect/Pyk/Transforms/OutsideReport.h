// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host is told of accesses outside of memory.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_OUTSIDEREPORT_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_OUTSIDEREPORT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace pyk {

/// Adds a `pyk.outside` that says that `access` is outside of the memory of
/// `root`, which may be null, at `indices`.
void reportOutside(mlir::Operation *access, mlir::Value root,
                   mlir::ValueRange indices, mlir::ImplicitLocOpBuilder &b);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_OUTSIDEREPORT_H
