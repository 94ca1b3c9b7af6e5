// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that change nothing and make remarks on what is slow.

#ifndef PYK_DIALECT_PYK_TRANSFORMS_EXPLAINPASSES_TD
#define PYK_DIALECT_PYK_TRANSFORMS_EXPLAINPASSES_TD

include "mlir/Pass/PassBase.td"

def ExplainAccessesPass : Pass<"pyk-explain-accesses",
                               "::mlir::gpu::GPUModuleOp"> {
  let summary = "remarks on accesses that are slow for warps";
  let description = [{
    Makes a remark for each access to global, shared or constant memory of a kernel
    that costs a warp more than an access to neighbours, or to one element, does: in
    sectors of global memory, or in turns of the banks of shared memory. Lanes of a warp
    are taken to follow each other on the x axis of the block. One more remark
    for each kernel counts its accesses. Changes nothing, and does nothing
    unless remarks are listened to.

    Requires: `pyk-expand-addresses`. Guarantees: nothing changes.

    Example: `test/Dialect/Pyk/Transforms/explain-accesses.mlir`
  }];
}

def ExplainPrecisionPass : Pass<"pyk-explain-precision", "::mlir::ModuleOp"> {
  let summary = "remarks on arithmetic in float64 of numbers in float32";
  let description = [{
    Makes a remark for each op that computes in float64 because one of its two
    operands is a literal, an argument, an element or an integer that makes it do
    so, while the other is a float32. Changes nothing, and does nothing
    unless remarks are listened to.

    Requires: stage pyk. Guarantees: nothing changes.

    Example: `test/Dialect/Pyk/Transforms/explain-precision.mlir`
  }];
}

#endif // PYK_DIALECT_PYK_TRANSFORMS_EXPLAINPASSES_TD
