// Without a toolkit --emit=cubin is an error that says what to do.
// UNSUPPORTED: ptxas
// RUN: %exits 1 env -u CUDA_HOME -u CUDA_PATH pyk-run %s --emit=cubin 2>&1 \
// RUN:   | FileCheck %s
// CHECK: pyk-run: error: cannot find ptxas, which makes a cubin; set CUDA_HOME to a CUDA toolkit, or use --emit=ptx

pyk.func @nothing() attributes {kernel} {
  pyk.return
}
