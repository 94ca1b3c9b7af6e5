// RUN: pyk-opt %s --simd-unroll --cse | FileCheck %s

// Each lane has its elements in all rows side by side, and vectors of these become vectors
// of rows: neighbours first, then two and two. Those that are stored go the other way.
// CHECK-LABEL: gpu.func @transposes(
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         %[[LOW01:.*]] = llvm.shufflevector %[[L0:.*]], %[[L1:.*]] [0, 4, 1, 5] : vector<4xf32>
// CHECK:         %[[HIGH01:.*]] = llvm.shufflevector %[[L0]], %[[L1]] [2, 6, 3, 7] : vector<4xf32>
// CHECK:         %[[LOW23:.*]] = llvm.shufflevector %[[L2:.*]], %[[L3:.*]] [0, 4, 1, 5] : vector<4xf32>
// CHECK:         %[[HIGH23:.*]] = llvm.shufflevector %[[L2]], %[[L3]] [2, 6, 3, 7] : vector<4xf32>
// CHECK:         llvm.shufflevector %[[LOW01]], %[[LOW23]] [0, 1, 4, 5] : vector<4xf32>
// CHECK:         llvm.shufflevector %[[LOW01]], %[[LOW23]] [2, 3, 6, 7] : vector<4xf32>
// CHECK:         llvm.shufflevector %[[HIGH01]], %[[HIGH23]] [0, 1, 4, 5] : vector<4xf32>
// CHECK:         llvm.shufflevector %[[HIGH01]], %[[HIGH23]] [2, 3, 6, 7] : vector<4xf32>
// CHECK-COUNT-4: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<1>
// Others, of which some threads are off, are collected.
// CHECK-COUNT-4: llvm.intr.masked.gather
// CHECK-COUNT-4: llvm.intr.masked.scatter
gpu.module @transposing {
  gpu.func @transposes(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 4, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64x64xf32, c>
    %b = pyk.from_pointer %q : !llvm.ptr<1> to !pyk.array<64x64xf32, c>
    %lanes = arith.constant dense<[[[0, 64, 128, 192]]]> : vector<1x1x4xi64>
    %rows = arith.constant dense<[[[0]], [[1]], [[2]], [[3]]]> : vector<4x1x1xi64>
    %ofLanes = vector.broadcast %lanes : vector<1x1x4xi64> to vector<4x1x4xi64>
    %ofRows = vector.broadcast %rows : vector<4x1x1xi64> to vector<4x1x4xi64>
    %o = arith.addi %ofLanes, %ofRows : vector<4x1x4xi64>
    %limit = vector.broadcast %n : i64 to vector<4x1x4xi64>
    %m = arith.cmpi slt, %o, %limit : vector<4x1x4xi64>
    %x = simd.load transposed %a + %o : !pyk.array<64x64xf32, c>, vector<4x1x4xi64> -> vector<4x1x4xf32>
    simd.store transposed %x, %b + %o : vector<4x1x4xf32>, !pyk.array<64x64xf32, c>, vector<4x1x4xi64>
    %y = simd.load transposed %a + %o mask %m : vector<4x1x4xi1> : !pyk.array<64x64xf32, c>, vector<4x1x4xi64> -> vector<4x1x4xf32>
    simd.store transposed %y, %b + %o mask %m : vector<4x1x4xi1> : vector<4x1x4xf32>, !pyk.array<64x64xf32, c>, vector<4x1x4xi64>
    pyk.return
  }
}
