// RUN: pyk-opt %s --test-print-lane-shape | FileCheck %s

// A loop over the grid: indices follow the threads in each iteration, numbers of iterations vary.
// Stage gpu of examples/09-grid-stride.py.
module {
  gpu.module @pyk {
    // CHECK: @collatz
    gpu.func @collatz(%arg0: !llvm.ptr<1>, %arg1: i64) kernel attributes {pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>]>} {
      // CHECK: arguments: uniform, uniform{{$}}
      %0 = pyk.from_pointer %arg0 extents(%arg1) : !llvm.ptr<1> to !pyk.array<?xi32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %c3_i64 = arith.constant 3 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c0_i64 = arith.constant 0 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c1_i64 = arith.constant 1 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %block_id_x = gpu.block_id  x upper_bound 2147483647 // CHECK: gpu.block_id{{.*}}-> block{{$}}
      %1 = arith.index_castui %block_id_x : index to i32 // CHECK: arith.index_castui{{.*}}-> block{{$}}
      %block_dim_x = gpu.block_dim  x upper_bound 1024 // CHECK: gpu.block_dim{{.*}}-> uniform{{$}}
      %2 = arith.index_castui %block_dim_x : index to i32 // CHECK: arith.index_castui{{.*}}-> uniform{{$}}
      %3 = arith.extui %1 : i32 to i64 // CHECK: arith.extui{{.*}}-> block{{$}}
      %4 = arith.extui %2 : i32 to i64 // CHECK: arith.extui{{.*}}-> uniform{{$}}
      %5 = arith.muli %3, %4 overflow<nsw, nuw> : i64 // CHECK: arith.muli{{.*}}-> block{{$}}
      %thread_id_x = gpu.thread_id  x upper_bound 1024 // CHECK: gpu.thread_id{{.*}}-> x:1{{$}}
      %6 = arith.index_castui %thread_id_x : index to i32 // CHECK: arith.index_castui{{.*}}-> x:1{{$}}
      %7 = arith.extui %6 : i32 to i64 // CHECK: arith.extui{{.*}}-> x:1{{$}}
      %8 = arith.addi %5, %7 overflow<nsw, nuw> : i64 // CHECK: arith.addi{{.*}}-> x:1 block{{$}}
      %9 = pyk.dim %0, 0 : !pyk.array<?xi32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
      %grid_dim_x = gpu.grid_dim  x // CHECK: gpu.grid_dim{{.*}}-> uniform{{$}}
      %10 = arith.index_castui %grid_dim_x : index to i32 // CHECK: arith.index_castui{{.*}}-> uniform{{$}}
      %11 = arith.extui %10 : i32 to i64 // CHECK: arith.extui{{.*}}-> uniform{{$}}
      %12 = arith.muli %11, %4 overflow<nsw, nuw> : i64 // CHECK: arith.muli{{.*}}-> uniform{{$}}
      %13 = arith.cmpi sge, %8, %9 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block{{$}}
      %14 = arith.subi %9, %8 : i64 // CHECK: arith.subi{{.*}}-> x:-1 block{{$}}
      %15 = arith.subi %14, %c1_i64 : i64 // CHECK: arith.subi{{.*}}-> x:-1 block{{$}}
      %16 = arith.divui %15, %12 : i64 // CHECK: arith.divui{{.*}}-> x:* block{{$}}
      %17 = arith.addi %16, %c1_i64 : i64 // CHECK: arith.addi{{.*}}-> x:* block{{$}}
      %18 = arith.select %13, %c0_i64, %17 : i64 // CHECK: arith.select{{.*}}-> x:* block{{$}}
      scf.for %arg2 = %c0_i64 to %18 step %c1_i64  : i64 {
      // CHECK: arguments: uniform{{$}}
        %19 = arith.muli %arg2, %12 : i64 // CHECK: arith.muli{{.*}}-> uniform | x:* block{{$}}
        %20 = arith.addi %8, %19 : i64 // CHECK: arith.addi{{.*}}-> x:1 block | x:* block{{$}}
        %21 = arith.addi %20, %c1_i64 : i64 // CHECK: arith.addi{{.*}}-> x:1 block | x:* block{{$}}
        %22:2 = scf.while (%arg3 = %c0_i64, %arg4 = %21) : (i64, i64) -> (i64, i64) { // CHECK: scf.while{{.*}}-> x:* block, x:* block | x:* block{{$}}
      // CHECK: arguments: uniform, x:* block{{$}}
          %27 = arith.cmpi ne, %arg4, %c1_i64 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block | x:* block{{$}}
          scf.condition(%27) %arg3, %arg4 : i64, i64
        } do {
        ^bb0(%arg3: i64, %arg4: i64):
      // CHECK: arguments: uniform, x:* block{{$}}
          %27 = arith.andi %arg4, %c1_i64 : i64 // CHECK: arith.andi{{.*}}-> x:* block | x:* block{{$}}
          %28 = arith.cmpi ne, %27, %c0_i64 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block | x:* block{{$}}
          %29 = scf.if %28 -> (i64) { // CHECK: scf.if{{.*}}-> x:* block | x:* block{{$}}
            %31 = arith.muli %arg4, %c3_i64 : i64 // CHECK: arith.muli{{.*}}-> x:* block | x:* block{{$}}
            %32 = arith.addi %31, %c1_i64 : i64 // CHECK: arith.addi{{.*}}-> x:* block | x:* block{{$}}
            scf.yield %32 : i64
          } else {
            %31 = arith.shrsi %arg4, %c1_i64 : i64 // CHECK: arith.shrsi{{.*}}-> x:* block | x:* block{{$}}
            scf.yield %31 : i64
          }
          %30 = arith.addi %arg3, %c1_i64 : i64 // CHECK: arith.addi{{.*}}-> uniform | x:* block{{$}}
          scf.yield %30, %29 : i64, i64
        }
        %23 = arith.addi %20, %9 : i64 // CHECK: arith.addi{{.*}}-> x:1 block | x:* block{{$}}
        %24 = arith.cmpi slt, %20, %c0_i64 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block | x:* block{{$}}
        %25 = arith.select %24, %23, %20 : i64 // CHECK: arith.select{{.*}}-> x:* block | x:* block{{$}}
        %26 = arith.trunci %22#0 : i64 to i32 // CHECK: arith.trunci{{.*}}-> x:* block | x:* block{{$}}
        pyk.store %26, %0[%25] : !pyk.array<?xi32, c>
      }
      pyk.return
    }
  }
}
