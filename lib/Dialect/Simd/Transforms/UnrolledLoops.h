// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops `simd-unroll-trips` unrolls.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLEDLOOPS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLEDLOOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/APInt.h"
#include <optional>

namespace pyk::simd {

/// Whether numbers of iterations may follow from `op`. Floats are left to the
/// machine, whose results have the bits of the reference.
bool isFoldable(mlir::Operation *op);

/// The integer that `value` is, if it is a constant.
std::optional<llvm::APInt> getConstant(mlir::Value value);

/// Whether `loop` runs a small number of times and uses its counter to choose
/// an item: it compares the counter with a constant, as for an item of a tuple,
/// or computes from it an index of a local array all of whose indices are
/// constants in each iteration.
bool isOverItems(mlir::Operation *loop);

/// Whether `loop` is such a loop, or threads wait for each other in it.
bool isUnrolled(mlir::Operation *loop);

/// The outermost such loops in `op`, which is none of them.
llvm::SmallVector<mlir::Operation *> getUnrolledLoops(mlir::Operation *op);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLEDLOOPS_H
