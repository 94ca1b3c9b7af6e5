// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code of other languages calls.

#ifndef PYK_LIB_CONVERSION_PYKTOGPU_EXPORTS_H
#define PYK_LIB_CONVERSION_PYKTOGPU_EXPORTS_H

#include "pyk/Dialect/Pyk/IR/PykOps.h"

namespace pyk {

/// Adds what other code calls, under `name`, in the place of `function`, which
/// is named `body` in this module: its values have the form that they have in
/// memory, and it takes and gives what the convention of `exported` says.
void addExportedFunction(FuncOp function, ExportAttr exported,
                         llvm::StringRef name, llvm::StringRef body,
                         mlir::OpBuilder &builder);

} // namespace pyk

#endif // PYK_LIB_CONVERSION_PYKTOGPU_EXPORTS_H
