// RUN: pyk-opt %s --simd-unroll --cse | FileCheck %s
// RUN: pyk-opt %s --simd-unroll=fetches-rows | FileCheck %s --check-prefix=FETCHED

gpu.module @pyk {
  // Of neighbours, the address of the first is a number. A scalar stands for
  // each row.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK:         %[[FIRST:.*]] = arith.addi %[[O:.*]], %[[C0:.*]] : i64
  // CHECK:         pyk.element %[[A:.*]] + %[[FIRST]]
  // CHECK-NEXT:    %[[P:.*]] = pyk.to_pointer
  // CHECK-NEXT:    %[[X:.*]] = llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK:         %[[R0:.*]] = pyk.load
  // CHECK:         %[[R1:.*]] = pyk.load
  // CHECK:         %[[V0:.*]] = llvm.shufflevector
  // CHECK:         %[[V1:.*]] = llvm.shufflevector
  // CHECK:         arith.mulf %[[X]], %[[V0]] : vector<4xf32>
  // CHECK:         arith.mulf %[[X]], %[[V1]] : vector<4xf32>
  // CHECK:         %[[M:.*]] = arith.ori
  // CHECK:         %[[BITS:.*]] = llvm.bitcast %[[M]] : vector<4xi1> to i4
  // CHECK:         arith.cmpi ne, %[[BITS]]
  // CHECK:         llvm.intr.masked.store
  // CHECK:         llvm.intr.masked.store
  gpu.func @rows(%p: !llvm.ptr<1>, %o: i64, %y: f32) kernel
      attributes {simd.tile = array<i64: 2, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    %lanes = arith.constant dense<[[[0, 1, 2, 3]]]> : vector<1x1x4xi64>
    %start = vector.broadcast %o : i64 to vector<1x1x4xi64>
    %offset = arith.addi %start, %lanes : vector<1x1x4xi64>
    %x = simd.load contiguous %a + %offset
        : !pyk.array<64xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
    %rows = arith.constant dense<[[[7]], [[8]]]> : vector<2x1x1xi64>
    %r = simd.load %a + %rows : !pyk.array<64xf32, c>, vector<2x1x1xi64> -> vector<2x1x1xf32>
    %wide = vector.broadcast %x : vector<1x1x4xf32> to vector<2x1x4xf32>
    %factor = vector.broadcast %r : vector<2x1x1xf32> to vector<2x1x4xf32>
    %product = arith.mulf %wide, %factor : vector<2x1x4xf32>
    %limit = vector.broadcast %y : f32 to vector<2x1x4xf32>
    %m = arith.cmpf olt, %product, %limit : vector<2x1x4xf32>
    %some = simd.any %m : vector<2x1x4xi1> -> i1
    scf.if %some {
      %places = vector.broadcast %offset : vector<1x1x4xi64> to vector<2x1x4xi64>
      simd.store contiguous %product, %a + %places mask %m : vector<2x1x4xi1>
          : vector<2x1x4xf32>, !pyk.array<64xf32, c>, vector<2x1x4xi64>
    }
    pyk.return
  }

  // Elements here and there are collected; a bool takes a byte.
  // CHECK-LABEL: gpu.func @here_and_there(
  // CHECK:         %[[P:.*]] = pyk.to_pointer
  // CHECK:         %[[PLACES:.*]] = llvm.getelementptr %[[P]][%[[O:.*]]] : (!llvm.ptr<1>, vector<4xi64>) -> vector<4x!llvm.ptr<1>>, i8
  // CHECK:         %[[BYTES:.*]] = llvm.intr.masked.gather %[[PLACES]], %{{.*}} : (vector<4x!llvm.ptr<1>>, vector<4xi1>, vector<4xi8>) -> vector<4xi8>
  // CHECK:         %[[X:.*]] = arith.cmpi ne, %[[BYTES]]
  // CHECK:         %[[OUT:.*]] = arith.extui %[[X]] : vector<4xi1> to vector<4xi8>
  // CHECK:         llvm.intr.masked.scatter %[[OUT]]
  gpu.func @here_and_there(%p: !llvm.ptr<1>) kernel
      attributes {simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi1, c>
    %offset = arith.constant dense<[[[0, 9, 2, 30]]]> : vector<1x1x4xi64>
    %x = simd.load %a + %offset : !pyk.array<64xi1, c>, vector<1x1x4xi64> -> vector<1x1x4xi1>
    simd.store %x, %a + %offset : vector<1x1x4xi1>, !pyk.array<64xi1, c>, vector<1x1x4xi64>
    pyk.return
  }

  // Lanes that are off store where nobody reads, without a branch for each.
  // CHECK-LABEL: gpu.func @some_here_and_there(
  // CHECK-DAG:     %[[NOWHERE:.*]] = llvm.alloca %{{.*}} x f32
  // CHECK-DAG:     %[[ALL:.*]] = arith.constant dense<true> : vector<4xi1>
  // CHECK-DAG:     %[[GLOBAL:.*]] = llvm.addrspacecast %[[NOWHERE]] : !llvm.ptr to !llvm.ptr<1>
  // CHECK-DAG:     %[[PLACES:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, vector<4xi64>) -> vector<4x!llvm.ptr<1>>, f32
  // CHECK-DAG:     %[[OFF:.*]] = llvm.shufflevector %{{.*}} [0, 0, 0, 0] : vector<4x!llvm.ptr<1>>
  // CHECK:         %[[DIVERTED:.*]] = llvm.select %[[ON:.*]], %[[PLACES]], %[[OFF]]
  // CHECK:         llvm.intr.masked.scatter %{{.*}}, %[[DIVERTED]], %[[ALL]]
  gpu.func @some_here_and_there(%p: !llvm.ptr<1>, %n: f32) kernel
      attributes {simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    %offset = arith.constant dense<[[[0, 9, 2, 30]]]> : vector<1x1x4xi64>
    %bounds = vector.broadcast %n : f32 to vector<1x1x4xf32>
    %x = simd.load %a + %offset : !pyk.array<64xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
    %on = arith.cmpf olt, %x, %bounds : vector<1x1x4xf32>
    simd.store %x, %a + %offset mask %on : vector<1x1x4xi1> : vector<1x1x4xf32>, !pyk.array<64xf32, c>, vector<1x1x4xi64>
    pyk.return
  }

  // What runs thread by thread is a loop over the lanes that are on. What lanes
  // get and give lies in memory.
  // CHECK-LABEL: gpu.func @threads(
  // CHECK-DAG:     %[[ROOM:.*]] = llvm.alloca %{{.*}} x i32
  // CHECK-DAG:     %[[INPUTS:.*]] = llvm.alloca %{{.*}} x i64
  // CHECK:         llvm.store %{{.*}}, %[[INPUTS]]
  // CHECK:         %[[ZEROS:.*]] = llvm.mlir.zero : vector<4xi32>
  // CHECK:         llvm.store %[[ZEROS]], %[[ROOM]]
  // CHECK:         %[[BITS:.*]] = arith.extui %{{.*}} : i4 to i64
  // CHECK:         scf.while (%{{.*}} = %[[BITS]])
  // CHECK:         ^bb0(%[[LEFT:.*]]: i64):
  // CHECK:           %[[LANE:.*]] = "llvm.intr.cttz"(%[[LEFT]])
  // CHECK:           %[[FROM:.*]] = llvm.getelementptr %[[INPUTS]][%[[LANE]]]
  // CHECK:           %[[I:.*]] = llvm.load %[[FROM]]
  // CHECK:           %[[E:.*]] = pyk.element %{{.*}} + %[[I]]
  // CHECK:           %[[OLD:.*]] = pyk.atomic add %{{.*}}, %[[E]][]
  // CHECK:           %[[PLACE:.*]] = llvm.getelementptr %[[ROOM]][%[[LANE]]]
  // CHECK:           llvm.store %[[OLD]], %[[PLACE]]
  // CHECK:         llvm.load %[[ROOM]] {{.*}} -> vector<4xi32>
  gpu.func @threads(%p: !llvm.ptr<1>, %one: i32) kernel
      attributes {simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi32, c>
    %i = arith.constant dense<[[[0, 9, 2, 30]]]> : vector<1x1x4xi64>
    %m = arith.constant dense<[[[true, false, true, true]]]> : vector<1x1x4xi1>
    %old = simd.serial (%n = %i : vector<1x1x4xi64>) mask %m : vector<1x1x4xi1>
        -> (vector<1x1x4xi32>) {
      %e = pyk.element %a + %n : !pyk.array<64xi32, c>
      %x = pyk.atomic add %one, %e[] : !pyk.array<i32, c>
      simd.yield %x : i32
    }
    simd.store contiguous %old, %a + %i
        : vector<1x1x4xi32>, !pyk.array<64xi32, c>, vector<1x1x4xi64>
    pyk.return
  }

  // All lanes are on, and nothing comes of it: one loop over the lanes of all
  // vectors, of which an iteration does a few.
  // CHECK-LABEL: gpu.func @all_threads(
  // CHECK:         %[[ROOM:.*]] = llvm.alloca %c12_i64 x i64
  // CHECK:         llvm.store %{{.*}}, %[[ROOM]] : vector<4xi64>
  // CHECK:         %[[SECOND:.*]] = llvm.getelementptr %[[ROOM]][%c4_i64]
  // CHECK:         llvm.store %{{.*}}, %[[SECOND]] : vector<4xi64>
  // CHECK:         %[[THIRD:.*]] = llvm.getelementptr %[[ROOM]][%c8_i64]
  // CHECK:         llvm.store %{{.*}}, %[[THIRD]] : vector<4xi64>
  // CHECK:         scf.for %[[LANE:.*]] = %c0_i64 to %c12_i64 step %c4_i64
  // CHECK-NEXT:      %[[FROM:.*]] = llvm.getelementptr %[[ROOM]][%[[LANE]]]
  // CHECK-NEXT:      %[[I:.*]] = llvm.load %[[FROM]]
  // CHECK-NEXT:      %[[E:.*]] = pyk.element %{{.*}} + %[[I]]
  // CHECK-NEXT:      pyk.atomic add %{{.*}}, %[[E]][]
  // CHECK:           %[[NEXT:.*]] = arith.addi %[[LANE]], %c1_i64
  // CHECK-NEXT:      llvm.getelementptr %[[ROOM]][%[[NEXT]]]
  // CHECK-COUNT-3:   pyk.atomic add
  // CHECK-NOT:       pyk.atomic
  // CHECK:         }
  gpu.func @all_threads(%p: !llvm.ptr<1>, %one: i32) kernel
      attributes {simd.tile = array<i64: 1, 3, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi32, c>
    %i = arith.constant dense<[[[0, 9, 2, 30], [1, 2, 3, 4], [5, 5, 5, 5]]]> : vector<1x3x4xi64>
    simd.serial (%n = %i : vector<1x3x4xi64>) {
      %e = pyk.element %a + %n : !pyk.array<64xi32, c>
      %x = pyk.atomic add %one, %e[] : !pyk.array<i32, c>
      simd.yield
    }
    pyk.return
  }

  // What a thread can read by itself goes through no memory, and what is widened
  // goes narrow.
  // CHECK-LABEL: gpu.func @alone(
  // CHECK:         %[[BASE:.*]] = arith.addi %arg3, %c0_i64 : i64
  // CHECK:         scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
  // CHECK:           %[[AT:.*]] = arith.addi %[[BASE]], %[[K]] : i64
  // CHECK-NEXT:      %[[E:.*]] = pyk.element %{{.*}} + %[[AT]]
  // CHECK-NEXT:      %[[X:.*]] = pyk.load %[[E]][]
  // CHECK-NEXT:      %[[W:.*]] = arith.extui %[[X]] : i8 to i64
  // CHECK:           %[[Y:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
  // CHECK-NEXT:      %[[V:.*]] = arith.extsi %[[Y]] : i8 to i32
  // CHECK-NEXT:      %[[F:.*]] = pyk.element %{{.*}} + %[[W]]
  // CHECK-NEXT:      pyk.atomic add %[[V]], %[[F]][]
  gpu.func @alone(%p: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %q: !llvm.ptr<1>, %n: i64, %i: i64) kernel attributes {
      simd.tile = array<i64: 1, 2, 4>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi8, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xi8, c>
    %c = pyk.alloc : !pyk.array<256xi32, c, shared>
    %lanes = arith.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]]]> : vector<1x2x4xi64>
    %base = vector.broadcast %i : i64 to vector<1x2x4xi64>
    %offset = arith.addi %base, %lanes : vector<1x2x4xi64>
    %x = simd.load contiguous %a + %offset : !pyk.array<?xi8, c>, vector<1x2x4xi64> -> vector<1x2x4xi8>
    %y = simd.load contiguous %b + %offset : !pyk.array<?xi8, c>, vector<1x2x4xi64> -> vector<1x2x4xi8>
    %wide = arith.extui %x : vector<1x2x4xi8> to vector<1x2x4xi64>
    %signed = arith.extsi %y : vector<1x2x4xi8> to vector<1x2x4xi32>
    simd.serial (%k = %wide : vector<1x2x4xi64>, %v = %signed : vector<1x2x4xi32>) {
      %e = pyk.element %c + %k : !pyk.array<256xi32, c, shared>
      %f = pyk.atomic add %v, %e[] : !pyk.array<i32, c, shared>
    }
    pyk.return
  }

  // Each iteration reads another row: that of 8 iterations later is fetched. What lies at a
  // constant stride is not, nor what is in one row, whichever it is, nor the rows
  // of a loop that ends before, nor anything where the processor does.
  // FETCHED-NOT: prefetch
  // CHECK-LABEL: gpu.func @columns(
  // CHECK:         scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %[[STEP:.*]] iter_args
  // CHECK:           %[[BY:.*]] = arith.muli %[[STEP]], %c8_i64{{.*}} : i64
  // CHECK:           %[[LATER:.*]] = arith.addi %[[K]], %[[BY]] : i64
  // CHECK:           %[[ROW:.*]] = arith.muli %[[LATER]], %arg1 : i64
  // CHECK:           %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}]
  // CHECK-NEXT:      "llvm.intr.prefetch"(%[[PLACE]]) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
  // CHECK-NEXT:      llvm.load
  // CHECK-NOT:       prefetch
  // CHECK:         pyk.return
  gpu.func @columns(%p: !llvm.ptr<1>, %n: i64, %x: i64) kernel attributes {
      simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %sixteen = arith.constant 16 : i64
    %lanes = arith.constant dense<[[[0, 1, 2, 3]]]> : vector<1x1x4xi64>
    %none = arith.constant dense<0.0> : vector<1x1x4xf32>
    %sum = scf.for %k = %zero to %n step %one iter_args(%s = %none) -> (vector<1x1x4xf32>) : i64 {
      %row = arith.muli %k, %n overflow<nsw, nuw> : i64
      %rows = vector.broadcast %row : i64 to vector<1x1x4xi64>
      %offset = arith.addi %rows, %lanes : vector<1x1x4xi64>
      %y = simd.load contiguous %a + %offset : !pyk.array<?x?xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
      %constant = arith.muli %k, %sixteen : i64
      %all = vector.broadcast %constant : i64 to vector<1x1x4xi64>
      %other = arith.addi %all, %lanes : vector<1x1x4xi64>
      %z = simd.load contiguous %a + %other : !pyk.array<?x?xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
      %t = arith.addf %s, %y : vector<1x1x4xf32>
      %u = arith.addf %t, %z : vector<1x1x4xf32>
      %own = arith.muli %x, %n : i64
      %next = arith.addi %own, %k : i64
      %nexts = vector.broadcast %next : i64 to vector<1x1x4xi64>
      %ofRow = arith.addi %nexts, %lanes : vector<1x1x4xi64>
      %v = simd.load contiguous %a + %ofRow : !pyk.array<?x?xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
      %w = arith.addf %u, %v : vector<1x1x4xf32>
      scf.yield %w : vector<1x1x4xf32>
    }
    %eight = arith.constant 8 : i64
    %short = scf.for %k = %zero to %eight step %one iter_args(%s = %sum) -> (vector<1x1x4xf32>) : i64 {
      %row = arith.muli %k, %n : i64
      %rows = vector.broadcast %row : i64 to vector<1x1x4xi64>
      %offset = arith.addi %rows, %lanes : vector<1x1x4xi64>
      %y = simd.load contiguous %a + %offset : !pyk.array<?x?xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
      %t = arith.addf %s, %y : vector<1x1x4xf32>
      scf.yield %t : vector<1x1x4xf32>
    }
    pyk.return
  }

  // All threads add to one element: their sum is added.
  // CHECK-LABEL: gpu.func @one_element(
  // CHECK:         %[[ALL:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK:         %[[SUM:.*]] = "llvm.intr.vector.reduce.fadd"(%{{.*}}, %[[ALL]])
  // CHECK-NOT:     scf.
  // CHECK:         %[[PLACE:.*]] = pyk.element
  // CHECK:         pyk.atomic add %[[SUM]], %[[PLACE]]
  // CHECK-NOT:     pyk.atomic
  gpu.func @one_element(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 2, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    %x = arith.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]]> : vector<1x2x4xf32>
    simd.serial (%k = %x : vector<1x2x4xf32>) {
      %e = pyk.element %a + %n : !pyk.array<64xf32, c>
      %old = pyk.atomic add %k, %e[] : !pyk.array<f32, c>
      simd.yield
    }
    pyk.return
  }

  // Of one number so many times as there are threads, if there are any.
  // CHECK-LABEL: gpu.func @count(
  // CHECK-SAME:    %{{.*}}: !llvm.ptr<1>, %[[TWO:.*]]: i32, %
  // CHECK:         %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<4xi1> to i4
  // CHECK:         %[[OWN:.*]] = llvm.intr.ctpop(%[[BITS]])
  // CHECK:         %[[COUNT:.*]] = arith.trunci %{{.*}} : i64 to i32
  // CHECK:         %[[SUM:.*]] = arith.muli %[[TWO]], %[[COUNT]] : i32
  // CHECK:         scf.if
  // CHECK:           pyk.atomic add %[[SUM]],
  gpu.func @count(%p: !llvm.ptr<1>, %two: i32, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi32, c>
    %i = arith.constant dense<[[[0, 9, 2, 30]]]> : vector<1x1x4xi64>
    %bound = vector.broadcast %n : i64 to vector<1x1x4xi64>
    %m = arith.cmpi slt, %i, %bound : vector<1x1x4xi64>
    simd.serial () mask %m : vector<1x1x4xi1> {
      %e = pyk.element %a + %n : !pyk.array<64xi32, c>
      %old = pyk.atomic add %two, %e[] : !pyk.array<i32, c>
      simd.yield
    }
    pyk.return
  }

  // Under a mask, a loop over vectors, and in it one over the lanes that are on.
  // CHECK-LABEL: gpu.func @some_threads(
  // CHECK:         %[[MASKS:.*]] = llvm.alloca %c2_i64 x i64
  // CHECK:         llvm.store %{{.*}}, %[[MASKS]] : i64
  // CHECK:         scf.for %[[VECTOR:.*]] = %c0_i64 to %c2_i64 step %c1_i64
  // CHECK-NEXT:      %[[PLACE:.*]] = llvm.getelementptr %[[MASKS]][%[[VECTOR]]]
  // CHECK-NEXT:      %[[BITS:.*]] = llvm.load %[[PLACE]]
  // CHECK-NEXT:      %[[FIRST:.*]] = arith.muli %[[VECTOR]], %c4_i64
  // CHECK-NEXT:      scf.while (%{{.*}} = %[[BITS]])
  // CHECK:             %[[BIT:.*]] = "llvm.intr.cttz"
  // CHECK-NEXT:        %[[LANE:.*]] = arith.addi %[[FIRST]], %[[BIT]]
  // CHECK:             pyk.atomic add
  gpu.func @some_threads(%p: !llvm.ptr<1>, %one: i32, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 2, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi32, c>
    %i = arith.constant dense<[[[0, 9, 2, 30], [1, 2, 3, 4]]]> : vector<1x2x4xi64>
    %bound = vector.broadcast %n : i64 to vector<1x2x4xi64>
    %m = arith.cmpi slt, %i, %bound : vector<1x2x4xi64>
    simd.serial (%k = %i : vector<1x2x4xi64>) mask %m : vector<1x2x4xi1> {
      %e = pyk.element %a + %k : !pyk.array<64xi32, c>
      %x = pyk.atomic add %one, %e[] : !pyk.array<i32, c>
      simd.yield
    }
    pyk.return
  }

  // Masked accesses to bytes are such loops where vectors have 8 lanes.
  // CHECK-LABEL: gpu.func @bytes(
  // CHECK-NOT:     llvm.intr.masked
  // CHECK:         scf.while
  // CHECK:           %[[X:.*]] = pyk.load
  // CHECK:         scf.while
  // CHECK:           pyk.store
  gpu.func @bytes(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 1, 8>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi8, c>
    %i = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : vector<1x1x8xi64>
    %bound = vector.broadcast %n : i64 to vector<1x1x8xi64>
    %m = arith.cmpi slt, %i, %bound : vector<1x1x8xi64>
    %x = simd.load contiguous %a + %i mask %m : vector<1x1x8xi1>
        : !pyk.array<64xi8, c>, vector<1x1x8xi64> -> vector<1x1x8xi8>
    simd.store contiguous %x, %a + %i mask %m : vector<1x1x8xi1>
        : vector<1x1x8xi8>, !pyk.array<64xi8, c>, vector<1x1x8xi64>
    pyk.return
  }

  // The functions of libdevice are called with vectors, under names of their own.
  // CHECK-LABEL: gpu.func @functions(
  // CHECK:         %[[X:.*]] = llvm.load %{{.*}} -> vector<4xf32>
  // CHECK:         %[[P:.*]] = llvm.call @__nv_powf.x4(%[[X]], %[[X]]) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK:         llvm.call @__nv_float_as_int.x4(%[[P]]) : (vector<4xf32>) -> vector<4xi32>
  gpu.func @functions(%p: !llvm.ptr<1>) kernel
      attributes {simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    %b = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi32, c>
    %i = arith.constant dense<[[[0, 1, 2, 3]]]> : vector<1x1x4xi64>
    %x = simd.load contiguous %a + %i
        : !pyk.array<64xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
    %y = math.powf %x, %x : vector<1x1x4xf32>
    %z = pyk.libdevice "float_as_int"(%y) : (vector<1x1x4xf32>) -> vector<1x1x4xi32>
    simd.store contiguous %z, %b + %i
        : vector<1x1x4xi32>, !pyk.array<64xi32, c>, vector<1x1x4xi64>
    pyk.return
  }

  // Where all lanes are alike it runs once for a row, if one of them is on.
  // CHECK-LABEL: gpu.func @rows_alike(
  // CHECK:         scf.if %{{.*}} -> (i32) {
  // CHECK-NEXT:      arith.divui
  // CHECK:         scf.if %{{.*}} -> (i32) {
  // CHECK-NEXT:      arith.divui
  gpu.func @rows_alike(%p: !llvm.ptr<1>, %n: i32, %m: i1) kernel
      attributes {simd.tile = array<i64: 2, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi32, c>
    %i = arith.constant dense<[[[0]], [[3]]]> : vector<2x1x1xi32>
    %on = vector.broadcast %m : i1 to vector<2x1x1xi1>
    %q = simd.serial (%d = %i : vector<2x1x1xi32>) mask %on : vector<2x1x1xi1>
        -> (vector<2x1x1xi32>) {
      %x = arith.divui %n, %d : i32
      simd.yield %x : i32
    }
    %x0 = vector.extract %q[0, 0, 0] : i32 from vector<2x1x1xi32>
    %x1 = vector.extract %q[1, 0, 0] : i32 from vector<2x1x1xi32>
    %x = arith.addi %x0, %x1 : i32
    %c0 = arith.constant 0 : i64
    %e = pyk.element %a + %c0 : !pyk.array<64xi32, c>
    pyk.store %x, %e[] : !pyk.array<i32, c>
    pyk.return
  }
}

// How many threads there are: the bits of each vector, added up.
// CHECK-LABEL: gpu.func @counts(
// CHECK-COUNT-2: math.ctpop %{{.*}} : i4
// CHECK:         arith.addi %{{.*}}, %{{.*}} : i32
gpu.module @counting {
  gpu.func @counts(%p: !llvm.ptr<1>, %x: i32) kernel attributes {simd.tile = array<i64: 2, 1, 4>} {
    %zero = arith.constant dense<[[[0, 1, 2, 3]], [[4, 5, 6, 7]]]> : vector<2x1x4xi32>
    %limit = vector.broadcast %x : i32 to vector<2x1x4xi32>
    %m = arith.cmpi slt, %zero, %limit : vector<2x1x4xi32>
    %n = simd.count %m : vector<2x1x4xi1>
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i32, c>
    pyk.store %n, %a[] : !pyk.array<i32, c>
    gpu.return
  }
}
