// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an `ast` buffer to the py dialect. The format is described in
// python-dialect-docs/reference/ast-buffer.md.

#ifndef PYK_FRONTEND_ASTBUFFER_H
#define PYK_FRONTEND_ASTBUFFER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "pyk/Support/Diagnostics.h"

namespace pyk {

/// Builds a module of the py dialect from `buffer`; `name` stands for it in
/// messages. Remembers the functions' text in `sources` if that is not null.
/// On failure an error has been emitted and the result is null.
mlir::OwningOpRef<mlir::ModuleOp> importAstBuffer(llvm::StringRef buffer,
                                                  llvm::StringRef name,
                                                  mlir::MLIRContext *context,
                                                  SourceText *sources);

} // namespace pyk

#endif // PYK_FRONTEND_ASTBUFFER_H
