// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ArrayViewOpInterface says of a dimension of a view.

#ifndef PYK_DIALECT_PYK_IR_PYKVIEWS_H
#define PYK_DIALECT_PYK_IR_PYKVIEWS_H

#include "mlir/IR/Value.h"

namespace pyk {

/// Where a dimension of a view has its extent and stride from. What its type
/// says is not said again.
struct ViewedDimension {
  /// The dimension of the array whose extent it has; -1 if none.
  int64_t extent = -1;
  /// By what the extent is multiplied and then divided.
  int64_t multiplier = 1, divisor = 1;
  /// The extent itself; null if it is that of the array.
  mlir::Value count;
  /// The dimension of the array whose stride it has; -1 if none.
  int64_t stride = -1;
  /// By what the stride is multiplied; null for 1.
  mlir::Value step;
  /// The stride itself if it is none of the array.
  int64_t bytes = 0;

  /// Whether the extent is that of a dimension of the array.
  bool hasSameExtent() const { return extent >= 0 && multiplier == divisor; }
};

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKVIEWS_H
