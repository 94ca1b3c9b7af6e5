// RUN: pyk-opt %s --pyk-mark-spins --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// The function is inlined, but none of its reads leaves the loop.
// CHECK: .visible .entry wait_for_all(
// CHECK: [[FLAG:\$.*]]:
// CHECK-NOT: bra
// CHECK: ld.volatile.global.b64
// CHECK: bra [[FLAG]]
// CHECK: nanosleep.u32
// CHECK: bra.uni [[FLAG]]
pyk.func @count(%flags: !pyk.array<?xi64, c>, %n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> i64 : i64 {
    %x = pyk.load %flags[%i] : !pyk.array<?xi64, c>
    %next = arith.addi %s, %x : i64
    scf.yield %next : i64
  }
  pyk.return %sum : i64
}

pyk.func @wait_for_all(%flags: !pyk.array<?xi64, c>, %n: i64) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  pyk.store %c1, %flags[%c0] : !pyk.array<?xi64, c>
  scf.while : () -> () {
    %sum = pyk.call @count(%flags, %n) : (!pyk.array<?xi64, c>, i64) -> i64
    %some = arith.cmpi slt, %sum, %n : i64
    scf.condition(%some)
  } do {
    scf.yield
  }
  pyk.return
}
