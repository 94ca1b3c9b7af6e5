// RUN: pyk-opt %s --split-input-file --simd-vectorize="lanes=16 tile=3,1" --remarks-filter-missed=cpu --verify-diagnostics

gpu.module @rows {
  // expected-remark @below {{Function=k | Reason="its blocks have no such tiles, or only one", Remark="kernel 'k' does not run as vectors"}}
  gpu.func @k(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 16, 4, 1>} {
    pyk.return
  }
}

// -----

gpu.module @barrier {
  // expected-remark @below {{Function=k | Reason="its blocks have no such tiles, or only one", Remark="kernel 'k' does not run as vectors"}}
  gpu.func @k(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 16, 6, 1>} {
    pyk.barrier
    pyk.return
  }
}
