// RUN: pyk-opt %s --simd-vectorize="lanes=8 tile=2,1" | FileCheck %s

// The plan can be overruled, and vectors have the width that they are told.
// CHECK-LABEL: gpu.func @kernel(
// CHECK-SAME:    simd.tile = array<i64: 2, 1, 8>
// CHECK:         scf.for
// CHECK:           vector<2x1x1xi32>
gpu.module @pyk {
  gpu.func @kernel(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 4, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %y = gpu.thread_id y
    %j = arith.index_castui %y : index to i64
    %e = pyk.element %a + %j : !pyk.array<?xi64, c>
    pyk.store %n, %e[] : !pyk.array<i64, c>
    pyk.return
  }
}
