// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A limit on how deeply MLIR text is nested.

#ifndef PYK_LIB_COMPILER_NESTING_H
#define PYK_LIB_COMPILER_NESTING_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

namespace pyk {

/// Refuses `text`, the contents of the file `name`, if reading it could take
/// more stack than there is; reports the place in `context`.
mlir::LogicalResult checkNesting(llvm::StringRef text, llvm::StringRef name,
                                 mlir::MLIRContext *context);

} // namespace pyk

#endif // PYK_LIB_COMPILER_NESTING_H
