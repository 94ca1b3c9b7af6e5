// RUN: pyk-opt %s --simd-split-phases --canonicalize --cse | FileCheck %s

#threads = dense<[[[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15], [16, 17, 18, 19, 20, 21, 22, 23], [24, 25, 26, 27, 28, 29, 30, 31], [32, 33, 34, 35, 36, 37, 38, 39], [40, 41, 42, 43, 44, 45, 46, 47], [48, 49, 50, 51, 52, 53, 54, 55], [56, 57, 58, 59, 60, 61, 62, 63], [64, 65, 66, 67, 68, 69, 70, 71], [72, 73, 74, 75, 76, 77, 78, 79], [80, 81, 82, 83, 84, 85, 86, 87], [88, 89, 90, 91, 92, 93, 94, 95], [96, 97, 98, 99, 100, 101, 102, 103], [104, 105, 106, 107, 108, 109, 110, 111], [112, 113, 114, 115, 116, 117, 118, 119], [120, 121, 122, 123, 124, 125, 126, 127]]]> : vector<1x16x8xi64>

gpu.module @pyk {
  // Of 16 vectors, 4 at a time. What threads keep over the barrier is in memory, a
  // mask as bytes; their places are computed anew.
  // CHECK-LABEL: gpu.func @phases(
  // CHECK-DAG:     %[[X:.*]] = pyk.alloc : !pyk.array<128xf32, c, local>
  // CHECK-DAG:     %[[M:.*]] = pyk.alloc : !pyk.array<128xi8, c, local>
  // CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : i64
  // CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : i64
  // CHECK:         scf.for %[[PART:.*]] = %{{.*}} to %[[C4]] step
  // CHECK:           %[[FIRST:.*]] = arith.muli %[[PART]], %[[C32]] : i64
  // CHECK:           vector.broadcast %[[FIRST]] : i64 to vector<1x4x8xi64>
  // CHECK:           %[[ON:.*]] = arith.cmpi slt, %{{.*}} : vector<1x4x8xi64>
  // CHECK:           %[[BYTES:.*]] = arith.extui %[[ON]] : vector<1x4x8xi1> to vector<1x4x8xi8>
  // CHECK:           simd.store contiguous %[[BYTES]], %[[M]] +
  // CHECK:           %[[A:.*]] = simd.load contiguous %{{.*}} mask %[[ON]] : vector<1x4x8xi1>
  // CHECK:           %[[E:.*]] = math.exp %[[A]] : vector<1x4x8xf32>
  // CHECK:           simd.store contiguous %[[E]], %[[X]] +
  // CHECK:         } {simd.parts}
  // CHECK-NEXT:    pyk.barrier
  // CHECK-NEXT:    scf.for
  // CHECK-DAG:       %[[OLD:.*]] = simd.load contiguous %[[X]] +
  // CHECK-DAG:       %[[BITS:.*]] = simd.load contiguous %[[M]] +
  // CHECK-DAG:       %[[AGAIN:.*]] = arith.trunci %[[BITS]] : vector<1x4x8xi8> to vector<1x4x8xi1>
  // CHECK-DAG:       %[[L:.*]] = math.log %[[OLD]] : vector<1x4x8xf32>
  // CHECK:           simd.store contiguous %[[L]], {{.*}} mask %[[AGAIN]] : vector<1x4x8xi1>
  gpu.func @phases(%p: !llvm.ptr<1>, %n: i64, %k: f32) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %t = arith.constant #threads
    %d = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %w = arith.fptosi %d : vector<1x16x8xf32> to vector<1x16x8xi64>
    %m = arith.cmpi slt, %t, %w : vector<1x16x8xi64>
    %x = simd.load contiguous %a + %t mask %m : vector<1x16x8xi1> : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %e = math.exp %x : vector<1x16x8xf32>
    pyk.barrier
    %l = math.log %e : vector<1x16x8xf32>
    simd.store contiguous %l, %a + %t mask %m : vector<1x16x8xi1> : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.return
  }

  // Whether a thread is on is asked of each part, but of the whole tile where others
  // wait for the answer. Its last thread decides for all: so does that of a part.
  // CHECK-LABEL: gpu.func @numbers(
  // CHECK:         scf.for
  // CHECK:           %[[ON:.*]] = arith.cmpf olt, %{{.*}} : vector<1x4x8xf32>
  // CHECK:           simd.any %[[ON]] : vector<1x4x8xi1> -> i1
  // CHECK:           %[[LAST:.*]] = vector.extract %{{.*}}[0, 3, 7] {simd.of_parts} : i64 from vector<1x4x8xi64>
  // CHECK:           arith.cmpi slt, %[[LAST]]
  // CHECK:         } {simd.parts}
  // CHECK:         %[[ALL:.*]] = simd.load contiguous %{{.*}} -> vector<1x16x8xi8>
  // CHECK:         %[[MASK:.*]] = arith.trunci %[[ALL]]
  // CHECK:         %[[SOME:.*]] = simd.any %[[MASK]] : vector<1x16x8xi1> -> i1
  // CHECK:         scf.if %[[SOME]] {
  // CHECK-NEXT:      pyk.barrier
  gpu.func @numbers(%p: !llvm.ptr<1>, %n: i64, %y: f32) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %t = arith.constant #threads
    %none = arith.constant dense<0.0> : vector<1x16x8xf32>
    %x = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %z = vector.broadcast %y : f32 to vector<1x16x8xf32>
    %m = arith.cmpf olt, %x, %z : vector<1x16x8xf32>
    %some = simd.any %m : vector<1x16x8xi1> -> i1
    %e = scf.if %some -> (vector<1x16x8xf32>) {
      %l = math.log %x : vector<1x16x8xf32>
      scf.yield %l : vector<1x16x8xf32>
    } else {
      scf.yield %none : vector<1x16x8xf32>
    }
    %last = vector.extract %t[0, 15, 7] {simd.of_parts} : i64 from vector<1x16x8xi64>
    %fits = arith.cmpi slt, %last, %n : i64
    scf.if %fits {
      simd.store contiguous %e, %a + %t : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    }
    scf.if %some {
      pyk.barrier
    }
    pyk.return
  }

  // What is by parts already stays so, also under a condition.
  // CHECK-LABEL: gpu.func @parts(
  // CHECK:         scf.if
  // CHECK-NEXT:      scf.for
  // CHECK-NEXT:        simd.store {{.*}} : vector<1x2x8xf32>
  // CHECK-NEXT:      } {simd.parts}
  // CHECK-NEXT:      scf.for
  // CHECK:             math.exp %{{.*}} : vector<1x4x8xf32>
  gpu.func @parts(%p: !llvm.ptr<1>, %n: i64, %c: i1) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %s = pyk.alloc : !pyk.array<128xf32, c, local>
    %t = arith.constant #threads
    %u = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]]]> : vector<1x2x8xi64>
    %v = arith.constant dense<0.0> : vector<1x2x8xf32>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    pyk.barrier
    scf.if %c {
      scf.for %i = %c0 to %c8 step %c1 : i64 {
        simd.store contiguous %v, %s + %u : vector<1x2x8xf32>, !pyk.array<128xf32, c, local>, vector<1x2x8xi64>
      } {simd.parts}
      %x = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
      %y = math.exp %x : vector<1x16x8xf32>
      simd.store contiguous %y, %a + %t : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    }
    pyk.return
  }

  // Few ops, elements that are not of parts, and arrays that registers hold, stay as
  // they are.
  // CHECK-LABEL: gpu.func @whole(
  // CHECK-NOT:     simd.parts
  // CHECK:         pyk.return
  gpu.func @whole(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %s = pyk.alloc : !pyk.array<128xf32, c, shared>
    %t = arith.constant #threads
    %x = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %y = arith.addf %x, %x : vector<1x16x8xf32>
    simd.store contiguous %y, %a + %t : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.barrier
    %u = vector.extract %t[0, 0, 0] : i64 from vector<1x16x8xi64>
    %v = vector.broadcast %u : i64 to vector<1x16x8xi64>
    %f = arith.sitofp %v : vector<1x16x8xi64> to vector<1x16x8xf32>
    %g = math.exp %f : vector<1x16x8xf32>
    simd.store contiguous %g, %a + %t : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.barrier
    %c = arith.cmpi slt, %n, %u : i64
    scf.if %c {
      %r = simd.load contiguous %s + %t : !pyk.array<128xf32, c, shared>, vector<1x16x8xi64> -> vector<1x16x8xf32>
      %q = arith.addf %r, %r : vector<1x16x8xf32>
      simd.store contiguous %q, %s + %t : vector<1x16x8xf32>, !pyk.array<128xf32, c, shared>, vector<1x16x8xi64>
    }
    pyk.return
  }

  // Of a value that all strips share, parts must have the same one if it is needed
  // after the phase.

  // A part of which no thread takes the branch would have zeros.
  // CHECK-LABEL: gpu.func @found_by_some(
  // CHECK:         %[[SOME:.*]] = simd.any %{{.*}} : vector<1x16x8xi1> -> i1
  // CHECK:         scf.if %[[SOME]] -> (vector<1x1x8xf32>)
  // CHECK-NOT:     simd.parts
  // CHECK:         pyk.barrier
  // CHECK:         simd.parts
  gpu.func @found_by_some(%p: !llvm.ptr<1>, %n: i64, %y: f32) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %t = arith.constant #threads
    %first = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : vector<1x1x8xi64>
    %none = arith.constant dense<0.0> : vector<1x1x8xf32>
    %x = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %z = vector.broadcast %y : f32 to vector<1x16x8xf32>
    %e = math.exp %x : vector<1x16x8xf32>
    %m = arith.cmpf olt, %e, %z : vector<1x16x8xf32>
    %some = simd.any %m : vector<1x16x8xi1> -> i1
    %f = scf.if %some -> (vector<1x1x8xf32>) {
      %l = simd.load contiguous %a + %first : !pyk.array<?xf32, c>, vector<1x1x8xi64> -> vector<1x1x8xf32>
      scf.yield %l : vector<1x1x8xf32>
    } else {
      scf.yield %none : vector<1x1x8xf32>
    }
    pyk.barrier
    %all = vector.broadcast %f : vector<1x1x8xf32> to vector<1x16x8xf32>
    %l = math.log %all : vector<1x16x8xf32>
    simd.store contiguous %l, %a + %t mask %m : vector<1x16x8xi1> : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.return
  }

  // One part may leave the loop before another.
  // CHECK-LABEL: gpu.func @counted(
  // CHECK:         scf.while (%{{.*}}) : (vector<1x1x8xf32>) -> vector<1x1x8xf32>
  // CHECK-NEXT:      arith.addf
  // CHECK:           simd.any %{{.*}} : vector<1x16x8xi1> -> i1
  // CHECK-NOT:     simd.parts
  // CHECK:         pyk.barrier
  gpu.func @counted(%p: !llvm.ptr<1>, %n: i64, %y: f32) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %t = arith.constant #threads
    %none = arith.constant dense<0.0> : vector<1x1x8xf32>
    %one = arith.constant dense<1.0> : vector<1x1x8xf32>
    %x = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %e = math.exp %x : vector<1x16x8xf32>
    %f = scf.while (%count = %none) : (vector<1x1x8xf32>) -> vector<1x1x8xf32> {
      %more = arith.addf %count, %one : vector<1x1x8xf32>
      %z = vector.broadcast %more : vector<1x1x8xf32> to vector<1x16x8xf32>
      %m = arith.cmpf olt, %z, %e : vector<1x16x8xf32>
      %some = simd.any %m : vector<1x16x8xi1> -> i1
      scf.condition(%some) %more : vector<1x1x8xf32>
    } do {
    ^bb0(%count: vector<1x1x8xf32>):
      scf.yield %count : vector<1x1x8xf32>
    }
    pyk.barrier
    %all = vector.broadcast %f : vector<1x1x8xf32> to vector<1x16x8xf32>
    simd.store contiguous %all, %a + %t : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.return
  }

  // A number of a part decides how often its loop runs.
  // CHECK-LABEL: gpu.func @summed(
  // CHECK:         simd.any %{{.*}} : vector<1x16x8xi1> -> i1
  // CHECK:         scf.for %{{.*}} -> (vector<1x1x8xf32>)
  // CHECK-NOT:     simd.parts
  // CHECK:         pyk.barrier
  gpu.func @summed(%p: !llvm.ptr<1>, %n: i64, %y: f32) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %t = arith.constant #threads
    %none = arith.constant dense<0.0> : vector<1x1x8xf32>
    %one = arith.constant dense<1.0> : vector<1x1x8xf32>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %x = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %z = vector.broadcast %y : f32 to vector<1x16x8xf32>
    %e = math.exp %x : vector<1x16x8xf32>
    %m = arith.cmpf olt, %e, %z : vector<1x16x8xf32>
    %some = simd.any %m : vector<1x16x8xi1> -> i1
    %end = arith.extui %some : i1 to i64
    %f = scf.for %i = %c0 to %end step %c1 iter_args(%sum = %none) -> (vector<1x1x8xf32>) : i64 {
      %more = arith.addf %sum, %one : vector<1x1x8xf32>
      scf.yield %more : vector<1x1x8xf32>
    }
    pyk.barrier
    %all = vector.broadcast %f : vector<1x1x8xf32> to vector<1x16x8xf32>
    simd.store contiguous %all, %a + %t mask %m : vector<1x16x8xi1> : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.return
  }

  // A condition that all threads share is the same for all parts, and each strip's
  // own values are kept for each.
  // CHECK-LABEL: gpu.func @same(
  // CHECK:         scf.for
  // CHECK:           scf.if %{{.*}} -> (vector<1x1x8xf32>)
  // CHECK:         } {simd.parts}
  // CHECK:         pyk.barrier
  gpu.func @same(%p: !llvm.ptr<1>, %n: i64, %c: i1) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %t = arith.constant #threads
    %first = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : vector<1x1x8xi64>
    %none = arith.constant dense<0.0> : vector<1x1x8xf32>
    %x = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %e = math.exp %x : vector<1x16x8xf32>
    %f = scf.if %c -> (vector<1x1x8xf32>) {
      %l = simd.load contiguous %a + %first : !pyk.array<?xf32, c>, vector<1x1x8xi64> -> vector<1x1x8xf32>
      scf.yield %l : vector<1x1x8xf32>
    } else {
      scf.yield %none : vector<1x1x8xf32>
    }
    pyk.barrier
    %all = vector.broadcast %f : vector<1x1x8xf32> to vector<1x16x8xf32>
    %l = arith.addf %all, %e : vector<1x16x8xf32>
    simd.store contiguous %l, %a + %t : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.return
  }

  // Whether any thread of a part is on is found again behind a barrier.
  // CHECK-LABEL: gpu.func @found_again(
  // CHECK:         scf.for
  // CHECK:         } {simd.parts}
  // CHECK:         %[[ANY:.*]] = simd.any %{{.*}} : vector<1x16x8xi1> -> i1
  // CHECK-NEXT:    pyk.barrier
  // CHECK-NEXT:    scf.if %[[ANY]] -> (vector<1x1x8xf32>)
  // CHECK:         pyk.barrier
  gpu.func @found_again(%p: !llvm.ptr<1>, %n: i64, %y: f32) kernel
      attributes {simd.tile = array<i64: 1, 16, 8>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %t = arith.constant #threads
    %first = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : vector<1x1x8xi64>
    %none = arith.constant dense<0.0> : vector<1x1x8xf32>
    %x = simd.load contiguous %a + %t : !pyk.array<?xf32, c>, vector<1x16x8xi64> -> vector<1x16x8xf32>
    %z = vector.broadcast %y : f32 to vector<1x16x8xf32>
    %e = math.exp %x : vector<1x16x8xf32>
    %m = arith.cmpf olt, %e, %z : vector<1x16x8xf32>
    %some = simd.any %m : vector<1x16x8xi1> -> i1
    pyk.barrier
    %f = scf.if %some -> (vector<1x1x8xf32>) {
      %l = simd.load contiguous %a + %first : !pyk.array<?xf32, c>, vector<1x1x8xi64> -> vector<1x1x8xf32>
      scf.yield %l : vector<1x1x8xf32>
    } else {
      scf.yield %none : vector<1x1x8xf32>
    }
    %l2 = math.log %e : vector<1x16x8xf32>
    simd.store contiguous %l2, %a + %t mask %m : vector<1x16x8xi1> : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.barrier
    %all = vector.broadcast %f : vector<1x1x8xf32> to vector<1x16x8xf32>
    %l = math.log %all : vector<1x16x8xf32>
    simd.store contiguous %l, %a + %t mask %m : vector<1x16x8xi1> : vector<1x16x8xf32>, !pyk.array<?xf32, c>, vector<1x16x8xi64>
    pyk.return
  }
}
