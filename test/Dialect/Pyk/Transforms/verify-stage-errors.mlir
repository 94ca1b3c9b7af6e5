// RUN: pyk-opt %s --pyk-verify-stage=stage=gpu --split-input-file \
// RUN:   --verify-diagnostics
// RUN: not pyk-opt %s --pyk-verify-stage=stage=spirv 2>&1 | FileCheck %s

// CHECK: error: expects a stage of pyk, gpu or nvvm but got 'spirv'

// An op that an earlier pass should have replaced.
gpu.module @pyk {
  gpu.func @kernel() kernel {
    // expected-error @below {{cannot stand in stage gpu}}
    %i = pyk.grid x : i64
    pyk.return
  }
}

// -----

// A function that has not been converted.
// expected-error @below {{cannot stand in stage gpu}}
pyk.func @kernel() attributes {kernel} {
  pyk.return
}
