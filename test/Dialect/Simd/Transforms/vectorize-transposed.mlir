// RUN: pyk-opt %s --simd-vectorize=lanes=16 --cse | FileCheck %s

// Rows find neighbours in one of the arrays: a tile has several rows, so
// that each lane has a vector there. Of few rows elements are collected.
// CHECK-LABEL: gpu.func @transpose(
// CHECK-SAME:    simd.tile = array<i64: 16, 1, 16>
// CHECK:         simd.load contiguous
// CHECK:         simd.store transposed %{{.*}} : vector<16x1x16xf32>
// CHECK:         simd.load transposed %{{.*}} -> vector<16x1x16xf32>
// CHECK-LABEL: gpu.func @few(
// CHECK-NOT:     transposed
// CHECK:         simd.store %
// CHECK-NOT:     transposed
gpu.module @kernels {
  gpu.func @transpose(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 16, 1>} {
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %b = pyk.from_pointer %q extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %threadX = gpu.thread_id x
    %threadY = gpu.thread_id y
    %x = arith.index_castui %threadX : index to i64
    %y = arith.index_castui %threadY : index to i64
    %row = arith.muli %y, %n overflow<nsw, nuw> : i64
    %place = arith.addi %row, %x overflow<nsw, nuw> : i64
    %from = pyk.element %a + %place : !pyk.array<?x?xf32, c>
    %element = pyk.load %from[] : !pyk.array<f32, c>
    %column = arith.muli %x, %n overflow<nsw, nuw> : i64
    %turned = arith.addi %column, %y overflow<nsw, nuw> : i64
    %to = pyk.element %b + %turned : !pyk.array<?x?xf32, c>
    pyk.store %element, %to[] : !pyk.array<f32, c>
    %back = pyk.element %a + %turned : !pyk.array<?x?xf32, c>
    %other = pyk.load %back[] : !pyk.array<f32, c>
    pyk.store %other, %from[] : !pyk.array<f32, c>
    pyk.return
  }

  gpu.func @few(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64, %v: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 2, 1>} {
    %b = pyk.from_pointer %q extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %threadX = gpu.thread_id x
    %threadY = gpu.thread_id y
    %x = arith.index_castui %threadX : index to i64
    %y = arith.index_castui %threadY : index to i64
    %column = arith.muli %x, %n overflow<nsw, nuw> : i64
    %turned = arith.addi %column, %y overflow<nsw, nuw> : i64
    %to = pyk.element %b + %turned : !pyk.array<?x?xf32, c>
    pyk.store %v, %to[] : !pyk.array<f32, c>
    pyk.return
  }
}
