// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions of all threads of a tile to one element.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_SUMUNROLLER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_SUMUNROLLER_H

#include "UnrolledValues.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

namespace pyk::simd {

/// The addition of `op` to one element, whatever the thread, of which nobody
/// asks what was there; null if it is something else.
AtomicOp getCommonSum(SerialOp op);

/// Writes one addition of the sum of all threads.
class SumUnroller {
public:
  SumUnroller(mlir::OpBuilder &builder, UnrolledValues &values)
      : builder(builder), values(values) {}

  /// Does `op`, of which `update` is the common sum.
  void add(SerialOp op, AtomicOp update);

private:
  mlir::Value sumUp(SerialOp op, mlir::Value value);
  mlir::Value countThreads(SerialOp op, mlir::Type type);

  mlir::OpBuilder &builder;
  UnrolledValues &values;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_SUMUNROLLER_H
