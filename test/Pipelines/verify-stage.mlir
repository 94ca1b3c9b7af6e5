// RUN: pyk-opt %s --pyk-verify-stage=stage=gpu --split-input-file --verify-diagnostics

// What stage gpu is made of.
gpu.module @pyk {
  gpu.func @kernel(%p: !llvm.ptr<1>) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i32, c>
    %x = pyk.load %a[] : !pyk.array<i32, c>
    pyk.barrier
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @kernel() kernel {
    // expected-error @below {{cannot stand in stage gpu}}
    %i = pyk.grid x : i64
    pyk.return
  }
}

// -----

// expected-error @below {{cannot stand in stage gpu}}
pyk.func @kernel() attributes {kernel} {
  pyk.return
}
