// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a compiled kernel beside its code, as JSON.

#ifndef PYK_LIB_COMPILER_MANIFEST_H
#define PYK_LIB_COMPILER_MANIFEST_H

#include "pyk/Compiler/KernelInterface.h"
#include "pyk/Target/Backend.h"

namespace pyk {

/// The manifest of a module compiled for `target`, whose back end made
/// `code`.
std::string writeManifest(const ModuleInterface &interface,
                          llvm::StringRef target, const DeviceCode &code);

} // namespace pyk

#endif // PYK_LIB_COMPILER_MANIFEST_H
