// RUN: pyk-opt %s --simd-vectorize=lanes=8 --canonicalize | FileCheck %s
// RUN: pyk-opt %s --simd-vectorize=lanes=8 --simd-unroll --canonicalize \
// RUN: | FileCheck %s --check-prefix=UNROLLED

// Rows go through the blocks that are neighbours along x.
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME:    simd.run = 128 : i64
// CHECK-DAG:     %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG:     %[[FIRST:.*]] = arith.index_castui %[[BLOCK]] : index to i32
// CHECK-DAG:     %[[LENGTH:.*]] = simd.run_length : i32
// CHECK:         scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
// CHECK:           scf.for %[[PLACE:.*]] = %{{.*}} to %[[LENGTH]] step %{{.*}} : i32 {
// CHECK:             %[[X:.*]] = arith.addi %[[FIRST]], %[[PLACE]] overflow<nsw, nuw> : i32
// CHECK:             simd.enter_block %[[X]] : i32
// CHECK-NOT:         gpu.block_id x
// CHECK:             simd.store contiguous

// UNROLLED-LABEL: gpu.func @rows(
// UNROLLED-DAG:     %[[LENGTH:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// UNROLLED:         scf.for
// UNROLLED:           scf.for %{{.*}} = %{{.*}} to %[[LENGTH]]
// UNROLLED:             llvm.call @pyk.enter_block(%{{.*}}) : (i32) -> ()
gpu.module @pyk {
  gpu.func @rows(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 32, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %x = arith.index_castui %tx : index to i64
    %y = arith.index_castui %ty : index to i64
    %b = arith.index_castui %bx : index to i64
    %c32 = arith.constant 32 : i64
    %start = arith.muli %b, %c32 : i64
    %column = arith.addi %start, %x : i64
    %row = arith.muli %y, %n : i64
    %place = arith.addi %row, %column : i64
    %e = pyk.element %a + %place : !pyk.array<?xi64, c>
    pyk.store %n, %e[] : !pyk.array<i64, c>
    pyk.return
  }

  // Each row through all that a loop reads would read it once a row.
  // CHECK-LABEL: gpu.func @far_loop(
  // CHECK-NOT:     simd.run
  // CHECK:         pyk.return
  gpu.func @far_loop(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 8, 64, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %y = arith.index_castui %ty : index to i64
    %b = arith.index_castui %bx : index to i64
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %c0) -> (i64) : i64 {
      %e = pyk.element %a + %k : !pyk.array<?xi64, c>
      %v = pyk.load %e[] : !pyk.array<i64, c>
      %t = arith.addi %s, %v : i64
      scf.yield %t : i64
    }
    %place = arith.addi %y, %b : i64
    %e = pyk.element %a + %place : !pyk.array<?xi64, c>
    pyk.store %sum, %e[] : !pyk.array<i64, c>
    pyk.return
  }

  // A loop of few iterations does not.
  // CHECK-LABEL: gpu.func @near_loop(
  // CHECK-SAME:    simd.run = 512 : i64
  gpu.func @near_loop(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 8, 64, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %y = arith.index_castui %ty : index to i64
    %b = arith.index_castui %bx : index to i64
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c5 = arith.constant 5 : i64
    %sum = scf.for %k = %c0 to %c5 step %c1 iter_args(%s = %c0) -> (i64) : i64 {
      %e = pyk.element %a + %k : !pyk.array<?xi64, c>
      %v = pyk.load %e[] : !pyk.array<i64, c>
      %t = arith.addi %s, %v : i64
      scf.yield %t : i64
    }
    %place = arith.addi %y, %b : i64
    %e = pyk.element %a + %place : !pyk.array<?xi64, c>
    pyk.store %sum, %e[] : !pyk.array<i64, c>
    pyk.return
  }

  // Shared memory is that of one block.
  // CHECK-LABEL: gpu.func @shared(
  // CHECK-NOT:     simd.run
  // CHECK:         pyk.return
  gpu.func @shared(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 8, 64, 1>} {
    %s = pyk.alloc : !pyk.array<8xi64, c, shared>
    %bx = gpu.block_id x
    %b = arith.index_castui %bx : index to i64
    %tx = gpu.thread_id x
    %x = arith.index_castui %tx : index to i64
    %e = pyk.element %s + %x : !pyk.array<8xi64, c, shared>
    pyk.store %b, %e[] : !pyk.array<i64, c, shared>
    pyk.return
  }

  // Threads who never ask for their block along x do the same in each.
  // CHECK-LABEL: gpu.func @same(
  // CHECK-NOT:     simd.run
  // CHECK:         pyk.return
  gpu.func @same(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 8, 64, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %bx = gpu.block_id y
    %b = arith.index_castui %bx : index to i64
    %e = pyk.element %a + %b : !pyk.array<?xi64, c>
    pyk.store %n, %e[] : !pyk.array<i64, c>
    pyk.return
  }

  // The rest of each cache line is for the next row.
  // CHECK-LABEL: gpu.func @transpose(
  // CHECK-NOT:     simd.run
  // CHECK:         pyk.return
  gpu.func @transpose(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 32, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %x = arith.index_castui %tx : index to i64
    %y = arith.index_castui %ty : index to i64
    %b = arith.index_castui %bx : index to i64
    %c32 = arith.constant 32 : i64
    %start = arith.muli %b, %c32 : i64
    %column = arith.addi %start, %x : i64
    %row = arith.muli %column, %n : i64
    %place = arith.addi %row, %y : i64
    %e = pyk.element %a + %place : !pyk.array<?xi64, c>
    pyk.store %n, %e[] : !pyk.array<i64, c>
    pyk.return
  }
}
