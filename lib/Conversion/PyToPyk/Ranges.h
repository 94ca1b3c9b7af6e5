// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a Python loop runs over, as a loop that counts upwards.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_RANGES_H
#define PYK_LIB_CONVERSION_PYTOPYK_RANGES_H

#include "FunctionLowering.h"
#include <vector>

namespace pyk::py {

/// Bounds of a counting loop and how an element of a range follows from its
/// counter.
struct CountedRange {
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

/// Lowers what loops run over.
class RangeLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// The loop over `iterable`, whose counter is the element itself where it can
  /// be.
  CountedRange count(const Binding &iterable, mlir::Location loc);
  /// The same with a counter of how many elements came before.
  CountedRange countFromZero(const Binding &iterable, mlir::Location loc);
  /// The counter of the iteration behind that of `counter`; not behind the
  /// range's end, so that no sum wraps.
  mlir::Value makeNextCounter(mlir::Value counter, const CountedRange &range,
                              mlir::Location loc);
  /// The start (0), stop (1) or step (2) of a range or a slice.
  Binding getBound(const Binding &object, unsigned position,
                   mlir::Location loc);
  /// The element of `iterable` where its loop is at `counter`.
  Binding getElement(const Binding &iterable, const CountedRange &range,
                     mlir::Value counter, mlir::Location loc);

private:
  CountedRange countRange(const Binding &range, bool fromZero,
                          mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_RANGES_H
