// RUN: pyk-opt %s --simd-vectorize=lanes=16 | FileCheck %s
// RUN: pyk-opt %s --simd-vectorize="lanes=16 fetches-rows" | FileCheck %s --check-prefix=FETCHED

// What a loop reads of another row each time takes long, so more rows of the
// tile share it. Where the processor has fetched it, the other factor counts:
// its rows, one for each of the tile, may share the places of one line.
// CHECK-LABEL:   gpu.func @product(
// CHECK-SAME:      simd.tile = array<i64: 16, 1, 16>
// FETCHED-LABEL: gpu.func @product(
// FETCHED-SAME:    simd.tile = array<i64: 8, 1, 16>
// FETCHED-LABEL: gpu.func @of_known_length(
// FETCHED-SAME:    simd.tile = array<i64: 8, 1, 16>
// These do not.
// FETCHED-LABEL: gpu.func @apart(
// FETCHED-SAME:    simd.tile = array<i64: 16, 1, 16>
gpu.module @kernels {
  gpu.func @product(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %r: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 16, 1>} {
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %b = pyk.from_pointer %q extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %c = pyk.from_pointer %r extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %none = arith.constant 0.0 : f32
    %threadX = gpu.thread_id x
    %threadY = gpu.thread_id y
    %x = arith.index_castui %threadX : index to i64
    %y = arith.index_castui %threadY : index to i64
    %row = arith.muli %y, %n overflow<nsw, nuw> : i64
    %total = scf.for %k = %zero to %n step %one iter_args(%sum = %none) -> (f32) : i64 {
      %ofA = arith.addi %row, %k overflow<nsw, nuw> : i64
      %placeA = pyk.element %a + %ofA : !pyk.array<?x?xf32, c>
      %factorA = pyk.load %placeA[] : !pyk.array<f32, c>
      %rowB = arith.muli %k, %n overflow<nsw, nuw> : i64
      %ofB = arith.addi %rowB, %x overflow<nsw, nuw> : i64
      %placeB = pyk.element %b + %ofB : !pyk.array<?x?xf32, c>
      %factorB = pyk.load %placeB[] : !pyk.array<f32, c>
      %next = math.fma %factorA, %factorB, %sum : f32
      scf.yield %next : f32
    }
    %ofC = arith.addi %row, %x overflow<nsw, nuw> : i64
    %placeC = pyk.element %c + %ofC : !pyk.array<?x?xf32, c>
    pyk.store %total, %placeC[] : !pyk.array<f32, c>
    pyk.return
  }

  gpu.func @of_known_length(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %r: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 16, 1>} {
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %b = pyk.from_pointer %q extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %c = pyk.from_pointer %r extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %none = arith.constant 0.0 : f32
    %threadX = gpu.thread_id x
    %threadY = gpu.thread_id y
    %x = arith.index_castui %threadX : index to i64
    %y = arith.index_castui %threadY : index to i64
    %length = arith.constant 1024 : i64
    %row = arith.muli %y, %length overflow<nsw, nuw> : i64
    %total = scf.for %k = %zero to %n step %one iter_args(%sum = %none) -> (f32) : i64 {
      %ofA = arith.addi %row, %k overflow<nsw, nuw> : i64
      %placeA = pyk.element %a + %ofA : !pyk.array<?x?xf32, c>
      %factorA = pyk.load %placeA[] : !pyk.array<f32, c>
      %rowB = arith.muli %k, %n overflow<nsw, nuw> : i64
      %ofB = arith.addi %rowB, %x overflow<nsw, nuw> : i64
      %placeB = pyk.element %b + %ofB : !pyk.array<?x?xf32, c>
      %factorB = pyk.load %placeB[] : !pyk.array<f32, c>
      %next = math.fma %factorA, %factorB, %sum : f32
      scf.yield %next : f32
    }
    %ofC = arith.addi %row, %x overflow<nsw, nuw> : i64
    %placeC = pyk.element %c + %ofC : !pyk.array<?x?xf32, c>
    pyk.store %total, %placeC[] : !pyk.array<f32, c>
    pyk.return
  }

  gpu.func @apart(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %r: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 16, 1>} {
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %b = pyk.from_pointer %q extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %c = pyk.from_pointer %r extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %none = arith.constant 0.0 : f32
    %threadX = gpu.thread_id x
    %threadY = gpu.thread_id y
    %x = arith.index_castui %threadX : index to i64
    %y = arith.index_castui %threadY : index to i64
    %length = arith.constant 1040 : i64
    %row = arith.muli %y, %length overflow<nsw, nuw> : i64
    %total = scf.for %k = %zero to %n step %one iter_args(%sum = %none) -> (f32) : i64 {
      %ofA = arith.addi %row, %k overflow<nsw, nuw> : i64
      %placeA = pyk.element %a + %ofA : !pyk.array<?x?xf32, c>
      %factorA = pyk.load %placeA[] : !pyk.array<f32, c>
      %rowB = arith.muli %k, %n overflow<nsw, nuw> : i64
      %ofB = arith.addi %rowB, %x overflow<nsw, nuw> : i64
      %placeB = pyk.element %b + %ofB : !pyk.array<?x?xf32, c>
      %factorB = pyk.load %placeB[] : !pyk.array<f32, c>
      %next = math.fma %factorA, %factorB, %sum : f32
      scf.yield %next : f32
    }
    %ofC = arith.addi %row, %x overflow<nsw, nuw> : i64
    %placeC = pyk.element %c + %ofC : !pyk.array<?x?xf32, c>
    pyk.store %total, %placeC[] : !pyk.array<f32, c>
    pyk.return
  }
}
