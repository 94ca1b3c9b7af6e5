// RUN: pyk-opt %s --simd-unroll --cse | FileCheck %s

// Threads that leave memory are told of together: their masks, the number of the first
// thread, and the indices, which differ by lane or do not.
gpu.module @pyk {
  // CHECK-LABEL: gpu.func @masked(
  // CHECK:         %[[ROOM:.*]] = llvm.alloca %c12_i64 x i64
  // CHECK:         %[[FIRST:.*]] = llvm.load {{.*}} -> vector<4xi64>
  // CHECK:         %[[SECOND:.*]] = llvm.load {{.*}} -> vector<4xi64>
  // CHECK:         %[[MASK:.*]] = arith.extui %{{.*}} : i4 to i64
  // CHECK-NEXT:    llvm.store %[[MASK]], %[[ROOM]] {alignment = 8 : i64}
  // CHECK:         %[[OTHER:.*]] = arith.extui %{{.*}} : i4 to i64
  // CHECK:         %[[AT1:.*]] = llvm.getelementptr %[[ROOM]][%c1_i64]
  // CHECK-NEXT:    llvm.store %[[OTHER]], %[[AT1]]
  // CHECK:         %[[THREAD:.*]] = arith.extui %{{.*}} : i32 to i64
  // CHECK:         %[[AT2:.*]] = llvm.getelementptr %[[ROOM]][%c2_i64]
  // CHECK-NEXT:    llvm.store %[[THREAD]], %[[AT2]]
  // CHECK:         %[[AT3:.*]] = llvm.getelementptr %[[ROOM]][%c3_i64]
  // CHECK-NEXT:    llvm.store %[[FIRST]], %[[AT3]] {alignment = 8 : i64} : vector<4xi64>
  // CHECK:         %[[AT7:.*]] = llvm.getelementptr %[[ROOM]][%c7_i64]
  // CHECK-NEXT:    llvm.store %[[SECOND]], %[[AT7]]
  // CHECK:         %[[AT11:.*]] = llvm.getelementptr %[[ROOM]][%c11_i64]
  // CHECK-NEXT:    llvm.store %arg2, %[[AT11]]
  // CHECK-NEXT:    pyk.outside_lanes "reads a[{0}, {1}]" at "a.py" : 7 in 2 x 4 lanes masked forms [2, 3, 1] of %[[ROOM]]
  gpu.func @masked(%p: !llvm.ptr<1>, %first: i32, %j: i64) kernel attributes {
      simd.tile = array<i64: 1, 2, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi64, c>
    %at = arith.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]]]> : vector<1x2x4xi64>
    %i = simd.load contiguous %a + %at : !pyk.array<64xi64, c>, vector<1x2x4xi64> -> vector<1x2x4xi64>
    %limit = vector.broadcast %j : i64 to vector<1x2x4xi64>
    %m = arith.cmpi slt, %i, %limit : vector<1x2x4xi64>
    %iota = arith.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]]]> : vector<1x2x4xi32>
    %start = vector.broadcast %first : i32 to vector<1x2x4xi32>
    %zero = arith.constant dense<0> : vector<1x2x4xi32>
    %own = arith.addi %start, %iota : vector<1x2x4xi32>
    %threads = arith.addi %zero, %own : vector<1x2x4xi32>
    simd.serial (%t = %threads : vector<1x2x4xi32>, %n = %i : vector<1x2x4xi64>)
        mask %m : vector<1x2x4xi1> {
      pyk.outside "reads a[{0}, {1}]" at "a.py" : 7 thread %t(%n, %j)
    }
    pyk.return
  }

  // CHECK-LABEL: gpu.func @all(
  // CHECK:         llvm.store %{{.*}} : vector<4xi64>
  // CHECK:         pyk.outside_lanes "reads a[{0}]" at "a.py" : 8 in 1 x 4 lanes forms [3, 1] of
  gpu.func @all(%j: i64) kernel attributes {simd.tile = array<i64: 1, 1, 4>} {
    %threads = arith.constant dense<[[[0, 2, 4, 6]]]> : vector<1x1x4xi32>
    simd.serial (%t = %threads : vector<1x1x4xi32>) {
      pyk.outside "reads a[{0}]" at "a.py" : 8 thread %t(%j)
    }
    pyk.return
  }

  // A body that does more stays a loop.
  // CHECK-LABEL: gpu.func @more(
  // CHECK:         scf.for
  // CHECK:           pyk.outside "reads a[{0}]"
  gpu.func @more() kernel attributes {simd.tile = array<i64: 1, 1, 4>} {
    %threads = arith.constant dense<[[[0, 1, 2, 3]]]> : vector<1x1x4xi32>
    simd.serial (%t = %threads : vector<1x1x4xi32>) {
      %k = arith.extui %t : i32 to i64
      pyk.outside "reads a[{0}]" at "a.py" : 9 thread %t(%k)
    }
    pyk.return
  }

  // Vectors of one lane, in two rows; a sum that no two lanes share is no sequence.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK:         arith.extui %{{.*}} : i1 to i64
  // CHECK:         arith.extui %{{.*}} : i1 to i64
  // CHECK:         pyk.outside_lanes "reads a[{0}]" at "a.py" : 10 in 2 x 1 lanes masked forms [2, 3] of
  gpu.func @rows(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      simd.tile = array<i64: 2, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xi64, c>
    %at = arith.constant dense<[[[0]], [[9]]]> : vector<2x1x1xi64>
    %x = simd.load %a + %at : !pyk.array<64xi64, c>, vector<2x1x1xi64> -> vector<2x1x1xi64>
    %i = arith.addi %x, %at : vector<2x1x1xi64>
    %limit = vector.broadcast %n : i64 to vector<2x1x1xi64>
    %m = arith.cmpi slt, %i, %limit : vector<2x1x1xi64>
    %threads = arith.constant dense<[[[0]], [[1]]]> : vector<2x1x1xi32>
    simd.serial (%t = %threads : vector<2x1x1xi32>, %k = %i : vector<2x1x1xi64>)
        mask %m : vector<2x1x1xi1> {
      pyk.outside "reads a[{0}]" at "a.py" : 10 thread %t(%k)
    }
    pyk.return
  }
}
