// RUN: pyk-opt %s --simd-unroll --cse | FileCheck %s

// Elements that are a few apart are picked from as many vectors, of which none
// goes beyond the last element. Under a mask nothing beside them is read.
// CHECK-LABEL: gpu.func @steps(
// CHECK:         %[[FIRST:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         %[[SECOND:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         llvm.shufflevector %[[FIRST]], %[[SECOND]] [0, 2, 5, 7] : vector<4xf32>
// CHECK:         llvm.shufflevector %[[FIRST]], %[[FIRST]] [3, 2, 1, 0] : vector<4xf32>
// CHECK:         llvm.intr.masked.gather
gpu.module @stepping {
  gpu.func @steps(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    %by_two = arith.constant dense<[[[0, 2, 4, 6]]]> : vector<1x1x4xi64>
    %back = arith.constant dense<[[[3, 2, 1, 0]]]> : vector<1x1x4xi64>
    %limit = vector.broadcast %n : i64 to vector<1x1x4xi64>
    %m = arith.cmpi slt, %by_two, %limit : vector<1x1x4xi64>
    %x = simd.load step 2 %a + %by_two : !pyk.array<64xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
    %y = simd.load step -1 %a + %back : !pyk.array<64xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
    %z = simd.load step 2 %a + %by_two mask %m : vector<1x1x4xi1> : !pyk.array<64xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
    simd.store contiguous %x, %a + %back : vector<1x1x4xf32>, !pyk.array<64xf32, c>, vector<1x1x4xi64>
    simd.store contiguous %y, %a + %back : vector<1x1x4xf32>, !pyk.array<64xf32, c>, vector<1x1x4xi64>
    simd.store contiguous %z, %a + %back : vector<1x1x4xf32>, !pyk.array<64xf32, c>, vector<1x1x4xi64>
    pyk.return
  }
}
