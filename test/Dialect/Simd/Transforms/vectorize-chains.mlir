// RUN: pyk-opt %s --simd-vectorize=lanes=16 | FileCheck %s

// A formula waits for another: two vectors at a time.
// CHECK-LABEL: gpu.func @chain(
// CHECK-SAME:    simd.tile = array<i64: 1, 2, 16>
gpu.module @pyk {
  gpu.func @chain(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 256, 1, 1>} {
    %n = arith.constant 256 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %x = gpu.thread_id x upper_bound 256
    %i = arith.index_cast %x : index to i64
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    %v = pyk.load %e[] : !pyk.array<f32, c>
    %l = math.log %v : f32
    %w = math.exp %l : f32
    %f = pyk.element %b + %i : !pyk.array<?xf32, c>
    pyk.store %w, %f[] : !pyk.array<f32, c>
    pyk.return
  }

  // Two of which neither does.
  // CHECK-LABEL: gpu.func @side_by_side(
  // CHECK-SAME:    simd.tile = array<i64: 1, 1, 16>
  gpu.func @side_by_side(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 256, 1, 1>} {
    %n = arith.constant 256 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %x = gpu.thread_id x upper_bound 256
    %i = arith.index_cast %x : index to i64
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    %v = pyk.load %e[] : !pyk.array<f32, c>
    %l = math.log %v : f32
    %w = math.exp %v : f32
    %s = arith.addf %l, %w : f32
    %f = pyk.element %b + %i : !pyk.array<?xf32, c>
    pyk.store %s, %f[] : !pyk.array<f32, c>
    pyk.return
  }
}
