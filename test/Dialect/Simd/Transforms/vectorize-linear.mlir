// RUN: pyk-opt %s --simd-vectorize=lanes=8 --canonicalize | FileCheck %s

// The second row begins within a vector of the first warp: lanes are the threads
// in their order, and the block is one tile.
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME:    simd.tile = array<i64: 1, 4, 8>
// CHECK-DAG:     %[[IS:.*]] = arith.constant dense<{{.*}}true, true, true, true, true, true, false, false{{.*}}> : vector<1x4x8xi1>
// CHECK-DAG:     %[[X:.*]] = arith.constant dense<{{\[\[\[}}0, 1, 2, 3, 4, 0, 1, 2], [3, 4, 0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 0, 1, 2, 3], [4, 0, 1, 2, 3, 4, {{.*}}> : vector<1x4x8xi64>
// CHECK:         simd.ballot
// CHECK:         simd.store %{{.*}}, %{{.*}} + %[[X]] mask %[[IS]]
gpu.module @pyk {
  gpu.func @rows(%p: !llvm.ptr<1>, %c: i1) kernel
      attributes {pyk.block_shape = array<i32: 5, 3, 2>} {
    %n = arith.constant 5 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %y = gpu.thread_id y
    %j = arith.index_castui %y : index to i32
    %one = arith.constant 1 : i32
    %odd = arith.cmpi eq, %j, %one : i32
    %all = arith.constant -1 : i32
    %b = pyk.ballot %odd mask %all
    %x = gpu.thread_id x
    %i = arith.index_castui %x : index to i64
    %e = pyk.element %a + %i : !pyk.array<?xi32, c>
    pyk.store %b, %e[] : !pyk.array<i32, c>
    pyk.return
  }
}
