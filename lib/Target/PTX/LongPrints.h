// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of more values than CUDA prints at once.

#ifndef PYK_LIB_TARGET_PTX_LONGPRINTS_H
#define PYK_LIB_TARGET_PTX_LONGPRINTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Writes lines of more than 32 values by several calls of `vprintf`. All lines
/// of a module that has such are written under a lock, so that none comes
/// between the parts of another. Runs before optimization.
void splitLongPrints(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_LONGPRINTS_H
