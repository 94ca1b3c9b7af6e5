// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of all threads of a tile of an access outside of memory.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_REPORTUNROLLER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_REPORTUNROLLER_H

#include "StackBuffers.h"
#include "UnrolledValues.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

namespace pyk::simd {

/// The report that is all that `op` does; null if it does something else.
OutsideOp getCommonReport(SerialOp op);

/// Writes one report for all threads. A loop over them behind each access would
/// be most of the code of a kernel that has many accesses.
class ReportUnroller {
public:
  ReportUnroller(mlir::OpBuilder &builder, UnrolledValues &values,
                 StackBuffers &buffers)
      : builder(builder), values(values), buffers(buffers) {}

  /// Does `op`, all of which is `report`.
  void add(SerialOp op, OutsideOp report);

private:
  mlir::OpBuilder &builder;
  UnrolledValues &values;
  StackBuffers &buffers;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_REPORTUNROLLER_H
