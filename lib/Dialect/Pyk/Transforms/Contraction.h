// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flag that lets an operation be rounded together with another.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_CONTRACTION_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_CONTRACTION_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace pyk {

/// Flags of `op`; ops that say nothing have none.
inline mlir::arith::FastMathFlags
getFastMathFlags(mlir::arith::ArithFastMathInterface op) {
  auto flags = op.getFastMathFlagsAttr();
  return flags ? flags.getValue() : mlir::arith::FastMathFlags::none;
}

inline bool mayContract(mlir::arith::ArithFastMathInterface op) {
  return mlir::arith::bitEnumContainsAll(getFastMathFlags(op),
                                         mlir::arith::FastMathFlags::contract);
}

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_CONTRACTION_H
