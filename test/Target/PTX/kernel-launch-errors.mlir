// RUN: split-file %s %t
// RUN: pyk-opt %t/itself.mlir --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t/itself.nvvm
// RUN: not pyk-test-translate %t/itself.nvvm --pyk-to-ptx --chip=sm_90 2>&1 \
// RUN: | FileCheck %s
// RUN: pyk-opt %t/deep.mlir --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t/deep.nvvm
// RUN: not pyk-test-translate %t/deep.nvvm --pyk-to-ptx --chip=sm_90 2>&1 \
// RUN: | FileCheck %s

// CHECK: kernel 'meets' waits for its grid, and CUDA cannot let a kernel launch such a one; launch it from the host

//--- itself.mlir
pyk.func @meets() attributes {kernel, pyk.child} {
  pyk.grid_barrier
  pyk.return
}

pyk.func @parent(%n: i64) attributes {kernel} {
  pyk.launch @meets grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n ()
  pyk.return
}

//--- deep.mlir
pyk.func private @wait(%n: i64) {
  pyk.grid_barrier
  pyk.return
}

pyk.func private @wait_often(%n: i64) {
  pyk.call @wait(%n) : (i64) -> ()
  pyk.call @wait(%n) : (i64) -> ()
  pyk.return
}

pyk.func @meets(%n: i64) attributes {kernel, pyk.child} {
  pyk.call @wait_often(%n) : (i64) -> ()
  pyk.call @wait_often(%n) : (i64) -> ()
  pyk.return
}

pyk.func @parent(%n: i64) attributes {kernel} {
  pyk.launch @meets grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n (%n)
    : i64
  pyk.return
}
