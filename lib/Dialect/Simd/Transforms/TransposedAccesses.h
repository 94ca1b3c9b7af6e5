// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of which neighbouring rows, and not lanes, are neighbours in
// memory.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_TRANSPOSEDACCESSES_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_TRANSPOSEDACCESSES_H

#include "UnrolledValues.h"

namespace pyk::simd {

/// Loads for each lane what it has in several rows, and transposes that. Yields
/// the instances of the result, none if `op` is not transposed, has too few
/// rows or a mask.
Values loadTransposed(mlir::OpBuilder &builder, UnrolledValues &values,
                      LoadOp op, mlir::Value array);

/// The other way round; false if nothing was written.
bool storeTransposed(mlir::OpBuilder &builder, UnrolledValues &values,
                     StoreOp op, mlir::Value array);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_TRANSPOSEDACCESSES_H
