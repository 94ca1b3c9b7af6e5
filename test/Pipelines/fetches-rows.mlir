// RUN: pyk-opt %s --pyk-lower-to-host="fetches-rows=false" | FileCheck %s --check-prefix=FETCH
// RUN: pyk-opt %s --pyk-lower-to-host="fetches-rows" | FileCheck %s

// Rows that a loop goes down are fetched ahead for processors that do not see them.
// FETCH: prefetch
// CHECK-NOT: prefetch
gpu.module @pyk {
  gpu.func @columns(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %lanes = arith.constant dense<[[[0, 1, 2, 3]]]> : vector<1x1x4xi64>
    %none = arith.constant dense<0.0> : vector<1x1x4xf32>
    %sum = scf.for %k = %zero to %n step %one iter_args(%s = %none) -> (vector<1x1x4xf32>) : i64 {
      %row = arith.muli %k, %n overflow<nsw, nuw> : i64
      %rows = vector.broadcast %row : i64 to vector<1x1x4xi64>
      %offset = arith.addi %rows, %lanes : vector<1x1x4xi64>
      %x = simd.load contiguous %a + %offset : !pyk.array<?x?xf32, c>, vector<1x1x4xi64> -> vector<1x1x4xf32>
      %t = arith.addf %s, %x : vector<1x1x4xf32>
      scf.yield %t : vector<1x1x4xf32>
    }
    simd.store contiguous %sum, %a + %lanes : vector<1x1x4xf32>, !pyk.array<?x?xf32, c>, vector<1x1x4xi64>
    pyk.return
  }
}
