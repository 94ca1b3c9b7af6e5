// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes of a warp see of each other.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPLANES_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPLANES_H

#include "Masks.h"

namespace pyk::simd {

/// Values of threads that are on, where the lanes of their warps see them.
class WarpLanes {
public:
  WarpLanes(LaneValues &values, Masks &masks, mlir::OpBuilder &builder)
      : values(values), masks(masks), builder(builder) {}

  /// The lane of each thread in its warp, as i32: a constant.
  mlir::Value makeLane(mlir::Location loc);
  /// Whether all threads of each warp are on, and have `value`.
  bool isOne(mlir::Value value) const;
  /// `value` of threads that are on, where warps see it; 0 of others.
  mlir::Value spread(mlir::Value value);
  /// The lanes of each warp that are on and for which `predicate` holds, as
  /// bits.
  mlir::Value makeBallot(mlir::Value predicate);
  /// Those of a ballot on `predicate` that `among`, the mask of a meeting,
  /// names.
  mlir::Value makeBallot(mlir::Value predicate, mlir::Value among);
  /// Those that are on, and named.
  mlir::Value makePresent(mlir::Value among);

private:
  LaneValues &values;
  Masks &masks;
  mlir::OpBuilder &builder;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_WARPLANES_H
