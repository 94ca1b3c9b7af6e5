// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses with a hint for caches.

#ifndef PYK_LIB_TARGET_PTX_CACHEHINTS_H
#define PYK_LIB_TARGET_PTX_CACHEHINTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Puts instructions in the place of calls of functions that access memory with
/// a hint.
void bindCacheHints(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_CACHEHINTS_H
