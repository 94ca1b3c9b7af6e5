// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions of PyK's own library.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_LIBRARYCALLS_H
#define PYK_LIB_CONVERSION_PYTOPYK_LIBRARYCALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace pyk {

/// Inlines those functions of `library`, which are all in `module`, that are
/// short and compute integers from integers: later passes then know the ranges
/// of their operands. Inlined ops have the location of the call. Functions that
/// are no longer called are erased.
void inlineShortCalls(mlir::ModuleOp module, llvm::ArrayRef<FuncOp> library);

} // namespace pyk

#endif // PYK_LIB_CONVERSION_PYTOPYK_LIBRARYCALLS_H
