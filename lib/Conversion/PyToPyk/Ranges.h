// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a Python loop runs over, as a loop that counts upwards.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_RANGES_H
#define PYK_LIB_CONVERSION_PYTOPYK_RANGES_H

#include "Lowering.h"

namespace pyk::py {

/// Bounds of a counting loop and how an element of a range follows from its
/// counter.
struct FunctionLowering::CountedRange {
  /// The loop runs from `start` to `stop` by `step`, which is positive; they
  /// compare as signed numbers.
  mlir::Value start, stop, step;
  /// The element is `first + counter * stride`, or the counter itself where
  /// these are null.
  mlir::Value first, stride;
  /// What a zip or enumerate runs over, each counted from 0.
  std::vector<CountedRange> sources = {};
  /// The shape that ndindex, nditer or flat runs over.
  llvm::SmallVector<mlir::Value> extents = {};
};

/// What a zip, an enumerate or an iterator runs over, with their own parts.
llvm::SmallVector<Binding> getSources(const Binding &iterable);

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_RANGES_H
