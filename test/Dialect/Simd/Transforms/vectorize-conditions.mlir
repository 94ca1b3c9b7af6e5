// RUN: pyk-opt %s --simd-vectorize --cse | FileCheck %s

gpu.module @conditions {
  // Arms of little work run for all threads.
  // CHECK-LABEL: gpu.func @select(
  // CHECK:         %[[C:.*]] = arith.cmpf olt, %[[X:.*]], %{{.*}} : vector<1x1x16xf32>
  // CHECK:         %[[N:.*]] = arith.negf %[[X]] : vector<1x1x16xf32>
  // CHECK:         %[[R:.*]] = arith.select %[[C]], %[[N]], %[[X]] : vector<1x1x16xi1>, vector<1x1x16xf32>
  // CHECK:         simd.store contiguous %[[R]]
  gpu.func @select(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %zero = arith.constant 0.0 : f32
    %e = pyk.element %a + %i : !pyk.array<16xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %c = arith.cmpf olt, %x, %zero : f32
    %r = scf.if %c -> (f32) {
      %n = arith.negf %x : f32
      scf.yield %n : f32
    } else {
      scf.yield %x : f32
    }
    pyk.store %r, %e[] : !pyk.array<f32, c>
    pyk.return
  }

  // What a condition says of numbers is not so for threads that are off.
  // CHECK-LABEL: gpu.func @flags(
  // CHECK:         arith.addi %{{.*}} overflow<nsw, nuw> : vector<1x1x16xi32>
  // CHECK:         simd.store contiguous %{{.*}} : vector<1x1x16xi32>
  // CHECK:         arith.subi %{{.*}} overflow<nsw, nuw>
  // CHECK:         arith.subi %{{[^ ]+}}, %{{[^ ]+}} : vector<1x1x16xi32>
  // CHECK-NEXT:    simd.store contiguous %{{.*}} mask
  gpu.func @flags(%p: !llvm.ptr<1>, %n: i32) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xi32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %x = arith.index_castui %thread : index to i32
    %e = pyk.element %a + %i : !pyk.array<16xi32, c>
    %sum = arith.addi %x, %n overflow<nsw, nuw> : i32
    pyk.store %sum, %e[] : !pyk.array<i32, c>
    %c = arith.cmpi uge, %x, %n : i32
    scf.if %c {
      %difference = arith.subi %x, %n overflow<nsw, nuw> : i32
      pyk.store %difference, %e[] : !pyk.array<i32, c>
    }
    pyk.return
  }

  // What depends on data runs under masks, and only if some thread takes it.
  // CHECK-LABEL: gpu.func @masks(
  // CHECK:         %[[C:.*]] = arith.cmpf olt
  // CHECK:         %[[SOME:.*]] = simd.any %[[C]]
  // CHECK:         scf.if %[[SOME]] {
  // CHECK:           simd.store contiguous %{{.*}} mask %[[C]]
  // CHECK:         %[[NOT:.*]] = arith.xori %[[C]]
  // CHECK:         %[[ALL:.*]] = simd.all %[[C]]
  // CHECK:         %[[REST:.*]] = arith.xori %[[ALL]]
  // CHECK:         scf.if %[[REST]] {
  // CHECK:           simd.store contiguous %{{.*}} mask %[[NOT]]
  gpu.func @masks(%p: !llvm.ptr<1>, %y: f32, %z: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<16xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %c = arith.cmpf olt, %x, %y : f32
    scf.if %c {
      pyk.store %y, %e[] : !pyk.array<f32, c>
    } else {
      pyk.store %z, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }

  // A check of an access is no branch for the threads within memory.
  // CHECK-LABEL: gpu.func @checked(
  // CHECK:         %[[IN:.*]] = arith.cmpi ult
  // CHECK-NOT:     simd.any
  // CHECK:         %[[X:.*]] = simd.load %{{.*}} mask %[[IN]]
  // CHECK:         %[[ALL:.*]] = simd.all %[[IN]]
  // CHECK:         scf.if
  // CHECK:           simd.serial
  // CHECK:         arith.select %[[IN]], %[[X]]
  gpu.func @checked(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xi64, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %thread = gpu.thread_id x
    %t = arith.index_castui %thread : index to i32
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<16xi64, c>
    %k = pyk.load %e[] : !pyk.array<i64, c>
    %in = arith.cmpi ult, %k, %n : i64
    %x = scf.if %in -> (i64) {
      %f = pyk.element %b + %k : !pyk.array<?xi64, c>
      %y = pyk.load %f[] : !pyk.array<i64, c>
      scf.yield %y : i64
    } else {
      %zero = arith.constant 0 : i64
      pyk.outside "reads b[{0}]" at "a.py" : 3 thread %t(%k)
      scf.yield %zero : i64
    }
    pyk.store %x, %e[] : !pyk.array<i64, c>
    pyk.return
  }

  // An access to one element for all threads has no mask: it stays behind a branch.
  // CHECK-LABEL: gpu.func @checked_uniform(
  // CHECK:         %[[SOME:.*]] = simd.any
  // CHECK:         scf.if %[[SOME]]
  // CHECK:           pyk.load
  // CHECK:         scf.if %[[SOME]] {
  // CHECK-NEXT:      pyk.store
  gpu.func @checked_uniform(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64, %k: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xi64, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %thread = gpu.thread_id x
    %t = arith.index_castui %thread : index to i32
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<16xi64, c>
    %own = pyk.load %e[] : !pyk.array<i64, c>
    %in = arith.cmpi ult, %own, %n : i64
    %f = pyk.element %b + %k : !pyk.array<?xi64, c>
    %x = scf.if %in -> (i64) {
      %y = pyk.load %f[] : !pyk.array<i64, c>
      scf.yield %y : i64
    } else {
      %zero = arith.constant 0 : i64
      pyk.outside "reads b[{0}]" at "a.py" : 3 thread %t(%k)
      scf.yield %zero : i64
    }
    pyk.store %x, %e[] : !pyk.array<i64, c>
    scf.if %in {
      pyk.store %n, %f[] : !pyk.array<i64, c>
    } else {
      pyk.outside "writes b[{0}]" at "a.py" : 4 thread %t(%k)
    }
    pyk.return
  }

  // What all threads decide alike stays a condition, and a barrier of all where
  // they meet, though the block is one tile.
  // CHECK-LABEL: gpu.func @alike(
  // CHECK-SAME:      %{{[^,]*}}: !llvm.ptr<1>, %[[C:[^:]*]]: i1)
  // CHECK:         scf.if %[[C]] {
  // CHECK-NEXT:      pyk.barrier
  // CHECK:           simd.store contiguous
  gpu.func @alike(%p: !llvm.ptr<1>, %c: i1) kernel
      attributes {pyk.block_shape = array<i32: 64, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi64, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    scf.if %c {
      pyk.barrier
      %e = pyk.element %a + %i : !pyk.array<64xi64, c>
      pyk.store %i, %e[] : !pyk.array<i64, c>
    }
    pyk.return
  }

  // All lanes divide, also inactive ones, since the division does not trap.
  // CHECK-LABEL: gpu.func @divisor(
  // CHECK-NOT:     simd.serial
  // CHECK:         scf.if
  // CHECK:             arith.divsi %{{.*}}, %{{.*}} : vector<1x1x16xi64>
  // CHECK:             arith.remui %{{.*}}, %{{.*}} : vector<1x1x16xi64>
  // CHECK:             arith.divsi %{{.*}}, %{{.*}} : vector<1x1x16xi64>
  gpu.func @divisor(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xi64, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<16xi64, c>
    %x = pyk.load %e[] : !pyk.array<i64, c>
    %zero = arith.constant 0 : i64
    %seven = arith.constant 7 : i64
    %c = arith.cmpi ne, %x, %zero : i64
    scf.if %c {
      %p0 = arith.divsi %n, %x : i64
      // Upstream takes it for an op that may run for all.
      %p1 = arith.remui %p0, %x : i64
      %q = arith.divsi %p1, %seven : i64
      pyk.store %q, %e[] : !pyk.array<i64, c>
    }
    pyk.return
  }
}
