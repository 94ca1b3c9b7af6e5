// RUN: pyk-opt %s --simd-unroll --verify-diagnostics

// Who launches a kernel has one value for all threads.
gpu.module @pyk {
  // expected-error @below {{expects parameters that all threads share but got one of type 'vector<1x2x4xf32>'}}
  gpu.func @compact_parameter(%p: !llvm.ptr<1>, %x: vector<1x2x4xf32>) kernel
      attributes {simd.tile = array<i64: 1, 2, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xf32, c>
    %i = arith.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]]]> : vector<1x2x4xi64>
    simd.store %x, %a + %i : vector<1x2x4xf32>, !pyk.array<8xf32, c>, vector<1x2x4xi64>
    pyk.return
  }
}
