// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated declarations of the passes on the pyk dialect.

#ifndef PYK_DIALECT_PYK_TRANSFORMS_PASSES_H
#define PYK_DIALECT_PYK_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace pyk {
#define GEN_PASS_DECL
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

#endif // PYK_DIALECT_PYK_TRANSFORMS_PASSES_H
