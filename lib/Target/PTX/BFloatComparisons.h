// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of bfloats where denormals are flushed.

#ifndef PYK_LIB_TARGET_PTX_BFLOATCOMPARISONS_H
#define PYK_LIB_TARGET_PTX_BFLOATCOMPARISONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace pyk {

/// Makes comparisons of bfloats in `module` those of floats in functions that
/// flush denormals.
void widenBFloatComparisons(llvm::Module &module);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_BFLOATCOMPARISONS_H
