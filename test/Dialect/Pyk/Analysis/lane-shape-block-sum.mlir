// RUN: pyk-opt %s --test-print-lane-shape | FileCheck %s

// The loop counts for the whole block, so its barrier is reached by all threads that stay.
// Stage gpu of examples/02-block-sum.py.
module {
  gpu.module @pyk {
    // CHECK: @block_sum
    gpu.func @block_sum(%arg0: !llvm.ptr<1>, %arg1: i64, %arg2: !llvm.ptr<1>) kernel attributes {pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>, <data, 1>]>} {
      // CHECK: arguments: uniform, uniform, uniform{{$}}
      %0 = pyk.from_pointer %arg0 extents(%arg1) : !llvm.ptr<1> to !pyk.array<?xi32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %1 = ub.poison : i64 // CHECK: ub.poison{{.*}}-> uniform{{$}}
      %2 = pyk.from_pointer %arg2 extents(%1) : !llvm.ptr<1> to !pyk.array<?xi64, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %c0_i64 = arith.constant 0 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c1_i64 = arith.constant 1 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c100_i64 = arith.constant 100 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %3 = pyk.alloc : !pyk.array<100xi64, c, shared> // CHECK: pyk.alloc{{.*}}-> block{{$}}
      %thread_id_x = gpu.thread_id  x upper_bound 1024 // CHECK: gpu.thread_id{{.*}}-> x:1{{$}}
      %4 = arith.index_castui %thread_id_x : index to i32 // CHECK: arith.index_castui{{.*}}-> x:1{{$}}
      %block_id_x = gpu.block_id  x upper_bound 2147483647 // CHECK: gpu.block_id{{.*}}-> block{{$}}
      %5 = arith.index_castui %block_id_x : index to i32 // CHECK: arith.index_castui{{.*}}-> block{{$}}
      %block_dim_x = gpu.block_dim  x upper_bound 1024 // CHECK: gpu.block_dim{{.*}}-> uniform{{$}}
      %6 = arith.index_castui %block_dim_x : index to i32 // CHECK: arith.index_castui{{.*}}-> uniform{{$}}
      %7 = arith.extui %5 : i32 to i64 // CHECK: arith.extui{{.*}}-> block{{$}}
      %8 = arith.extui %6 : i32 to i64 // CHECK: arith.extui{{.*}}-> uniform{{$}}
      %9 = arith.muli %7, %8 overflow<nsw, nuw> : i64 // CHECK: arith.muli{{.*}}-> block{{$}}
      %10 = arith.extui %4 : i32 to i64 // CHECK: arith.extui{{.*}}-> x:1{{$}}
      %11 = arith.addi %9, %10 overflow<nsw, nuw> : i64 // CHECK: arith.addi{{.*}}-> x:1 block{{$}}
      %12 = pyk.dim %0, 0 : !pyk.array<?xi32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
      %13 = arith.cmpi slt, %11, %12 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block{{$}}
      scf.if %13 {
        %14 = pyk.load %0[%11] : !pyk.array<?xi32, c> // CHECK: pyk.load{{.*}}-> x:* block | x:* block{{$}}
        %15 = arith.extsi %4 : i32 to i64 // CHECK: arith.extsi{{.*}}-> x:1 | x:* block{{$}}
        %16 = arith.extsi %14 : i32 to i64 // CHECK: arith.extsi{{.*}}-> x:* block | x:* block{{$}}
        pyk.store %16, %3[%15] : !pyk.array<100xi64, c, shared>
        pyk.barrier // CHECK: pyk.barrier | x:* block{{$}}
        %17 = arith.extsi %5 : i32 to i64 // CHECK: arith.extsi{{.*}}-> block | x:* block{{$}}
        %18 = arith.muli %17, %c100_i64 : i64 // CHECK: arith.muli{{.*}}-> block | x:* block{{$}}
        %19 = arith.subi %12, %18 : i64 // CHECK: arith.subi{{.*}}-> block | x:* block{{$}}
        %20 = arith.cmpi sgt, %19, %c100_i64 : i64 // CHECK: arith.cmpi{{.*}}-> block | x:* block{{$}}
        %21 = arith.select %20, %c100_i64, %19 : i64 // CHECK: arith.select{{.*}}-> block | x:* block{{$}}
        %22 = scf.while (%arg3 = %21) : (i64) -> i64 { // CHECK: scf.while{{.*}}-> block | x:* block{{$}}
      // CHECK: arguments: block{{$}}
          %24 = arith.cmpi sgt, %arg3, %c1_i64 : i64 // CHECK: arith.cmpi{{.*}}-> block | x:* block{{$}}
          scf.condition(%24) %arg3 : i64
        } do {
        ^bb0(%arg3: i64):
      // CHECK: arguments: block{{$}}
          %24 = arith.addi %arg3, %c1_i64 : i64 // CHECK: arith.addi{{.*}}-> block | x:* block{{$}}
          %25 = arith.shrsi %24, %c1_i64 : i64 // CHECK: arith.shrsi{{.*}}-> block | x:* block{{$}}
          %26 = arith.addi %15, %25 : i64 // CHECK: arith.addi{{.*}}-> x:1 block | x:* block{{$}}
          %27 = arith.cmpi slt, %26, %arg3 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block | x:* block{{$}}
          scf.if %27 {
            %28 = pyk.load %3[%15] : !pyk.array<100xi64, c, shared> // CHECK: pyk.load{{.*}}-> x:* block | x:* block{{$}}
            %29 = arith.addi %26, %c100_i64 : i64 // CHECK: arith.addi{{.*}}-> x:1 block | x:* block{{$}}
            %30 = arith.cmpi slt, %26, %c0_i64 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block | x:* block{{$}}
            %31 = arith.select %30, %29, %26 : i64 // CHECK: arith.select{{.*}}-> x:* block | x:* block{{$}}
            %32 = pyk.load %3[%31] : !pyk.array<100xi64, c, shared> // CHECK: pyk.load{{.*}}-> x:* block | x:* block{{$}}
            %33 = arith.addi %28, %32 : i64 // CHECK: arith.addi{{.*}}-> x:* block | x:* block{{$}}
            pyk.store %33, %3[%15] : !pyk.array<100xi64, c, shared>
          }
          pyk.barrier // CHECK: pyk.barrier | x:* block{{$}}
          scf.yield %25 : i64
        }
        %23 = arith.cmpi eq, %15, %c0_i64 : i64 // CHECK: arith.cmpi{{.*}}-> x:* | x:* block{{$}}
        scf.if %23 {
          %24 = pyk.load %3[%c0_i64] : !pyk.array<100xi64, c, shared> // CHECK: pyk.load{{.*}}-> block | x:* block{{$}}
          pyk.store %24, %2[%17] : !pyk.array<?xi64, c>
        }
      }
      pyk.return
    }
  }
}
