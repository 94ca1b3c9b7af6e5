// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that end by a count of their own, whatever other threads do.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_BOUNDEDLOOPS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_BOUNDEDLOOPS_H

#include "Slices.h"

namespace pyk {

/// A loop that ends by its own count, and what its iterations ask of memory.
class BoundedLoop {
public:
  /// Finds the count that ends `loop`: the induction value of a loop that
  /// counts, or a carried integer that each iteration moves by a constant
  /// towards a bound that the loop does not change.
  BoundedLoop(mlir::Operation *loop, UnderlyingObjects &objects,
              Slicer &slicer);

  /// True if there is such a count.
  explicit operator bool() const { return static_cast<bool>(counter); }

  /// True if no iteration repeats what an earlier one asked of `read`: each
  /// looks at another element, or compares what it read with another iterate.
  /// `writes` are the stores of the loop.
  bool asksAnew(const Read &read, llvm::ArrayRef<Write> writes);

private:
  struct Step;

  void findCounter();
  bool isCounter(mlir::Value comparison, bool goesOnIf);
  std::optional<Step> getStep(mlir::BlockArgument carried) const;
  mlir::Value resolve(mlir::Value value) const;
  bool isInvariant(mlir::Value value) const;
  bool isInjective(mlir::Value index) const;
  std::optional<llvm::SmallVector<mlir::Value>> getComparisons() const;
  bool isIterate(mlir::BlockArgument carried, bool always);
  bool hasIterate(const Slice &slice, llvm::ArrayRef<Write> writes);

  mlir::Operation *loop;
  UnderlyingObjects &objects;
  Slicer &slicer;
  mlir::Value counter;
  /// What compares the counter with its bound; null in a loop that counts.
  mlir::Value bound;
  /// The count ends the loop after a few iterations.
  bool isShort = false;
};

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_BOUNDEDLOOPS_H
