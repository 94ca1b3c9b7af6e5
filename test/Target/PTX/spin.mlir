// RUN: pyk-opt %s --pyk-mark-spins --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// The flag is read in each iteration.
// CHECK: .visible .entry wait(
// CHECK: ld.volatile.global.b32
// CHECK: [[TURN:\$.*]]:
// CHECK: nanosleep.u32
// CHECK: ld.volatile.global.b32
// CHECK: bra [[TURN]]
pyk.func @wait(%flag: !pyk.array<?xi32, c>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %f = pyk.load %flag[%c0] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %f, %zero : i32
    scf.condition(%unset)
  } do {
    scf.yield
  }
  pyk.return
}
