// RUN: pyk-opt %s --pyk-verify-stage=stage=gpu
// RUN: pyk-opt %s --pass-pipeline='builtin.module(gpu.module(pyk-verify-stage{stage=gpu}))'

// What stage gpu is made of is accepted.
gpu.module @pyk {
  gpu.func @kernel(%p: !llvm.ptr<1>) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i32, c>
    %x = pyk.load %a[] : !pyk.array<i32, c>
    pyk.barrier
    pyk.return
  }
}
