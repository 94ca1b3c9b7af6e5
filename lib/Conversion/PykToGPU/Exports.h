// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code of other languages calls.

#ifndef PYK_LIB_CONVERSION_PYKTOGPU_EXPORTS_H
#define PYK_LIB_CONVERSION_PYKTOGPU_EXPORTS_H

#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"

namespace pyk {

/// What code of other languages calls, and by what name.
struct Export {
  FuncOp function;
  ExportAttr attribute;
  std::string name;
};

/// Takes the attribute from each of `functions` that is exported. `makeName`
/// makes a name that is not taken of another one. Fails after an error if two
/// have the same name.
mlir::FailureOr<llvm::SmallVector<Export>> takeExports(
    llvm::ArrayRef<FuncOp> functions,
    llvm::function_ref<std::string(llvm::StringRef,
                                   llvm::function_ref<bool(llvm::StringRef)>)>
        makeName);

/// Adds what other code calls in the place of a function, which is named `body`
/// in this module: its values have the form that they have in memory, and it
/// takes and gives what its convention says.
void addExportedFunction(const Export &entry, llvm::StringRef body,
                         mlir::OpBuilder &builder);

} // namespace pyk

#endif // PYK_LIB_CONVERSION_PYKTOGPU_EXPORTS_H
