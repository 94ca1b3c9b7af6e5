// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(pyk-expand-checks))" --verify-diagnostics

gpu.module @pyk {
  // expected-error @below {{requires a last parameter of kind failure for its checks}}
  gpu.func @kernel(%c: i1) kernel attributes {pyk.abi = #pyk.abi<[<scalar, 0>]>} {
    pyk.check %c else #pyk.failure<"ValueError", "", "f" at "a.py" : 3 exception 2>
    gpu.return
  }
}
