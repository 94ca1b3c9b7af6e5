// The body of a condition takes its place, also within a loop that must stay.
// RUN: pyk-reduce %s --test=%S/Inputs/has-loop-and-store.sh | FileCheck %s
// CHECK: pyk.func @k(
// CHECK: scf.for
// CHECK-NEXT: pyk.store
// CHECK-NOT: scf.if
pyk.func @k(%a: !pyk.array<?xi64, c>, %n: i64) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %j = %zero to %n step %one : i64 {
    %small = arith.cmpi slt, %j, %one : i64
    scf.if %small {
      pyk.store %one, %a[%j] : !pyk.array<?xi64, c>
    }
  }
  pyk.return
}
