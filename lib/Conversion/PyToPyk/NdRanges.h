// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All elements of a shape.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_NDRANGES_H
#define PYK_LIB_CONVERSION_PYTOPYK_NDRANGES_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Lowers what runs over all elements of a shape: ndindex, nditer and flat.
class NdRangeLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// The shape that `iterable` runs over.
  llvm::SmallVector<mlir::Value> getNdExtents(const Binding &iterable,
                                              mlir::Location loc);
  /// Element `counter` in the order of iteration: an index, or elements of
  /// arrays.
  Binding getNdElement(const Binding &iterable,
                       llvm::ArrayRef<mlir::Value> extents, mlir::Value counter,
                       mlir::Location loc);
  /// The numbers of the element of `flat` that `index` selects.
  llvm::SmallVector<mlir::Value>
  getFlatIndices(const Binding &flat, const Binding &index, mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_NDRANGES_H
