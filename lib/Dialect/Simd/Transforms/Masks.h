// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads of a tile are on.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_MASKS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_MASKS_H

#include "LaneValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <utility>

namespace pyk::simd {

/// The threads that are on, and what can be asked of masks.
class Masks {
public:
  Masks(LaneValues &values, mlir::OpBuilder &builder)
      : values(values), builder(builder) {}

  /// Lets the threads of a mask be on, and those before when it is left.
  class Scope {
  public:
    Scope(Masks &masks, mlir::Value mask)
        : masks(masks), outer(std::exchange(masks.mask, mask)) {}
    ~Scope() { masks.mask = outer; }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Masks &masks;
    mlir::Value outer;
  };

  /// The threads that are on; null if all are.
  mlir::Value get() const { return mask; }
  /// Those of them that have a value with `dimensions`.
  mlir::Value get(Dimensions dimensions);
  /// `dimensions` with those of the threads that are on.
  Dimensions joinWith(Dimensions dimensions) const;

  /// Those of `a` for which `b` holds, too. Either may be null: all threads. Of
  /// threads that are not in `a`, `b` may be poison: what they compute means
  /// nothing.
  mlir::Value makeAnd(mlir::Value a, mlir::Value b);
  /// Whether some thread is in `asked`. If `onlyAtCorners` is set, null where
  /// more than two threads would have to be asked.
  mlir::Value makeAny(mlir::Value asked, bool onlyAtCorners = false);
  /// As makeAny, for all threads.
  mlir::Value makeAll(mlir::Value asked, bool onlyAtCorners = false);

  /// Of `result` of a loop, what threads in `active` get of `value` and others
  /// keep of `old`. Those that leave together, as the shape of `result` says,
  /// all get `value` if one does: neighbours stay neighbours.
  mlir::Value keepOld(mlir::Value active, mlir::Value value, mlir::Value old,
                      mlir::Value result);

private:
  mlir::Value compareCorner(mlir::arith::CmpIOp compare, bool forAll);

  LaneValues &values;
  mlir::OpBuilder &builder;
  mlir::Value mask;
};

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_MASKS_H
