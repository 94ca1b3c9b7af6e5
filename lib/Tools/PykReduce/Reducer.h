// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes modules smaller as long as they show what is looked for.

#ifndef PYK_LIB_TOOLS_PYKREDUCE_REDUCER_H
#define PYK_LIB_TOOLS_PYKREDUCE_REDUCER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace pyk {

/// The number of ops of `module`, itself included.
unsigned countOps(mlir::ModuleOp module);

/// Tries each edit on each op, until there is none after which the module is
/// both valid and interesting.
mlir::OwningOpRef<mlir::ModuleOp>
reduce(mlir::OwningOpRef<mlir::ModuleOp> module,
       llvm::function_ref<bool(mlir::ModuleOp)> isInteresting);

} // namespace pyk

#endif // PYK_LIB_TOOLS_PYKREDUCE_REDUCER_H
