// RUN: pyk-opt %s --pyk-flatten-exits --split-input-file --verify-diagnostics

// Blocks cannot go where an op wants one.
pyk.func @loop_within_serial(%x: vector<1x1x4xi32>) {
  simd.serial (%n = %x : vector<1x1x4xi32>) {
    // expected-error @below {{cannot be flattened within 'simd.serial'}}
    pyk.loop {
      pyk.break
    }
  }
  pyk.return
}

// -----

// Tensors have no memory.
func.func @tensors(%n: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be flattened}}
  %r = scf.forall (%i) in (%n) shared_outs(%s = %t) -> tensor<4xf32> {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<4xf32>
}
