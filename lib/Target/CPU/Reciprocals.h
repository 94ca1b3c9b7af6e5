// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reciprocals of floats by multiply-adds (rationale/reciprocals.md). Private to
// lib/Target/CPU.

#ifndef PYK_LIB_TARGET_CPU_RECIPROCALS_H
#define PYK_LIB_TARGET_CPU_RECIPROCALS_H

namespace llvm {
class Function;
} // namespace llvm

namespace pyk {

/// What is left of 1 - x * y before the last step, where that would have to
/// round a value half way between two floats. -2^-24 needs nothing.
inline constexpr float kTie = 0x1p-24F;

/// Replaces divisions of 1 by vectors of 16 floats, for processors with
/// AVX-512. The values stay the same, to the bit.
void multiplyReciprocals(llvm::Function &function);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_RECIPROCALS_H
