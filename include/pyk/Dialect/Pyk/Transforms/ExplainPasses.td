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
    sectors of global memory, or in conflicts for a bank of shared memory. The lanes of
    a warp are consecutive threads of blocks of the shape `pyk.block_shape`, or lie
    along the x axis if it is not known. One more remark
    for each kernel counts its accesses, except those to local arrays. Changes nothing, and does nothing
    unless remarks are listened to.

    Requires: `pyk-expand-addresses`. Guarantees: nothing changes.

    Example: with `--remarks-filter=cuda`, this
    ```mlir
    gpu.func @kernel(%a: !pyk.array<?xf32, c>) kernel {
      %two = arith.constant 2 : i64
      %thread = gpu.thread_id x
      %x = arith.index_castui %thread : index to i64
      %i = arith.muli %x, %two : i64
      %element = pyk.element %a + %i : !pyk.array<?xf32, c>
      %value = pyk.load %element[] : !pyk.array<f32, c>
      gpu.return
    }
    ```
    prints
    ```text
    remark: [Missed] access | Category:cuda | Function=kernel |
      Reason="a warp touches 8 sectors of memory where 4 would do",
      Remark="neighbouring threads read an array 2 elements apart",
      Suggestion="let neighbours take neighbouring elements"
    remark: [Analysis] accesses | Category:cuda | Function=kernel |
      Remark="kernel 'kernel': 0 of 1 accesses to memory are what a warp does
              best"
    ```

    More examples: `test/Dialect/Pyk/Transforms/explain-accesses.mlir`
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

    Example: with `--remarks-filter=pyk`, this
    ```mlir
    pyk.func @half(%x: f32) -> f64 {
      %half = arith.constant 0.5 : f64
      %wide = arith.extf %x : f32 to f64
      %y = arith.mulf %wide, %half : f64
      pyk.return %y : f64
    }
    ```
    prints
    ```text
    remark: [Missed] precision | Category:pyk | Function=half |
      Reason="a literal makes it so", Remark="this is computed in float64",
      Suggestion="np.float32(...) of it keeps to float32"
    ```

    More examples: `test/Dialect/Pyk/Transforms/explain-precision.mlir`
  }];
}

#endif // PYK_DIALECT_PYK_TRANSFORMS_EXPLAINPASSES_TD
