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
  /// What a zip, an enumerate or an iterator runs over, each counted from 0.
  std::vector<CountedRange> sources = {};
  /// The shape that ndindex, nditer or flat runs over.
  llvm::SmallVector<mlir::Value> extents = {};
  /// Of an iterator, the number of the element that comes first, and how many
  /// the counter passes by: those of a turn, since a zip may have one iterator
  /// several times; none if it is counted anew in each turn.
  mlir::Value taken = {};
  int64_t each = 1;
};

/// What a zip, an enumerate or an iterator runs over, with their own parts.
llvm::SmallVector<Binding> getSources(const Binding &iterable);

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_RANGES_H
