// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated declarations of the passes around PTX.

#ifndef PYK_TARGET_PTX_PASSES_H
#define PYK_TARGET_PTX_PASSES_H

#include "mlir/Pass/Pass.h"

namespace pyk {
#define GEN_PASS_DECL
#include "pyk/Target/PTX/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "pyk/Target/PTX/Passes.h.inc"
} // namespace pyk

#endif // PYK_TARGET_PTX_PASSES_H
