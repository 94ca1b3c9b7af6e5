// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and vectors of the machine.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_MACHINEVECTORS_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_MACHINEVECTORS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pyk::simd {

using Values = llvm::SmallVector<mlir::Value>;

/// A constant of type i64.
mlir::Value makeNumber(mlir::OpBuilder &builder, int64_t number);

/// A vector of `lanes` that are all `number`; `number` itself if there is one.
mlir::Value makeSplat(mlir::OpBuilder &builder, mlir::Value number,
                      int64_t lanes);

/// `vector` itself if it is a number.
mlir::Value extract(mlir::OpBuilder &builder, mlir::Value vector, int64_t lane);
mlir::Value insert(mlir::OpBuilder &builder, mlir::Value vector,
                   mlir::Value number, int64_t lane);

/// The lanes of `mask`, a vector, as the bits of an integer.
mlir::Value makeBits(mlir::OpBuilder &builder, mlir::Value mask);

/// The type that memory has for an element: a bool takes a byte.
mlir::Type getHeldType(mlir::Type element);
/// `value`, a number or a vector, as memory has it.
mlir::Value toHeld(mlir::OpBuilder &builder, mlir::Value value);
/// What `toHeld` made of one with this `element`.
mlir::Value fromHeld(mlir::OpBuilder &builder, mlir::Value value,
                     mlir::Type element);

/// What `run` makes if `on` holds, or is null, else `others`, as many.
Values runIf(mlir::OpBuilder &builder, mlir::Value on, mlir::Location loc,
             mlir::ValueRange others, llvm::function_ref<Values()> run);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_MACHINEVECTORS_H
