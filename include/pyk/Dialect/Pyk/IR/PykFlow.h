// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What StructuredFlowOpInterface says of a condition or loop.

#ifndef PYK_DIALECT_PYK_IR_PYKFLOW_H
#define PYK_DIALECT_PYK_IR_PYKFLOW_H

#include "mlir/IR/ValueRange.h"

namespace pyk {

/// A way that control can take to a region of an op or behind the op.
struct FlowEdge {
  /// The terminator or exit that takes it; null for the op itself, on entry.
  mlir::Operation *from;
  /// The region that it leads to; null if it leads behind the op.
  mlir::Region *to;
  /// What is handed on, and the arguments or results that it becomes.
  mlir::ValueRange values, targets;
};

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKFLOW_H
