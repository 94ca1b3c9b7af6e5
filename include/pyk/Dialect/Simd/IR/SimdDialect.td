// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself; its description is what a newcomer reads first.

#ifndef PYK_DIALECT_SIMD_IR_SIMDDIALECT_TD
#define PYK_DIALECT_SIMD_IR_SIMDDIALECT_TD

include "mlir/IR/OpBase.td"

def Simd_Dialect : Dialect {
  let name = "simd";
  let cppNamespace = "::pyk::simd";
  let summary = "blocks of threads as vectors of a CPU";
  let description = [{
    What a kernel has in stage simd, where it runs a whole block, beside the ops
    of `arith`, `math`, `scf` and `pyk` that it had in stage gpu. Threads run in
    *tiles*: some rows of some strips of lanes, which are threads that follow each
    other along x. A value that depends on the place of a thread is a *compact
    vector*, `vector<rows x strips x lanes x T>`, whose dimensions are 1 where it
    does not depend on that part of the place; other values are scalars. So in

    ```mlir
    %b = simd.load contiguous %bs + %offset : !pyk.array<?xf32, c>, vector<1x1x16xi64> -> vector<1x1x16xf32>
    %wide = vector.broadcast %b : vector<1x1x16xf32> to vector<4x1x16xf32>
    %sum = arith.addf %wide, %rows : vector<4x1x16xf32>
    ```

    sixteen elements are read once, and added to each of four rows. A *mask* is a
    compact vector of i1: the threads that take part.

    All threads of a tile do one op before any does the next. That is an order
    in which a GPU may run them, so no access is moved over another.
    `simd-unroll` makes vectors of the machine of compact ones.

    The files: `SimdDialect.td` (this one) and `SimdOps.td`.
  }];
  let dependentDialects = ["::mlir::vector::VectorDialect",
                           "::pyk::PykDialect"];
  let hasOperationAttrVerify = 1;
}

#endif // PYK_DIALECT_SIMD_IR_SIMDDIALECT_TD
