// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The range of one integer, for who asks about few and cannot pay for an
// analysis of the whole function.

#ifndef PYK_DIALECT_PYK_ANALYSIS_KNOWNRANGE_H
#define PYK_DIALECT_PYK_ANALYSIS_KNOWNRANGE_H

#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace pyk {

/// What `value`, an integer, may be by what the ops say that compute it. Looks
/// a few ops back, and not through regions and branches: arguments of blocks
/// may be anything, but for those of kernels that say their range.
mlir::ConstantIntRanges getKnownRange(mlir::Value value);

/// What a kernel or its caller says of `argument`, an integer; none if nothing
/// does.
std::optional<mlir::ConstantIntRanges>
getStatedRange(mlir::BlockArgument argument);

/// Whether `value` is more than 0, as a signed number.
bool isKnownPositive(mlir::Value value);

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_KNOWNRANGE_H
