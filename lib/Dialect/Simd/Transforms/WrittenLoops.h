// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops `simd-unroll-trips` replaces by their iterations.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_WRITTENLOOPS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_WRITTENLOOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/APInt.h"
#include <optional>

namespace pyk::simd {

/// Whether numbers of iterations may follow from `op`. Floats are left to the
/// machine, whose results have the bits of the reference.
bool isFoldable(mlir::Operation *op);

std::optional<llvm::APInt> getConstant(mlir::Value value);

/// Whether `loop` runs a small number of times and chooses by its counter: it
/// compares that with a constant, as for an item of a tuple, or uses it in an
/// index of a local array, all of whose indices are constants in each
/// iteration.
bool isOverItems(mlir::Operation *loop);

/// Whether `loop` is such a one, or threads wait for each other in it.
bool isWritten(mlir::Operation *loop);

/// The loops in `op` that are, but not those in them.
llvm::SmallVector<mlir::Operation *> getWrittenLoops(mlir::Operation *op);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_WRITTENLOOPS_H
