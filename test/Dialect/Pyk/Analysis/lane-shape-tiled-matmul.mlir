// RUN: pyk-opt %s --test-print-lane-shape | FileCheck %s

// One element of a tile is needed by a row of threads, or by a column.
// Stage gpu of examples/03-tiled-matmul.py.
module {
  gpu.module @pyk {
    // CHECK: @matmul
    gpu.func @matmul(%arg0: !llvm.ptr<1>, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr<1>, %arg4: i64, %arg5: i64, %arg6: !llvm.ptr<1>, %arg7: i64, %arg8: i64) kernel attributes {pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>, <extent, 0, 1>, <data, 1>, <extent, 1>, <extent, 1, 1>, <data, 2>, <extent, 2>, <extent, 2, 1>]>} {
      // CHECK: arguments: uniform, uniform, uniform, uniform, uniform, uniform, uniform, uniform, uniform{{$}}
      %0 = pyk.from_pointer %arg0 extents(%arg1, %arg2) : !llvm.ptr<1> to !pyk.array<?x?xf32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %1 = pyk.from_pointer %arg3 extents(%arg4, %arg5) : !llvm.ptr<1> to !pyk.array<?x?xf32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %2 = pyk.from_pointer %arg6 extents(%arg7, %arg8) : !llvm.ptr<1> to !pyk.array<?x?xf32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %false = arith.constant false // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %cst = arith.constant 0.000000e+00 : f32 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c0_i64 = arith.constant 0 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c1_i64 = arith.constant 1 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c16_i64 = arith.constant 16 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %3 = pyk.alloc : !pyk.array<16x16xf32, c, shared> // CHECK: pyk.alloc{{.*}}-> block{{$}}
      %4 = pyk.alloc : !pyk.array<16x16xf32, c, shared> // CHECK: pyk.alloc{{.*}}-> block{{$}}
      %block_id_x = gpu.block_id  x upper_bound 2147483647 // CHECK: gpu.block_id{{.*}}-> block{{$}}
      %5 = arith.index_castui %block_id_x : index to i32 // CHECK: arith.index_castui{{.*}}-> block{{$}}
      %block_dim_x = gpu.block_dim  x upper_bound 1024 // CHECK: gpu.block_dim{{.*}}-> uniform{{$}}
      %6 = arith.index_castui %block_dim_x : index to i32 // CHECK: arith.index_castui{{.*}}-> uniform{{$}}
      %7 = arith.extui %5 : i32 to i64 // CHECK: arith.extui{{.*}}-> block{{$}}
      %8 = arith.extui %6 : i32 to i64 // CHECK: arith.extui{{.*}}-> uniform{{$}}
      %9 = arith.muli %7, %8 overflow<nsw, nuw> : i64 // CHECK: arith.muli{{.*}}-> block{{$}}
      %thread_id_x = gpu.thread_id  x upper_bound 1024 // CHECK: gpu.thread_id{{.*}}-> x:1{{$}}
      %10 = arith.index_castui %thread_id_x : index to i32 // CHECK: arith.index_castui{{.*}}-> x:1{{$}}
      %11 = arith.extui %10 : i32 to i64 // CHECK: arith.extui{{.*}}-> x:1{{$}}
      %12 = arith.addi %9, %11 overflow<nsw, nuw> : i64 // CHECK: arith.addi{{.*}}-> x:1 block{{$}}
      %block_id_y = gpu.block_id  y upper_bound 65535 // CHECK: gpu.block_id{{.*}}-> block{{$}}
      %13 = arith.index_castui %block_id_y : index to i32 // CHECK: arith.index_castui{{.*}}-> block{{$}}
      %block_dim_y = gpu.block_dim  y upper_bound 1024 // CHECK: gpu.block_dim{{.*}}-> uniform{{$}}
      %14 = arith.index_castui %block_dim_y : index to i32 // CHECK: arith.index_castui{{.*}}-> uniform{{$}}
      %15 = arith.extui %13 : i32 to i64 // CHECK: arith.extui{{.*}}-> block{{$}}
      %16 = arith.extui %14 : i32 to i64 // CHECK: arith.extui{{.*}}-> uniform{{$}}
      %17 = arith.muli %15, %16 overflow<nsw, nuw> : i64 // CHECK: arith.muli{{.*}}-> block{{$}}
      %thread_id_y = gpu.thread_id  y upper_bound 1024 // CHECK: gpu.thread_id{{.*}}-> y:1{{$}}
      %18 = arith.index_castui %thread_id_y : index to i32 // CHECK: arith.index_castui{{.*}}-> y:1{{$}}
      %19 = arith.extui %18 : i32 to i64 // CHECK: arith.extui{{.*}}-> y:1{{$}}
      %20 = arith.addi %17, %19 overflow<nsw, nuw> : i64 // CHECK: arith.addi{{.*}}-> y:1 block{{$}}
      %21 = pyk.dim %0, 1 : !pyk.array<?x?xf32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
      %22 = scf.for %arg9 = %c0_i64 to %21 step %c16_i64 iter_args(%arg10 = %cst) -> (f32)  : i64 { // CHECK: scf.for{{.*}}-> x:* y:* block{{$}}
      // CHECK: arguments: uniform, x:* y:* block{{$}}
        %26 = arith.extsi %18 : i32 to i64 // CHECK: arith.extsi{{.*}}-> y:1{{$}}
        %27 = arith.extsi %10 : i32 to i64 // CHECK: arith.extsi{{.*}}-> x:1{{$}}
        pyk.store %cst, %3[%26, %27] : !pyk.array<16x16xf32, c, shared>
        %28 = pyk.dim %0, 0 : !pyk.array<?x?xf32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
        %29 = arith.cmpi slt, %20, %28 : i64 // CHECK: arith.cmpi{{.*}}-> y:* block{{$}}
        %30 = scf.if %29 -> (i1) { // CHECK: scf.if{{.*}}-> x:* y:* block{{$}}
          %35 = arith.addi %arg9, %27 : i64 // CHECK: arith.addi{{.*}}-> x:1 | y:* block{{$}}
          %36 = arith.cmpi slt, %35, %21 : i64 // CHECK: arith.cmpi{{.*}}-> x:* | y:* block{{$}}
          scf.yield %36 : i1
        } else {
          scf.yield %false : i1
        }
        scf.if %30 {
          %35 = arith.addi %arg9, %27 : i64 // CHECK: arith.addi{{.*}}-> x:1 | x:* y:* block{{$}}
          %36 = arith.addi %35, %21 : i64 // CHECK: arith.addi{{.*}}-> x:1 | x:* y:* block{{$}}
          %37 = arith.cmpi slt, %35, %c0_i64 : i64 // CHECK: arith.cmpi{{.*}}-> x:* | x:* y:* block{{$}}
          %38 = arith.select %37, %36, %35 : i64 // CHECK: arith.select{{.*}}-> x:* | x:* y:* block{{$}}
          %39 = pyk.load %0[%20, %38] : !pyk.array<?x?xf32, c> // CHECK: pyk.load{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          pyk.store %39, %3[%26, %27] : !pyk.array<16x16xf32, c, shared>
        }
        pyk.store %cst, %4[%26, %27] : !pyk.array<16x16xf32, c, shared>
        %31 = arith.addi %arg9, %26 : i64 // CHECK: arith.addi{{.*}}-> y:1{{$}}
        %32 = arith.cmpi slt, %31, %21 : i64 // CHECK: arith.cmpi{{.*}}-> y:*{{$}}
        %33 = scf.if %32 -> (i1) { // CHECK: scf.if{{.*}}-> x:* y:* block{{$}}
          %35 = pyk.dim %1, 1 : !pyk.array<?x?xf32, c> // CHECK: pyk.dim{{.*}}-> uniform | y:*{{$}}
          %36 = arith.cmpi slt, %12, %35 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block | y:*{{$}}
          scf.yield %36 : i1
        } else {
          scf.yield %false : i1
        }
        scf.if %33 {
          %35 = pyk.dim %1, 0 : !pyk.array<?x?xf32, c> // CHECK: pyk.dim{{.*}}-> uniform | x:* y:* block{{$}}
          %36 = arith.addi %31, %35 : i64 // CHECK: arith.addi{{.*}}-> y:1 | x:* y:* block{{$}}
          %37 = arith.cmpi slt, %31, %c0_i64 : i64 // CHECK: arith.cmpi{{.*}}-> y:* | x:* y:* block{{$}}
          %38 = arith.select %37, %36, %31 : i64 // CHECK: arith.select{{.*}}-> y:* | x:* y:* block{{$}}
          %39 = pyk.load %1[%38, %12] : !pyk.array<?x?xf32, c> // CHECK: pyk.load{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          pyk.store %39, %4[%26, %27] : !pyk.array<16x16xf32, c, shared>
        }
        pyk.barrier // CHECK: pyk.barrier{{$}}
        %34 = scf.for %arg11 = %c0_i64 to %c16_i64 step %c1_i64 iter_args(%arg12 = %arg10) -> (f32)  : i64 { // CHECK: scf.for{{.*}}-> x:* y:* block{{$}}
      // CHECK: arguments: uniform, x:* y:* block{{$}}
          %35 = pyk.load %3[%26, %arg11] : !pyk.array<16x16xf32, c, shared> // CHECK: pyk.load{{.*}}-> y:* block{{$}}
          %36 = pyk.load %4[%arg11, %27] : !pyk.array<16x16xf32, c, shared> // CHECK: pyk.load{{.*}}-> x:* block{{$}}
          %37 = math.fma %35, %36, %arg12 : f32 // CHECK: math.fma{{.*}}-> x:* y:* block{{$}}
          scf.yield %37 : f32
        }
        pyk.barrier // CHECK: pyk.barrier{{$}}
        scf.yield %34 : f32
      }
      %23 = pyk.dim %2, 0 : !pyk.array<?x?xf32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
      %24 = arith.cmpi slt, %20, %23 : i64 // CHECK: arith.cmpi{{.*}}-> y:* block{{$}}
      %25 = scf.if %24 -> (i1) { // CHECK: scf.if{{.*}}-> x:* y:* block{{$}}
        %26 = pyk.dim %2, 1 : !pyk.array<?x?xf32, c> // CHECK: pyk.dim{{.*}}-> uniform | y:* block{{$}}
        %27 = arith.cmpi slt, %12, %26 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block | y:* block{{$}}
        scf.yield %27 : i1
      } else {
        scf.yield %false : i1
      }
      scf.if %25 {
        pyk.store %22, %2[%20, %12] : !pyk.array<?x?xf32, c>
      }
      pyk.return
    }
  }
}
