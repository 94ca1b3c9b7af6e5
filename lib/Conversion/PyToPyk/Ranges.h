// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Python range as a loop that counts upwards.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_RANGES_H
#define PYK_LIB_CONVERSION_PYTOPYK_RANGES_H

#include "Lowering.h"

namespace pyk::py {

/// Bounds of a counting loop and how an element follows from its counter.
struct FunctionLowering::CountedRange {
  /// The loop runs from `start` to `stop` by `step`, which is positive; they
  /// compare as signed numbers.
  mlir::Value start, stop, step;
  /// The element is `first + counter * stride`, or the counter itself where
  /// these are null.
  mlir::Value first, stride;

  /// The element for a value of the counter.
  mlir::Value getElement(mlir::OpBuilder &builder, mlir::Value counter,
                         mlir::Location loc) const;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_RANGES_H
