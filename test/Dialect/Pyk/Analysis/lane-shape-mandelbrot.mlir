// RUN: pyk-opt %s --test-print-lane-shape | FileCheck %s

// Threads leave the loop at different times: the counter is one number inside, and many behind.
// Stage gpu of examples/04-mandelbrot.py.
module {
  gpu.module @pyk {
    // CHECK: @mandelbrot
    gpu.func @mandelbrot(%arg0: f64, %arg1: f64, %arg2: f64, %arg3: f64, %arg4: !llvm.ptr<1>, %arg5: i64, %arg6: i64) kernel attributes {pyk.abi = #pyk.abi<[<scalar, 0>, <scalar, 1>, <scalar, 2>, <scalar, 3>, <data, 4>, <extent, 4>, <extent, 4, 1>]>} {
      // CHECK: arguments: uniform, uniform, uniform, uniform, uniform, uniform, uniform{{$}}
      %0 = pyk.from_pointer %arg4 extents(%arg5, %arg6) : !llvm.ptr<1> to !pyk.array<?x?xi32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %c1_i64 = arith.constant 1 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %cst = arith.constant 2.000000e+00 : f64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %cst_0 = arith.constant 4.000000e+00 : f64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c64_i64 = arith.constant 64 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c0_i64 = arith.constant 0 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %cst_1 = arith.constant 0.000000e+00 : f64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %true = arith.constant true // CHECK: arith.constant{{.*}}-> uniform{{$}}
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
      %block_id_y = gpu.block_id  y upper_bound 65535 // CHECK: gpu.block_id{{.*}}-> block{{$}}
      %9 = arith.index_castui %block_id_y : index to i32 // CHECK: arith.index_castui{{.*}}-> block{{$}}
      %block_dim_y = gpu.block_dim  y upper_bound 1024 // CHECK: gpu.block_dim{{.*}}-> uniform{{$}}
      %10 = arith.index_castui %block_dim_y : index to i32 // CHECK: arith.index_castui{{.*}}-> uniform{{$}}
      %11 = arith.extui %9 : i32 to i64 // CHECK: arith.extui{{.*}}-> block{{$}}
      %12 = arith.extui %10 : i32 to i64 // CHECK: arith.extui{{.*}}-> uniform{{$}}
      %13 = arith.muli %11, %12 overflow<nsw, nuw> : i64 // CHECK: arith.muli{{.*}}-> block{{$}}
      %thread_id_y = gpu.thread_id  y upper_bound 1024 // CHECK: gpu.thread_id{{.*}}-> y:1{{$}}
      %14 = arith.index_castui %thread_id_y : index to i32 // CHECK: arith.index_castui{{.*}}-> y:1{{$}}
      %15 = arith.extui %14 : i32 to i64 // CHECK: arith.extui{{.*}}-> y:1{{$}}
      %16 = arith.addi %13, %15 overflow<nsw, nuw> : i64 // CHECK: arith.addi{{.*}}-> y:1 block{{$}}
      %17 = pyk.dim %0, 0 : !pyk.array<?x?xi32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
      %18 = pyk.dim %0, 1 : !pyk.array<?x?xi32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
      %19 = arith.cmpi sge, %16, %17 : i64 // CHECK: arith.cmpi{{.*}}-> y:* block{{$}}
      %20 = scf.if %19 -> (i1) { // CHECK: scf.if{{.*}}-> x:* y:* block{{$}}
        scf.yield %true : i1
      } else {
        %22 = arith.cmpi sge, %8, %18 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block | y:* block{{$}}
        scf.yield %22 : i1
      }
      %21 = arith.xori %20, %true : i1 // CHECK: arith.xori{{.*}}-> x:* y:* block{{$}}
      scf.if %21 {
        %22 = arith.sitofp %8 : i64 to f64 // CHECK: arith.sitofp{{.*}}-> x:* block | x:* y:* block{{$}}
        %23 = math.fma %22, %arg2, %arg0 : f64 // CHECK: math.fma{{.*}}-> x:* block | x:* y:* block{{$}}
        %24 = arith.sitofp %16 : i64 to f64 // CHECK: arith.sitofp{{.*}}-> y:* block | x:* y:* block{{$}}
        %25 = arith.negf %24 : f64 // CHECK: arith.negf{{.*}}-> y:* block | x:* y:* block{{$}}
        %26 = math.fma %25, %arg3, %arg1 : f64 // CHECK: math.fma{{.*}}-> y:* block | x:* y:* block{{$}}
        %27:3 = pyk.loop carry(%arg7 = %c0_i64, %arg8 = %cst_1, %arg9 = %cst_1) : (i64, f64, f64) { // CHECK: pyk.loop{{.*}}-> x:* y:* block, uniform, uniform | x:* y:* block{{$}}
      // CHECK: arguments: uniform, x:* y:* block, x:* y:* block{{$}}
          %29 = arith.cmpi slt, %arg7, %c64_i64 : i64 // CHECK: arith.cmpi{{.*}}-> uniform | x:* y:* block{{$}}
          pyk.if %29 {
            pyk.yield
          } else {
            pyk.break %arg7, %cst_1, %cst_1 : i64, f64, f64
          }
          %30 = arith.mulf %arg9, %arg9 : f64 // CHECK: arith.mulf{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          %31 = math.fma %arg8, %arg8, %30 : f64 // CHECK: math.fma{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          %32 = arith.cmpf ogt, %31, %cst_0 : f64 // CHECK: arith.cmpf{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          pyk.if %32 {
            pyk.break %arg7, %cst_1, %cst_1 : i64, f64, f64
          } else {
            pyk.yield
          }
          %33 = arith.mulf %arg8, %cst : f64 // CHECK: arith.mulf{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          %34 = math.fma %33, %arg9, %26 : f64 // CHECK: math.fma{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          %35 = arith.negf %30 : f64 // CHECK: arith.negf{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          %36 = math.fma %arg8, %arg8, %35 : f64 // CHECK: math.fma{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          %37 = arith.addf %36, %23 : f64 // CHECK: arith.addf{{.*}}-> x:* y:* block | x:* y:* block{{$}}
          %38 = arith.addi %arg7, %c1_i64 : i64 // CHECK: arith.addi{{.*}}-> uniform | x:* y:* block{{$}}
          pyk.continue %38, %37, %34 : i64, f64, f64
        }
        %28 = arith.trunci %27#0 : i64 to i32 // CHECK: arith.trunci{{.*}}-> x:* y:* block | x:* y:* block{{$}}
        pyk.store %28, %0[%16, %8] : !pyk.array<?x?xi32, c>
      }
      pyk.return
    }
  }
}
