// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of kernels on the CPU, beside what passes say themselves.

#ifndef PYK_DIALECT_SIMD_TRANSFORMS_REMARKS_H
#define PYK_DIALECT_SIMD_TRANSFORMS_REMARKS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace pyk::simd {

/// Says at `loc` why `kernel` does not run as vectors, and what might help; no
/// word of that if `advice` is empty.
void remarkNoVectors(mlir::gpu::GPUFuncOp kernel, mlir::Location loc,
                     llvm::StringRef reason, llvm::StringRef advice = "");

} // namespace pyk::simd

#endif // PYK_DIALECT_SIMD_TRANSFORMS_REMARKS_H
