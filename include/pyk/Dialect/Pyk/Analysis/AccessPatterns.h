// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How threads that are neighbours in their block find the elements that they
// access: what vectors and warps make of it, each target tells for itself.

#ifndef PYK_DIALECT_PYK_ANALYSIS_ACCESSPATTERNS_H
#define PYK_DIALECT_PYK_ANALYSIS_ACCESSPATTERNS_H

#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

namespace pyk {

/// The op that says where in its array `array`, an element or a part of one,
/// lies; null if it is none.
ElementOp findElement(mlir::Value array);

/// How far apart neighbours on the x axis of a block find their elements.
struct AccessPattern {
  enum Kind {
    /// All find one.
    Same,
    /// `step` bytes apart.
    Steps,
    /// At a distance that is the same for all and that only the launch knows.
    Rows,
    /// Somehow.
    Scattered
  };

  /// True if each finds the one next to its neighbour's, in either direction.
  bool isContiguous() const {
    return kind == Steps && (step == bytes || step == -bytes);
  }

  Kind kind = Same;
  /// Of kind Steps.
  int64_t step = 0;
  /// What one thread accesses.
  int64_t bytes = 0;
  /// If that is a field, what its record takes; else 0.
  int64_t recordBytes = 0;
  /// The array that the element is one of, which is the same for all threads.
  mlir::TypedValue<ArrayType> array;
  /// The same as contiguous, of neighbours on the y axis.
  bool isContiguousInY = false;
};

/// The pattern of `access`, in stage gpu; none if threads choose different
/// arrays, or views of one.
std::optional<AccessPattern> getAccessPattern(AccessOpInterface access,
                                              const LaneShapeAnalysis &shapes);

/// True if `op` runs only where two arrays share memory: in a branch that a
/// comparison of their addresses chooses, as copies of slices do. Launches
/// rarely take it.
bool isForOverlap(mlir::Operation *op);

/// What `access`, an access or a copy, does: "reads", "writes", ...
llvm::StringRef getAccessVerb(mlir::Operation *access);

/// What `root`, which no view made, is called in the program; empty if it has
/// no name.
llvm::StringRef getArrayName(mlir::Value root);

/// What neighbours do, for remarks: "neighbouring threads read x 3 elements
/// apart".
std::string describePattern(AccessOpInterface access,
                            const AccessPattern &pattern);

/// What is likely to let neighbours find neighbours; empty if nothing is.
std::string suggestPattern(const AccessPattern &pattern);

} // namespace pyk

#endif // PYK_DIALECT_PYK_ANALYSIS_ACCESSPATTERNS_H
