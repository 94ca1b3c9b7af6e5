// RUN: split-file %s %t
// RUN: not pyk-run %t/itself.mlir --kernel=parent --emit=ptx 2>&1 | FileCheck %s
// RUN: not pyk-run %t/deep.mlir --kernel=parent --emit=ptx 2>&1 | FileCheck %s
// RUN: pyk-run %t/deep.mlir --kernel=parent --emit=reference

// CHECK: {{.*}}.mlir:7:3: error: kernel 'meets' waits for its grid, and CUDA cannot let a kernel launch such a one; launch it from the host

//--- itself.mlir
// At line 7, as below.


pyk.func @meets() attributes {kernel, pyk.child} { pyk.grid_barrier pyk.return }

pyk.func @parent(%n: i64) attributes {kernel} {
  pyk.launch @meets grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n ()
  pyk.return
}

//--- deep.mlir
pyk.func @alone(%n: i64) attributes {kernel, pyk.child} { pyk.return }

pyk.func @parent(%n: i64) attributes {kernel} {
  pyk.launch @alone grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n (%n)
    : i64
  // Line 7 has one that CUDA does not launch.
  pyk.launch @meets grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n (%n)
    : i64
  pyk.return
}

pyk.func @meets(%n: i64) attributes {kernel, pyk.child} {
  pyk.call @wait_often(%n) : (i64) -> ()
  pyk.return
}

// In a circle.
pyk.func private @wait_often(%n: i64) {
  pyk.call @often_or_not(%n) : (i64) -> ()
  pyk.call @wait(%n) : (i64) -> ()
  pyk.return
}

pyk.func private @often_or_not(%n: i64) {
  %zero = arith.constant 0 : i64
  %more = arith.cmpi sgt, %n, %zero : i64
  scf.if %more {
    pyk.call @wait_often(%zero) : (i64) -> ()
  }
  pyk.return
}

pyk.func private @wait(%n: i64) {
  pyk.grid_barrier
  pyk.return
}
