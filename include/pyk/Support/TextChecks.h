// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR text must not contain, since MLIR's parser ends the process at it.

#ifndef PYK_SUPPORT_TEXTCHECKS_H
#define PYK_SUPPORT_TEXTCHECKS_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

namespace pyk {

/// Rejects `text`, the contents of the file `name`, if MLIR's parser or
/// verifier could crash at it: where it is nested deeply, and at the inputs
/// that reference/upstream-faults.md lists. Reports the first place in
/// `context`.
mlir::LogicalResult checkText(llvm::StringRef text, llvm::StringRef name,
                              mlir::MLIRContext *context);

} // namespace pyk

#endif // PYK_SUPPORT_TEXTCHECKS_H
