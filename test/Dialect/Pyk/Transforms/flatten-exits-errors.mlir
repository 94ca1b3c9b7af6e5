// RUN: pyk-opt %s --pyk-flatten-exits --split-input-file --verify-diagnostics

// Blocks cannot go where scf wants one.
pyk.func @loop_within_scf(%c: i1) {
  scf.if %c {
    // expected-error @below {{cannot be flattened within 'scf.if'; run convert-scf-to-cf before this pass}}
    pyk.loop {
      pyk.break
    }
  }
  pyk.return
}
