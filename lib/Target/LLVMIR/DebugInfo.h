// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What machine code says of the program, as LLVM wants to be told.

#ifndef PYK_LIB_TARGET_LLVMIR_DEBUGINFO_H
#define PYK_LIB_TARGET_LLVMIR_DEBUGINFO_H

#include "pyk/Pipelines/CompileOptions.h"

namespace mlir::gpu {
class GPUModuleOp;
} // namespace mlir::gpu

namespace pyk {

/// Says of each function of `module`, which is in stage nvvm, which one of the
/// program it is, and in full of slots which variables.
void addDebugInfo(mlir::gpu::GPUModuleOp module, DebugInfo debugInfo);

} // namespace pyk

#endif // PYK_LIB_TARGET_LLVMIR_DEBUGINFO_H
