// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated declarations of the passes to and in stage simd.

#ifndef PYK_DIALECT_SIMD_TRANSFORMS_PASSES_H
#define PYK_DIALECT_SIMD_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace pyk::simd {
#define GEN_PASS_DECL
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "pyk/Dialect/Simd/Transforms/Passes.h.inc"
} // namespace pyk::simd

#endif // PYK_DIALECT_SIMD_TRANSFORMS_PASSES_H
