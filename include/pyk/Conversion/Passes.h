// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated declarations of the passes between dialects.

#ifndef PYK_CONVERSION_PASSES_H
#define PYK_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace pyk {
#define GEN_PASS_DECL
#include "pyk/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "pyk/Conversion/Passes.h.inc"
} // namespace pyk

#endif // PYK_CONVERSION_PASSES_H
