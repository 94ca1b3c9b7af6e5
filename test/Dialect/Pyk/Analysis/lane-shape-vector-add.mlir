// RUN: pyk-opt %s --test-print-lane-shape | FileCheck %s

// One thread for each element: what is loaded follows the threads, bounds do not.
// Stage gpu of examples/01-vector-add.py.
module {
  gpu.module @pyk {
    // CHECK: @add
    gpu.func @add(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<1>, %arg2: !llvm.ptr<1>, %arg3: i64) kernel attributes {pyk.abi = #pyk.abi<[<data, 0>, <data, 1>, <data, 2>, <extent, 2>]>} {
      // CHECK: arguments: uniform, uniform, uniform, uniform{{$}}
      %0 = ub.poison : i64 // CHECK: ub.poison{{.*}}-> uniform{{$}}
      %1 = pyk.from_pointer %arg0 extents(%0) : !llvm.ptr<1> to !pyk.array<?xf32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %2 = pyk.from_pointer %arg1 extents(%0) : !llvm.ptr<1> to !pyk.array<?xf32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
      %3 = pyk.from_pointer %arg2 extents(%arg3) : !llvm.ptr<1> to !pyk.array<?xf32, c> // CHECK: pyk.from_pointer{{.*}}-> uniform{{$}}
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
      %12 = pyk.dim %3, 0 : !pyk.array<?xf32, c> // CHECK: pyk.dim{{.*}}-> uniform{{$}}
      %13 = arith.cmpi slt, %11, %12 : i64 // CHECK: arith.cmpi{{.*}}-> x:* block{{$}}
      scf.if %13 {
        %14 = pyk.load %1[%11] : !pyk.array<?xf32, c> // CHECK: pyk.load{{.*}}-> x:* block | x:* block{{$}}
        %15 = pyk.load %2[%11] : !pyk.array<?xf32, c> // CHECK: pyk.load{{.*}}-> x:* block | x:* block{{$}}
        %16 = arith.addf %14, %15 : f32 // CHECK: arith.addf{{.*}}-> x:* block | x:* block{{$}}
        pyk.store %16, %3[%11] : !pyk.array<?xf32, c>
      }
      pyk.return
    }
  }
}
