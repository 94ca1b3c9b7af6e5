// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated declarations of the passes on the py dialect.

#ifndef PYK_DIALECT_PY_TRANSFORMS_PASSES_H
#define PYK_DIALECT_PY_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace pyk::py {
#define GEN_PASS_DECL
#include "pyk/Dialect/Py/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "pyk/Dialect/Py/Transforms/Passes.h.inc"
} // namespace pyk::py

#endif // PYK_DIALECT_PY_TRANSFORMS_PASSES_H
