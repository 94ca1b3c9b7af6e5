// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm))" \
// RUN:   | FileCheck %s

// Upstream's conversion asks dialects for their patterns and finds ours.
gpu.module @pyk {
  // CHECK-LABEL: llvm.func @kernel(
  // CHECK-NOT: pyk.
  // CHECK: llvm.store
  // CHECK: nvvm.barrier{{$}}
  gpu.func @kernel(%p: !llvm.ptr<1>, %i: i64, %x: f32) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xf32, c>
    %e = pyk.element %a + %i : !pyk.array<8xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>
    pyk.barrier
    gpu.return
  }
}
