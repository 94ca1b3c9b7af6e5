// What the division and the store do not need goes: another function, the loop
// around them, conditions, what the operands are computed from.
// RUN: pyk-reduce %s --test=%S/Inputs/has-division.sh -o %t 2> %t.log
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// LOG: pyk-reduce: 8 of 19 ops are left, after {{[0-9]+}} runs of the test
// CHECK-NOT: @other
// CHECK: pyk.func @k(
// CHECK-COUNT-3: arith.constant 0 : i64
// CHECK-NEXT: pyk.floor_div
// CHECK-NEXT: pyk.store
// CHECK-NEXT: pyk.return
pyk.func @other() {
  pyk.barrier
  pyk.return
}
pyk.func @k(%a: !pyk.array<?xi64, c>, %n: i64) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i = pyk.grid x : i64
  %inside = arith.cmpi slt, %i, %n : i64
  scf.if %inside {
    %sum = scf.for %j = %zero to %n step %one iter_args(%s = %zero) -> (i64) : i64 {
      %x = pyk.load %a[%j] : !pyk.array<?xi64, c>
      %next = arith.addi %s, %x : i64
      %q = pyk.floor_div %next, %i : i64
      pyk.store %q, %a[%j] : !pyk.array<?xi64, c>
      scf.yield %next : i64
    }
    pyk.store %sum, %a[%i] : !pyk.array<?xi64, c>
  }
  pyk.return
}
