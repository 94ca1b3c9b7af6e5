// RUN: pyk-opt %s --simd-split-loops --canonicalize --cse | FileCheck %s

gpu.module @pyk {
  // Of 16 rows of 2 strips, 4 rows at a time: what they carry has room in the
  // registers of a machine with vectors of 8 lanes. What the outer loop only hands
  // on is in memory all the time.
  // CHECK-LABEL: gpu.func @product(
  // CHECK-SAME:      %{{.*}}: !llvm.ptr<1>, %[[N:.*]]: i64)
  // CHECK-DAG:     %[[SUMS:.*]] = pyk.alloc : !pyk.array<256xf32, c, local>
  // CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : i64
  // CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : i64
  // CHECK-DAG:     %[[ROWS:.*]] = arith.constant dense<{{\[\[\[0\]\], \[\[16\]\], \[\[32\]\], \[\[48\]\]\]}}> : vector<4x1x1xi64>
  // CHECK:         simd.store contiguous %{{.*}}, %[[SUMS]] + %{{.*}} : vector<16x2x8xf32>
  // CHECK:         scf.for %{{.*}} = %[[C0]] to %[[N]] step %{{.*}} : i64 {
  // CHECK:           scf.for %[[PART:.*]] = %[[C0]] to %[[C4]] step
  // CHECK:             %[[FIRST:.*]] = arith.muli %[[PART]], %{{.*}} : i64
  // CHECK:             %[[SUM:.*]] = simd.load contiguous %[[SUMS]] + %{{.*}} -> vector<4x2x8xf32>
  // CHECK:             %[[NEW:.*]] = scf.for %[[K:.*]] = %[[C0]] to %[[C16]] step %{{.*}} iter_args(%[[OLD:.*]] = %[[SUM]]) -> (vector<4x2x8xf32>)
  // CHECK-DAG:           %[[STEP:.*]] = vector.broadcast %[[FIRST]] : i64 to vector<4x1x1xi64>
  // CHECK-DAG:           arith.addi %[[STEP]], %[[ROWS]]
  // CHECK:               %[[A:.*]] = simd.load %{{.*}} -> vector<4x1x1xf32>
  // CHECK:               %[[B:.*]] = simd.load contiguous %{{.*}} -> vector<1x2x8xf32>
  // CHECK:               math.fma %{{.*}}, %{{.*}}, %[[OLD]] : vector<4x2x8xf32>
  // CHECK:             simd.store contiguous %[[NEW]], %[[SUMS]] + %{{.*}} : vector<4x2x8xf32>
  // CHECK:         simd.load contiguous %[[SUMS]] + %{{.*}} -> vector<16x2x8xf32>
  // CHECK-NEXT:    simd.store contiguous
  gpu.func @product(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 16, 2, 8>} {
    %o = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %a = pyk.alloc : !pyk.array<256xf32, c, shared>
    %b = pyk.alloc : !pyk.array<256xf32, c, shared>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c16 = arith.constant 16 : i64
    %zero = arith.constant dense<0.0> : vector<16x2x8xf32>
    %all = arith.constant dense<0> : vector<16x2x8xi64>
    %rows = arith.constant dense<[[[0]], [[16]], [[32]], [[48]], [[64]], [[80]], [[96]], [[112]], [[128]], [[144]], [[160]], [[176]], [[192]], [[208]], [[224]], [[240]]]> : vector<16x1x1xi64>
    %columns = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]]]> : vector<1x2x8xi64>
    %r = scf.for %t = %c0 to %n step %c1 iter_args(%x = %zero) -> (vector<16x2x8xf32>) : i64 {
      simd.store contiguous %zero, %a + %all : vector<16x2x8xf32>, !pyk.array<256xf32, c, shared>, vector<16x2x8xi64>
      %y = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %x) -> (vector<16x2x8xf32>) : i64 {
        %k0 = vector.broadcast %k : i64 to vector<16x1x1xi64>
        %i = arith.addi %rows, %k0 : vector<16x1x1xi64>
        %u = simd.load %a + %i : !pyk.array<256xf32, c, shared>, vector<16x1x1xi64> -> vector<16x1x1xf32>
        %k1 = vector.broadcast %k : i64 to vector<1x2x8xi64>
        %j = arith.addi %columns, %k1 : vector<1x2x8xi64>
        %v = simd.load contiguous %b + %j : !pyk.array<256xf32, c, shared>, vector<1x2x8xi64> -> vector<1x2x8xf32>
        %f = vector.broadcast %u : vector<16x1x1xf32> to vector<16x2x8xf32>
        %g = vector.broadcast %v : vector<1x2x8xf32> to vector<16x2x8xf32>
        %w = math.fma %f, %g, %s : vector<16x2x8xf32>
        scf.yield %w : vector<16x2x8xf32>
      }
      scf.yield %y : vector<16x2x8xf32>
    }
    simd.store contiguous %r, %o + %all : vector<16x2x8xf32>, !pyk.array<?xf32, c>, vector<16x2x8xi64>
    pyk.return
  }

  // What the loop takes from before is read by parts; numbers begin anew in each
  // and are the same behind it.
  // CHECK-LABEL: gpu.func @taken(
  // CHECK-DAG:     %[[X:.*]] = pyk.alloc : !pyk.array<256xf32, c, local>
  // CHECK-DAG:     %[[SUMS:.*]] = pyk.alloc : !pyk.array<256xf32, c, local>
  // CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : i64
  // CHECK:         simd.store contiguous %{{.*}}, %[[X]] +
  // CHECK:         %[[COUNT:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %[[C5]]) -> (i64) : i64 {
  // CHECK-DAG:       simd.load contiguous %[[X]] + %{{.*}} -> vector<1x4x8xf32>
  // CHECK-DAG:       simd.load contiguous %[[SUMS]] + %{{.*}} -> vector<1x4x8xf32>
  // CHECK:           %[[LOOP:.*]]:2 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[C5]]) -> (vector<1x4x8xf32>, i64)
  // CHECK:           scf.yield %[[LOOP]]#1 : i64
  // CHECK:         arith.addi %[[COUNT]]
  gpu.func @taken(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 32, 8>} {
    %o = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c5 = arith.constant 5 : i64
    %zero = arith.constant dense<0.0> : vector<1x32x8xf32>
    %all = arith.constant dense<0> : vector<1x32x8xi64>
    %x = simd.load contiguous %o + %all : !pyk.array<?xf32, c>, vector<1x32x8xi64> -> vector<1x32x8xf32>
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %i = %c5) -> (vector<1x32x8xf32>, i64) : i64 {
      %t = arith.addf %s, %x : vector<1x32x8xf32>
      %j = arith.addi %i, %k : i64
      scf.yield %t, %j : vector<1x32x8xf32>, i64
    }
    %m = arith.addi %r#1, %n : i64
    %e = pyk.element %o + %m : !pyk.array<?xf32, c>
    %one = arith.constant 1.0 : f32
    pyk.store %one, %e[] : !pyk.array<f32, c>
    simd.store contiguous %r#0, %o + %all : vector<1x32x8xf32>, !pyk.array<?xf32, c>, vector<1x32x8xi64>
    pyk.return
  }

  // There is room for these.
  // CHECK-LABEL: gpu.func @small(
  // CHECK-NOT:     pyk.alloc
  // CHECK:         scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<1x8x8xf32>)
  // CHECK:         pyk.return
  gpu.func @small(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 8, 8>} {
    %o = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : vector<1x8x8xf32>
    %one = arith.constant dense<1.0> : vector<1x8x8xf32>
    %all = arith.constant dense<0> : vector<1x8x8xi64>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<1x8x8xf32>) : i64 {
      %t = arith.addf %s, %one : vector<1x8x8xf32>
      scf.yield %t : vector<1x8x8xf32>
    }
    simd.store contiguous %r, %o + %all : vector<1x8x8xf32>, !pyk.array<?xf32, c>, vector<1x8x8xi64>
    pyk.return
  }

  // What a thread writes, another may read in the same iteration.
  // CHECK-LABEL: gpu.func @writes(
  // CHECK-NOT:     pyk.alloc
  // CHECK:         scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<1x32x8xf32>)
  // CHECK:         pyk.return
  gpu.func @writes(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 32, 8>} {
    %o = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : vector<1x32x8xf32>
    %one = arith.constant dense<1.0> : vector<1x32x8xf32>
    %all = arith.constant dense<0> : vector<1x32x8xi64>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<1x32x8xf32>) : i64 {
      %t = arith.addf %s, %one : vector<1x32x8xf32>
      simd.store contiguous %t, %o + %all : vector<1x32x8xf32>, !pyk.array<?xf32, c>, vector<1x32x8xi64>
      scf.yield %t : vector<1x32x8xf32>
    }
    pyk.return
  }

  // Constants of which the next part has others are not looked up.
  // CHECK-LABEL: gpu.func @uneven(
  // CHECK-NOT:     pyk.alloc
  // CHECK:         pyk.return
  gpu.func @uneven(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 16, 1, 8>} {
    %o = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : vector<16x1x8xf32>
    %rows = arith.constant dense<[[[0]], [[1]], [[4]], [[9]], [[16]], [[25]], [[36]], [[49]], [[64]], [[81]], [[100]], [[121]], [[144]], [[169]], [[196]], [[225]]]> : vector<16x1x1xi64>
    %all = arith.constant dense<0> : vector<16x1x8xi64>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<16x1x8xf32>) : i64 {
      %u = simd.load %o + %rows : !pyk.array<?xf32, c>, vector<16x1x1xi64> -> vector<16x1x1xf32>
      %f = vector.broadcast %u : vector<16x1x1xf32> to vector<16x1x8xf32>
      %t = arith.addf %s, %f : vector<16x1x8xf32>
      scf.yield %t : vector<16x1x8xf32>
    }
    simd.store contiguous %r, %o + %all : vector<16x1x8xf32>, !pyk.array<?xf32, c>, vector<16x1x8xi64>
    pyk.return
  }

  // What all threads share would be done for each part.
  // CHECK-LABEL: gpu.func @shared(
  // CHECK-NOT:     pyk.alloc
  // CHECK:         scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<1x32x8xf32>)
  // CHECK:         pyk.return
  gpu.func @shared(%p: !llvm.ptr<1>, %n: i64, %f: f32) kernel
      attributes {simd.tile = array<i64: 1, 32, 8>} {
    %o = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : vector<1x32x8xf32>
    %all = arith.constant dense<0> : vector<1x32x8xi64>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<1x32x8xf32>) : i64 {
      %g = math.exp %f : f32
      %h = math.sin %g : f32
      %v = vector.broadcast %h : f32 to vector<1x32x8xf32>
      %t = arith.addf %s, %v : vector<1x32x8xf32>
      scf.yield %t : vector<1x32x8xf32>
    }
    simd.store contiguous %r, %o + %all : vector<1x32x8xf32>, !pyk.array<?xf32, c>, vector<1x32x8xi64>
    pyk.return
  }
}
