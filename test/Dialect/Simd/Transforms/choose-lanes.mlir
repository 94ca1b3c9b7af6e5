// RUN: pyk-opt %s --simd-choose-lanes="lanes=16" --split-input-file | FileCheck %s

!matrix = !pyk.array<?x64xf32, c>

gpu.module @axes {
  // Elements are neighbours along y, and so will lanes be, which are along x.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK-SAME:    pyk.block_shape = array<i32: 32, 16, 1>, simd.lane_axis = 1 : i32}
  // CHECK:         %[[X:.*]] = gpu.thread_id y upper_bound 16
  // CHECK:         %[[Y:.*]] = gpu.thread_id x upper_bound 32
  // CHECK:         gpu.block_id y
  // CHECK:         gpu.block_dim y
  // CHECK:         gpu.grid_dim y
  // CHECK:         gpu.block_id z
  // CHECK:         %[[I:.*]] = arith.index_castui %[[X]]
  // CHECK:         %[[J:.*]] = arith.index_castui %[[Y]]
  // CHECK:         %[[START:.*]] = arith.muli %[[I]], %c64_i64
  // CHECK:         arith.addi %[[START]], %[[J]]
  gpu.func @rows(%a: !matrix, %v: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 32, 1>} {
    %x = gpu.thread_id x upper_bound 16
    %y = gpu.thread_id y upper_bound 32
    %bx = gpu.block_id x
    %dx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %bz = gpu.block_id z
    %i = arith.index_castui %x : index to i64
    %j = arith.index_castui %y : index to i64
    %width = arith.constant 64 : i64
    %start = arith.muli %i, %width : i64
    %offset = arith.addi %start, %j : i64
    %element = pyk.element %a + %offset : !matrix
    pyk.store %v, %element[] : !pyk.array<f32, c>
    pyk.return
  }

  // CHECK-LABEL: gpu.func @columns(
  // CHECK-SAME:    pyk.block_shape = array<i32: 16, 32, 1>}
  // CHECK-NEXT:    gpu.thread_id x
  gpu.func @columns(%a: !matrix, %v: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 32, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %j = arith.index_castui %x : index to i64
    %i = arith.index_castui %y : index to i64
    %width = arith.constant 64 : i64
    %start = arith.muli %i, %width : i64
    %offset = arith.addi %start, %j : i64
    %element = pyk.element %a + %offset : !matrix
    pyk.store %v, %element[] : !pyk.array<f32, c>
    pyk.return
  }

  // What one axis gains, the other loses.
  // CHECK-LABEL: gpu.func @transpose(
  // CHECK-SAME:    pyk.block_shape = array<i32: 16, 32, 1>}
  gpu.func @transpose(%a: !matrix, %b: !matrix) kernel
      attributes {pyk.block_shape = array<i32: 16, 32, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %j = arith.index_castui %x : index to i64
    %i = arith.index_castui %y : index to i64
    %width = arith.constant 64 : i64
    %row = arith.muli %i, %width : i64
    %from = arith.addi %row, %j : i64
    %element = pyk.element %a + %from : !matrix
    %v = pyk.load %element[] : !pyk.array<f32, c>
    %column = arith.muli %j, %width : i64
    %to = arith.addi %column, %i : i64
    %other = pyk.element %b + %to : !matrix
    pyk.store %v, %other[] : !pyk.array<f32, c>
    pyk.return
  }

  // Along x all lanes add to one element, along y each to its own.
  // CHECK-LABEL: gpu.func @sums_of_columns(
  // CHECK-SAME:    pyk.block_shape = array<i32: 16, 32, 1>}
  gpu.func @sums_of_columns(%a: !matrix, %sums: !pyk.array<?xf32, c>) kernel
      attributes {pyk.block_shape = array<i32: 16, 32, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %i = arith.index_castui %x : index to i64
    %j = arith.index_castui %y : index to i64
    %width = arith.constant 64 : i64
    %start = arith.muli %i, %width : i64
    %offset = arith.addi %start, %j : i64
    %element = pyk.element %a + %offset : !matrix
    %v = pyk.load %element[] : !pyk.array<f32, c>
    %sum = pyk.element %sums + %j : !pyk.array<?xf32, c>
    %old = pyk.atomic add %v, %sum[] : !pyk.array<f32, c>
    pyk.return
  }

  // Warps are threads that follow each other along x.
  // CHECK-LABEL: gpu.func @warps(
  // CHECK-SAME:    pyk.block_shape = array<i32: 16, 32, 1>}
  gpu.func @warps(%a: !matrix, %v: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 32, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %i = arith.index_castui %x : index to i64
    %j = arith.index_castui %y : index to i64
    pyk.warp_barrier
    %width = arith.constant 64 : i64
    %start = arith.muli %i, %width : i64
    %offset = arith.addi %start, %j : i64
    %element = pyk.element %a + %offset : !matrix
    pyk.store %v, %element[] : !pyk.array<f32, c>
    pyk.return
  }

  // A row of the block is too short, and half as many lanes are not.
  // CHECK-LABEL: gpu.func @short(
  // CHECK-SAME:    pyk.block_shape = array<i32: 8, 8, 1>, simd.lanes = 8 : i32}
  gpu.func @short(%a: !matrix, %v: f32) kernel
      attributes {pyk.block_shape = array<i32: 8, 8, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %j = arith.index_castui %x : index to i64
    %i = arith.index_castui %y : index to i64
    %width = arith.constant 64 : i64
    %start = arith.muli %i, %width : i64
    %offset = arith.addi %start, %j : i64
    %element = pyk.element %a + %offset : !matrix
    pyk.store %v, %element[] : !pyk.array<f32, c>
    pyk.return
  }

  // Rows of the block that follow each other in memory are one.
  // CHECK-LABEL: gpu.func @joined(
  // CHECK-SAME:    pyk.block_shape = array<i32: 8, 8, 1>}
  gpu.func @joined(%a: !matrix, %v: f32) kernel
      attributes {pyk.block_shape = array<i32: 8, 8, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %j = arith.index_castui %x : index to i64
    %i = arith.index_castui %y : index to i64
    %width = arith.constant 8 : i64
    %start = arith.muli %i, %width : i64
    %offset = arith.addi %start, %j : i64
    %element = pyk.element %a + %offset : !matrix
    pyk.store %v, %element[] : !pyk.array<f32, c>
    pyk.return
  }

  // Both: along z, where a block has four threads.
  // CHECK-LABEL: gpu.func @deep(
  // CHECK-SAME:    pyk.block_shape = array<i32: 4, 2, 2>, simd.lane_axis = 2 : i32, simd.lanes = 4 : i32}
  // CHECK-NEXT:    gpu.thread_id z
  // CHECK-NEXT:    gpu.thread_id x
  gpu.func @deep(%a: !matrix, %v: f32) kernel
      attributes {pyk.block_shape = array<i32: 2, 2, 4>} {
    %x = gpu.thread_id x
    %z = gpu.thread_id z
    %i = arith.index_castui %x : index to i64
    %j = arith.index_castui %z : index to i64
    %width = arith.constant 64 : i64
    %start = arith.muli %i, %width : i64
    %offset = arith.addi %start, %j : i64
    %element = pyk.element %a + %offset : !matrix
    pyk.store %v, %element[] : !pyk.array<f32, c>
    pyk.return
  }

  // CHECK-LABEL: gpu.func @any_shape(
  // CHECK-SAME:    kernel {
  gpu.func @any_shape(%a: !matrix, %v: f32) kernel {
    %x = gpu.thread_id x
    %i = arith.index_castui %x : index to i64
    %width = arith.constant 64 : i64
    %start = arith.muli %i, %width : i64
    %element = pyk.element %a + %start : !matrix
    pyk.store %v, %element[] : !pyk.array<f32, c>
    pyk.return
  }
}
