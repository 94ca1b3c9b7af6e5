// RUN: pyk-opt %s --simd-vectorize=lanes=64 --remarks-filter-missed=cpu --verify-diagnostics

// No vector may be larger than a warp, if threads of warps see each other.
gpu.module @pyk {
  gpu.func @rows() kernel attributes {pyk.block_shape = array<i32: 64, 1, 1>} {
    // expected-remark @below {{Function=rows | Reason="its warps are not whole vectors", Remark="kernel 'rows' does not run as vectors"}}
    %m = pyk.active_mask
    pyk.return
  }
}
