// RUN: pyk-opt %s --simd-unroll --cse | FileCheck %s

// Lanes that are known leave a mask by a conjunction. What is known of all threads at once
// is a number, and a choice stays one.
// CHECK-LABEL: gpu.func @masks(
// CHECK-DAG:     %[[SOME:.*]] = arith.constant dense<[true, false, true, false]> : vector<4xi1>
// CHECK-DAG:     %[[NONE:.*]] = arith.constant false
// CHECK:         %[[MASK:.*]] = arith.cmpi slt
// CHECK:         %[[FROZEN:.*]] = llvm.freeze %[[MASK]] : vector<4xi1>
// CHECK:         arith.andi %[[FROZEN]], %[[SOME]] : vector<4xi1>
// CHECK:         arith.select %[[NONE]], %[[MASK]], %{{.*}} : vector<4xi1>
gpu.module @kernels {
  gpu.func @masks(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi1, c>
    %i = arith.constant dense<[[[0, 1, 2, 3]]]> : vector<1x1x4xi64>
    %some = arith.constant dense<[[[true, false, true, false]]]> : vector<1x1x4xi1>
    %none = arith.constant false
    %zero = arith.constant dense<false> : vector<1x1x4xi1>
    %limit = vector.broadcast %n : i64 to vector<1x1x4xi64>
    %m = arith.cmpi slt, %i, %limit : vector<1x1x4xi64>
    %x = arith.select %some, %m, %zero : vector<1x1x4xi1>, vector<1x1x4xi1>
    %y = arith.select %none, %m, %zero : vector<1x1x4xi1>
    simd.store contiguous %x, %a + %i : vector<1x1x4xi1>, !pyk.array<64xi1, c>, vector<1x1x4xi64>
    simd.store contiguous %y, %a + %i : vector<1x1x4xi1>, !pyk.array<64xi1, c>, vector<1x1x4xi64>
    pyk.return
  }
}
