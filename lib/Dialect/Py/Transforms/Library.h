// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of PyK's library, which are in the program with the kernel.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_LIBRARY_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_LIBRARY_H

#include "pyk/Dialect/Py/IR/PyOps.h"

namespace pyk::py {

/// The library's function `name`; null if the program of `op` holds none.
FuncOp getLibrary(mlir::Operation *op, llvm::StringRef name);

/// The library's method `name` of values of `type`; null if it has none.
FuncOp getLibraryMethod(mlir::Operation *op, mlir::Type type,
                        llvm::StringRef name);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_LIBRARY_H
