// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a compiled kernel beside its code, as JSON.

#ifndef PYK_LIB_COMPILER_MANIFEST_H
#define PYK_LIB_COMPILER_MANIFEST_H

#include "pyk/Compiler/KernelInterface.h"
#include "llvm/Support/JSON.h"

namespace pyk {

/// The manifest of a kernel compiled for `target`, whose back end adds
/// `properties`.
std::string writeManifest(const KernelInterface &interface,
                          llvm::StringRef target,
                          const llvm::json::Object &properties);

} // namespace pyk

#endif // PYK_LIB_COMPILER_MANIFEST_H
