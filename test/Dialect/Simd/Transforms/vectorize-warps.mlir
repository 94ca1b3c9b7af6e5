// RUN: pyk-opt %s --simd-vectorize --cse | FileCheck %s
// RUN: pyk-opt %s --simd-vectorize --cse --simd-unroll --cse \
// RUN: | FileCheck %s --check-prefix=UNROLLED

gpu.module @warps {
  // Constant distances are constant lanes, and those an instruction each.
  // CHECK-LABEL: gpu.func @constant(
  // CHECK:         %[[LANES:.*]] = arith.constant dense<{{\[\[\[}}1, 0, 3, 2, {{.*}}, 31, 30]]]> : vector<1x2x16xi32>
  // CHECK:         simd.shuffle %{{.*}} from %[[LANES]] : vector<1x2x16xf32>, vector<1x2x16xi32>
  // UNROLLED-LABEL: gpu.func @constant(
  // UNROLLED:        llvm.shufflevector %{{.*}} [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14] : vector<32xf32>
  // UNROLLED:        llvm.shufflevector %{{.*}} [17, 16, {{.*}}, 31, 30] : vector<32xf32>
  gpu.func @constant(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xf32, c>
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<32xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %y = pyk.shuffle xor %x, %one mask %all : f32
    pyk.store %y, %e[] : !pyk.array<f32, c>
    pyk.return
  }

  // Others go by way of memory.
  // CHECK-LABEL: gpu.func @distance(
  // CHECK:         %[[DOWN:.*]] = arith.addi
  // CHECK:         %[[INSIDE:.*]] = arith.cmpi sle, %[[DOWN]]
  // CHECK:         %[[FROM:.*]] = arith.select %[[INSIDE]], %[[DOWN]]
  // CHECK:         simd.shuffle %{{.*}} from %[[FROM]]
  // UNROLLED-LABEL: gpu.func @distance(
  // UNROLLED:        %[[BUFFER:.*]] = llvm.alloca %{{.*}} x f32
  // UNROLLED:        llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
  // UNROLLED:        llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
  // UNROLLED-COUNT-2: llvm.intr.masked.gather
  gpu.func @distance(%p: !llvm.ptr<1>, %by: i32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xf32, c>
    %all = arith.constant -1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<32xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %y = pyk.shuffle down %x, %by mask %all : f32
    pyk.store %y, %e[] : !pyk.array<f32, c>
    pyk.return
  }

  // Votes are questions about bits; a barrier of a warp is nothing.
  // CHECK-LABEL: gpu.func @votes(
  // CHECK:         %[[LANES:.*]] = simd.ballot
  // CHECK:         arith.cmpi eq, %[[LANES]], %{{.*}} : vector<1x2x16xi32>
  // CHECK-NOT:     warp_barrier
  // UNROLLED-LABEL: gpu.func @votes(
  // UNROLLED:        %[[LOW:.*]] = llvm.bitcast %{{.*}} : vector<16xi1> to i16
  // UNROLLED:        llvm.bitcast %{{.*}} : vector<16xi1> to i16
  // UNROLLED:        arith.shli
  // UNROLLED:        arith.ori
  gpu.func @votes(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xi1, c>
    %all = arith.constant -1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<32xi1, c>
    %x = pyk.load %e[] : !pyk.array<i1, c>
    pyk.warp_barrier mask %all
    %y = pyk.vote all %x mask %all
    pyk.store %y, %e[] : !pyk.array<i1, c>
    pyk.return
  }
}
