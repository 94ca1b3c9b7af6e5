// RUN: pyk-opt %s --test-print-lane-shape | FileCheck %s

// What a device function computes depends on what its callers give, and where they call it.
// Stage gpu of examples/05-device-functions.py.
module {
  gpu.module @pyk {
    // CHECK: @solve_all
    gpu.func @solve_all(%arg0: !llvm.ptr<1>, %arg1: i64, %arg2: !llvm.ptr<1>, %arg3: i64, %arg4: !llvm.ptr<1>, %arg5: i64) kernel attributes {pyk.abi = #pyk.abi<[<data, 0>, <extent, 0, 1>, <data, 1>, <extent, 1>, <data, 2>, <extent, 2, 1>]>} {
      // CHECK: arguments: uniform, uniform, uniform, uniform, uniform, uniform{{$}}
      %0 = ub.poison : i64 // CHECK: ub.poison{{.*}}-> uniform{{$}}
      %1 = pyk.from_pointer %arg0 extents(%0, %arg1) : !llvm.ptr<1> to !pyk.array<?x?xf64, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %2 = pyk.from_pointer %arg2 extents(%arg3) : !llvm.ptr<1> to !pyk.array<?xi32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %3 = pyk.from_pointer %arg4 extents(%0, %arg5) : !llvm.ptr<1> to !pyk.array<?x?xf64, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %c2_i64 = arith.constant 2 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c0_i64 = arith.constant 0 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %c1_i64 = arith.constant 1 : i64 // CHECK: arith.constant{{.*}}-> uniform{{$}}
      %block_id_x = gpu.block_id  x upper_bound 2147483647 // CHECK: gpu.block_id{{.*}}-> block{{$}}
      %4 = arith.index_castui %block_id_x : index to i32 // CHECK: arith.index_castui{{.*}}-> block{{$}}
      %block_dim_x = gpu.block_dim  x upper_bound 1024 // CHECK: gpu.block_dim{{.*}}-> uniform{{$}}
      %5 = arith.index_castui %block_dim_x : index to i32 // CHECK: arith.index_castui{{.*}}-> uniform{{$}}
      %6 = arith.extui %4 : i32 to i64 // CHECK: arith.extui{{.*}}-> block{{$}}
      %7 = arith.extui %5 : i32 to i64 // CHECK: arith.extui{{.*}}-> uniform{{$}}
      %8 = arith.muli %6, %7 overflow<nsw, nuw> : i64 // CHECK: arith.muli{{.*}}-> block{{$}}
      %thread_id_x = gpu.thread_id  x upper_bound 1024 // CHECK: gpu.thread_id{{.*}}-> x:1{{$}}
      %9 = arith.index_castui %thread_id_x : index to i32 // CHECK: arith.index_castui{{.*}}-> x:1{{$}}
      %10 = arith.extui %9 : i32 to i64 // CHECK: arith.extui{{.*}}-> x:1{{$}}
      %11 = arith.addi %8, %10 overflow<nsw, nuw> : i64 // CHECK: arith.addi{{.*}}-> x:1 block{{$}}
      %12 = pyk.dim %2, 0 : !pyk.array<?xi32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
      %13 = arith.cmpi slt, %11, %12 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block{{$}}
      scf.if %13 {
        %14 = pyk.load %1[%11, %c0_i64] : !pyk.array<?x?xf64, c> // CHECK: pyk.load{{.*}}-> x:* block | x:* block{{$}}
        %15 = pyk.load %1[%11, %c1_i64] : !pyk.array<?x?xf64, c> // CHECK: pyk.load{{.*}}-> x:* block | x:* block{{$}}
        %16 = pyk.load %1[%11, %c2_i64] : !pyk.array<?x?xf64, c> // CHECK: pyk.load{{.*}}-> x:* block | x:* block{{$}}
        %17:3 = func.call @solve(%14, %15, %16) : (f64, f64, f64) -> (i64, f64, f64) // CHECK: func.call{{.*}}-> x:* block, x:* block, x:* block | x:* block{{$}}
        %18 = arith.trunci %17#0 : i64 to i32 // CHECK: arith.trunci{{.*}}-> x:* block | x:* block{{$}}
        pyk.store %18, %2[%11] : !pyk.array<?xi32, c>
        pyk.store %17#1, %3[%11, %c0_i64] : !pyk.array<?x?xf64, c>
        pyk.store %17#2, %3[%11, %c1_i64] : !pyk.array<?x?xf64, c>
      }
      pyk.return
    }
    // CHECK: @solve
    func.func private @solve(%arg0: f64, %arg1: f64, %arg2: f64) -> (i64, f64, f64) attributes {always_inline, convergent, llvm.linkage = #llvm.linkage<internal>} {
      // CHECK: arguments: x:* block, x:* block, x:* block{{$}}
      %true = arith.constant true // CHECK: arith.constant{{.*}}-> uniform | x:* block{{$}}
      %c2_i64 = arith.constant 2 : i64 // CHECK: arith.constant{{.*}}-> uniform | x:* block{{$}}
      %cst = arith.constant 2.000000e+00 : f64 // CHECK: arith.constant{{.*}}-> uniform | x:* block{{$}}
      %c1_i64 = arith.constant 1 : i64 // CHECK: arith.constant{{.*}}-> uniform | x:* block{{$}}
      %c0_i64 = arith.constant 0 : i64 // CHECK: arith.constant{{.*}}-> uniform | x:* block{{$}}
      %cst_0 = arith.constant 0.000000e+00 : f64 // CHECK: arith.constant{{.*}}-> uniform | x:* block{{$}}
      %0 = arith.cmpf oeq, %arg0, %cst_0 : f64 // CHECK: arith.cmpf{{.*}}-> x:* block | x:* block{{$}}
      %1:3 = scf.if %0 -> (i64, f64, f64) { // CHECK: scf.if{{.*}}-> x:* block, x:* block, x:* block | x:* block{{$}}
        %2 = arith.cmpf oeq, %arg1, %cst_0 : f64 // CHECK: arith.cmpf{{.*}}-> x:* block | x:* block{{$}}
        %3 = arith.xori %2, %true : i1 // CHECK: arith.xori{{.*}}-> x:* block | x:* block{{$}}
        %4 = arith.extui %3 : i1 to i64 // CHECK: arith.extui{{.*}}-> x:* block | x:* block{{$}}
        %5:2 = scf.if %2 -> (f64, f64) { // CHECK: scf.if{{.*}}-> x:* block, x:* block | x:* block{{$}}
          scf.yield %cst_0, %cst_0 : f64, f64
        } else {
          %6 = arith.negf %arg2 : f64 // CHECK: arith.negf{{.*}}-> x:* block | x:* block{{$}}
          %7 = arith.divf %6, %arg1 : f64 // CHECK: arith.divf{{.*}}-> x:* block | x:* block{{$}}
          scf.yield %7, %7 : f64, f64
        }
        scf.yield %4, %5#0, %5#1 : i64, f64, f64
      } else {
        %2 = func.call @discriminant(%arg0, %arg1, %arg2) : (f64, f64, f64) -> f64 // CHECK: func.call{{.*}}-> x:* block | x:* block{{$}}
        %3 = arith.cmpf olt, %2, %cst_0 : f64 // CHECK: arith.cmpf{{.*}}-> x:* block | x:* block{{$}}
        %4:3 = scf.if %3 -> (i64, f64, f64) { // CHECK: scf.if{{.*}}-> x:* block, x:* block, x:* block | x:* block{{$}}
          scf.yield %c0_i64, %cst_0, %cst_0 : i64, f64, f64
        } else {
          %5 = math.sqrt %2 : f64 // CHECK: math.sqrt{{.*}}-> x:* block | x:* block{{$}}
          %6 = arith.negf %arg1 : f64 // CHECK: arith.negf{{.*}}-> x:* block | x:* block{{$}}
          %7 = arith.subf %6, %5 : f64 // CHECK: arith.subf{{.*}}-> x:* block | x:* block{{$}}
          %8 = arith.mulf %arg0, %cst : f64 // CHECK: arith.mulf{{.*}}-> x:* block | x:* block{{$}}
          %9 = arith.divf %7, %8 : f64 // CHECK: arith.divf{{.*}}-> x:* block | x:* block{{$}}
          %10 = arith.addf %6, %5 : f64 // CHECK: arith.addf{{.*}}-> x:* block | x:* block{{$}}
          %11 = arith.divf %10, %8 : f64 // CHECK: arith.divf{{.*}}-> x:* block | x:* block{{$}}
          %12 = arith.cmpf ogt, %9, %11 : f64 // CHECK: arith.cmpf{{.*}}-> x:* block | x:* block{{$}}
          %13 = arith.select %12, %11, %9 : f64 // CHECK: arith.select{{.*}}-> x:* block | x:* block{{$}}
          %14 = arith.select %12, %9, %11 : f64 // CHECK: arith.select{{.*}}-> x:* block | x:* block{{$}}
          %15 = arith.cmpf oeq, %2, %cst_0 : f64 // CHECK: arith.cmpf{{.*}}-> x:* block | x:* block{{$}}
          %16 = arith.select %15, %c1_i64, %c2_i64 : i64 // CHECK: arith.select{{.*}}-> x:* block | x:* block{{$}}
          scf.yield %16, %13, %14 : i64, f64, f64
        }
        scf.yield %4#0, %4#1, %4#2 : i64, f64, f64
      }
      pyk.return %1#0, %1#1, %1#2 : i64, f64, f64
    }
    // CHECK: @discriminant
    func.func private @discriminant(%arg0: f64, %arg1: f64, %arg2: f64) -> f64 attributes {always_inline, convergent, llvm.linkage = #llvm.linkage<internal>} {
      // CHECK: arguments: x:* block, x:* block, x:* block{{$}}
      %cst = arith.constant 4.000000e+00 : f64 // CHECK: arith.constant{{.*}}-> uniform | x:* block{{$}}
      %0 = arith.mulf %arg0, %cst : f64 // CHECK: arith.mulf{{.*}}-> x:* block | x:* block{{$}}
      %1 = arith.mulf %0, %arg2 : f64 // CHECK: arith.mulf{{.*}}-> x:* block | x:* block{{$}}
      %2 = arith.negf %1 : f64 // CHECK: arith.negf{{.*}}-> x:* block | x:* block{{$}}
      %3 = math.fma %arg1, %arg1, %2 : f64 // CHECK: math.fma{{.*}}-> x:* block | x:* block{{$}}
      pyk.return %3 : f64
    }
  }
}
