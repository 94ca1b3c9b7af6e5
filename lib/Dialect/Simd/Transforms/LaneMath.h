// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of lanes and their masks.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEMATH_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEMATH_H

#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace pyk::simd {

/// `value` everywhere.
mlir::Value makeConstant(mlir::OpBuilder &builder, bool value,
                         Dimensions dimensions);

/// Zeros of `type`, a number or a compact vector.
mlir::Value makeZero(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type type);

/// Those for which `mask` does not hold.
mlir::Value makeNot(mlir::OpBuilder &builder, mlir::Value mask);

/// The results of `op`, as constants if its operands are: positions of threads
/// in a tile that is the block. Floats are left to the machine, whose results
/// have the bits of the reference.
llvm::SmallVector<mlir::Value> foldConstants(mlir::OpBuilder &builder,
                                             mlir::Operation *op);

/// Arithmetic on numbers and compact vectors of i32, which are stretched as it
/// takes; constants are folded, so that unrolling sees them.
class LaneMath {
public:
  LaneMath(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  template <typename Op, typename... Arguments>
  mlir::Value make(mlir::Value a, mlir::Value b, Arguments... arguments) {
    Dimensions both =
        join(getDimensions(a.getType()), getDimensions(b.getType()));
    return builder.createOrFold<Op>(loc, arguments..., stretch(a, both),
                                    stretch(b, both));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    Dimensions all =
        join(getDimensions(condition.getType()),
             join(getDimensions(a.getType()), getDimensions(b.getType())));
    return builder.createOrFold<mlir::arith::SelectOp>(
        loc, stretch(condition, all), stretch(a, all), stretch(b, all));
  }
  mlir::Value stretch(mlir::Value value, Dimensions size) {
    return makeStretched(builder, value, size);
  }
  mlir::Value number(int32_t value) {
    return mlir::arith::ConstantIntOp::create(builder, loc,
                                              builder.getI32Type(), value);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_LANEMATH_H
