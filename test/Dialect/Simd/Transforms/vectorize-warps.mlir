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

  // Threads that are off give 0, as long as they never come to another exchange.
  // CHECK-LABEL: gpu.func @guard(
  // CHECK:         scf.if
  // CHECK:           simd.shuffle %{{.*}} from
  // CHECK:         } else {
  // CHECK:           %[[ON:.*]] = simd.load {{.*}} mask %[[MASK:.*]] : vector<1x2x16xi1>
  // CHECK:           %[[GIVEN:.*]] = arith.select %[[MASK]], %[[ON]], %{{.*}} : vector<1x2x16xi1>, vector<1x2x16xf32>
  // CHECK:           simd.shuffle %[[GIVEN]] from
  gpu.func @guard(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xf32, c>
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %inside = arith.cmpi slt, %i, %n : i64
    scf.if %inside {
      %e = pyk.element %a + %i : !pyk.array<32xf32, c>
      %x = pyk.load %e[] : !pyk.array<f32, c>
      %y = pyk.shuffle xor %x, %one mask %all : f32
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }

  // The first of two warps: all of its threads, as their places say, so what
  // follows does no harm.
  // CHECK-LABEL: gpu.func @first_warp(
  // CHECK-SAME:    simd.tile = array<i64: 1, 4, 16>
  // CHECK:         simd.shuffle
  // CHECK:         pyk.barrier
  gpu.func @first_warp(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 64, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %five = arith.constant 5 : i32
    %thread = gpu.thread_id x
    %number = arith.index_castui %thread : index to i32
    %i = arith.index_castui %thread : index to i64
    %warp = arith.shrui %number, %five : i32
    %is_first = arith.cmpi ult, %warp, %one : i32
    scf.if %is_first {
      %e = pyk.element %a + %i : !pyk.array<64xf32, c>
      %x = pyk.load %e[] : !pyk.array<f32, c>
      %y = pyk.shuffle xor %x, %one mask %all : f32
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    pyk.barrier
    pyk.return
  }

  // Lanes that a mask does not name give 0. A thread should be in its own.
  // CHECK-LABEL: gpu.func @named(
  // CHECK-SAME:    , %[[LANES:.*]]: i32)
  // CHECK:         scf.if
  // CHECK-NEXT:      simd.serial (%[[T:.*]] = %{{.*}} : vector<1x2x16xi32>, %[[M:.*]] = %{{.*}} : vector<1x2x16xi32>) mask
  // CHECK-NEXT:        llvm.call @pyk.stray_lane(%[[T]], %[[M]])
  // CHECK:         %[[BITS:.*]] = simd.ballot
  // CHECK:         arith.andi %[[BITS]]
  gpu.func @named(%p: !llvm.ptr<1>, %lanes: i32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xi32, c>
    %zero = arith.constant 0 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<32xi32, c>
    %x = pyk.load %e[] : !pyk.array<i32, c>
    %c = arith.cmpi sgt, %x, %zero : i32
    %y = pyk.ballot %c mask %lanes
    pyk.store %y, %e[] : !pyk.array<i32, c>
    pyk.return
  }

  // Each lane's value is compared with those of all; the lanes that are there.
  // CHECK-LABEL: gpu.func @match_any(
  // CHECK:         %[[BITS:.*]] = arith.bitcast %{{.*}} : vector<1x2x16xf32> to vector<1x2x16xi32>
  // CHECK-COUNT-32: simd.shuffle %[[BITS]] from
  // CHECK-NOT:     simd.shuffle
  // UNROLLED-LABEL: gpu.func @match_any(
  // UNROLLED-COUNT-32: llvm.shufflevector %{{.*}}, %{{.*}} [{{.*}}] : vector<32xi32>
  gpu.func @match_any(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xf32, c>
    %b = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xi32, c>
    %all = arith.constant -1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<32xf32, c>
    %f = pyk.element %b + %i : !pyk.array<32xi32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %y = pyk.match_any %x mask %all : f32
    pyk.store %y, %f[] : !pyk.array<i32, c>
    pyk.return
  }

  // The first lane's value is that of all, if they have one.
  // CHECK-LABEL: gpu.func @match_all(
  // CHECK:         %[[FIRST:.*]] = arith.constant dense<0> : vector<1x2x16xi32>
  // CHECK:         %[[OTHER:.*]] = simd.shuffle %[[OWN:.*]] from %[[FIRST]]
  // CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[OWN]], %[[OTHER]]
  // CHECK:         %[[LANES:.*]] = simd.ballot %[[SAME]]
  // CHECK:         %[[ALL:.*]] = arith.cmpi eq, %[[LANES]]
  // CHECK:         arith.select %[[ALL]]
  gpu.func @match_all(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xi32, c>
    %all = arith.constant -1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<32xi32, c>
    %x = pyk.load %e[] : !pyk.array<i32, c>
    %y, %is_same = pyk.match_all %x mask %all : i32
    pyk.store %y, %e[] : !pyk.array<i32, c>
    pyk.return
  }

  // The last warp of a block of 40 threads has 8 lanes.
  // CHECK-LABEL: gpu.func @last_warp(
  // CHECK-SAME:    simd.tile = array<i64: 1, 3, 16>
  // UNROLLED-LABEL: gpu.func @last_warp(
  // UNROLLED:        %[[NONE:.*]] = llvm.mlir.zero : vector<16xf32>
  // UNROLLED:        llvm.shufflevector %{{.*}}, %[[NONE]] [0, {{.*}}, 31] : vector<16xf32>
  gpu.func @last_warp(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 40, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<40xf32, c>
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<40xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %y = pyk.shuffle xor %x, %one mask %all : f32
    pyk.store %y, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

gpu.module @votes {
  // Barriers ask all threads of the block, which is the tile.
  // CHECK-LABEL: gpu.func @votes(
  // CHECK:         %[[LESS:.*]] = arith.cmpi slt, %{{.*}} : vector<1x2x16xi32>
  // CHECK:         simd.count %[[LESS]] : vector<1x2x16xi1>
  // CHECK:         %[[SOME:.*]] = simd.any %[[LESS]] : vector<1x2x16xi1> -> i1
  // CHECK:         arith.extui %[[SOME]] : i1 to i32
  gpu.func @votes(%p: !llvm.ptr<1>, %n: i32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<32xi32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<32xi32, c>
    %x = pyk.load %e[] : !pyk.array<i32, c>
    %less = arith.cmpi slt, %x, %n : i32
    %count = pyk.barrier vote count %less -> i32
    %any = pyk.barrier vote any %less -> i32
    %sum = arith.addi %count, %any : i32
    pyk.store %sum, %e[] : !pyk.array<i32, c>
    pyk.return
  }
}
