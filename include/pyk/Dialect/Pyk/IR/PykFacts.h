// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel takes for granted of its arguments, in stages pyk and gpu.

#ifndef PYK_DIALECT_PYK_IR_PYKFACTS_H
#define PYK_DIALECT_PYK_IR_PYKFACTS_H

#include "pyk/Dialect/Pyk/IR/PykAttributes.h"

namespace pyk {

/// The facts of `value`: an argument of a kernel of stage pyk, or an array or a
/// parameter that stands for one in stage gpu. None for other values.
LaunchFact getFacts(mlir::Value value);

/// Whether the extents, elements and bytes of `array` are known to be less than
/// `kSmallLimit`.
bool isSmallArray(mlir::Value array);

/// Whether `array` is known to have less elements than `kSmallLimit`.
bool hasFewElements(mlir::Value array);

/// Whether launches of the function that `op` is in have a small grid.
bool hasSmallGrid(mlir::Operation *op);

/// A list of the facts of all arguments as text: "argument 0: small, disjoint;
/// argument 2: small". What the kernel does by itself is left out.
std::string stringifyFacts(mlir::ArrayAttr facts);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKFACTS_H
