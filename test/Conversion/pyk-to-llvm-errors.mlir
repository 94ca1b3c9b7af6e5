// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" \
// RUN:   --verify-diagnostics

gpu.module @pyk {
  gpu.func @values_that_are_not_in_the_ir() kernel {
    // expected-error @below {{cannot be lowered unless its values are dense}}
    %a = pyk.constant_array dense_resource<weights> : tensor<2xf32>
        : !pyk.array<2xf32, c, constant>
    gpu.return
  }
}
