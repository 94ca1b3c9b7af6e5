// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of vectors of integers, and what they take of conversions.

#ifndef PYK_LIB_TARGET_CPU_VECTORDIVISION_H
#define PYK_LIB_TARGET_CPU_VECTORDIVISION_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace pyk {

/// Inserts before `op`, a division or remainder of vectors of integers, what
/// has vectors, and returns the result; null if LLVM has vectors for `op`
/// itself. The result of a lane whose divisor is 0, or whose quotient
/// overflows, is unspecified. `hasConversions`: whether the processor converts
/// vectors of double to integers of 64 bits.
llvm::Value *expandDivision(llvm::BinaryOperator &op, bool hasConversions);

/// The integer part of `value`, a vector of float or double, in 64 bits;
/// unspecified for lanes that do not fit.
llvm::Value *convertToWide(llvm::IRBuilderBase &b, llvm::Value *value,
                           bool isSigned, bool hasConversions);

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_VECTORDIVISION_H
