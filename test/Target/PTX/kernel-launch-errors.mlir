// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: not pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_90 2>&1 | FileCheck %s

// CHECK: kernel 'meets' waits for its grid, and CUDA cannot let a kernel launch such a one; launch it from the host
pyk.func @meets() attributes {kernel, pyk.child} {
  pyk.grid_barrier
  pyk.return
}

pyk.func @parent(%n: i64) attributes {kernel} {
  pyk.launch @meets grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n ()
  pyk.return
}
