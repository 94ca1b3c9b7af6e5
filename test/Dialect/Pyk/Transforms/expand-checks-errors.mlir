// RUN: pyk-opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(pyk-expand-checks))" --verify-diagnostics

gpu.module @pyk {
  // expected-error @below {{requires a last parameter of kind failure for its checks}}
  gpu.func @kernel(%c: i1) kernel attributes {pyk.abi = #pyk.abi<[<scalar, 0>]>} {
    pyk.check %c else #pyk.failure<"ValueError", "", "f" at "a.py" : 3 exception 2>
    gpu.return
  }
}

// -----

gpu.module @pyk {
  // expected-error @below {{'func.func' op cannot record the failures of checks: it is not launched}}
  func.func @exported(%c: i1) attributes {pyk.export = #pyk.export<c>} {
    pyk.check %c else #pyk.failure<"ValueError", "", "f" at "a.py" : 3>
    func.return
  }
}

// -----

// How a thread leaves functions of other dialects is not known.
gpu.module @other_dialects {
  // expected-error @below {{expects no checks in it, nor calls of functions with checks}}
  llvm.func @checked(%c: i1) {
    pyk.check %c
    llvm.return
  }
}
