// RUN: pyk-opt %s --pyk-mark-spins --split-input-file | FileCheck %s

// Each loop reads what the kernel stores later, and also counts. It waits
// unless only its own thread stores to that element.

// CHECK-LABEL: pyk.func @index_in_grid(
pyk.func @index_in_grid(%a: !pyk.array<?xi64, c>) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %i = pyk.grid x : i64
  // CHECK: scf.while
  // CHECK: pyk.load %
  // CHECK-NOT: pyk.spin_hint
  scf.while (%n = %zero) : (i64) -> i64 {
    %v = pyk.load %a[%i] : !pyk.array<?xi64, c>
    %more = arith.cmpi sgt, %v, %zero : i64
    %few = arith.cmpi slt, %n, %ten : i64
    %goes = arith.andi %more, %few : i1
    scf.condition(%goes) %n : i64
  } do {
  ^bb0(%n: i64):
    %next = arith.addi %n, %one : i64
    scf.yield %next : i64
  }
  // CHECK: pyk.store
  pyk.store %one, %a[%i] : !pyk.array<?xi64, c>
  pyk.return
}

// -----

// CHECK-LABEL: pyk.func @neighbour(
pyk.func @neighbour(%a: !pyk.array<?xi64, c>) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %i = pyk.grid x : i64
  %j = arith.addi %i, %one : i64
  // CHECK: scf.while
  // CHECK: pyk.load volatile
  // CHECK: pyk.spin_hint
  scf.while (%n = %zero) : (i64) -> i64 {
    %v = pyk.load %a[%i] : !pyk.array<?xi64, c>
    %more = arith.cmpi sgt, %v, %zero : i64
    %few = arith.cmpi slt, %n, %ten : i64
    %goes = arith.andi %more, %few : i1
    scf.condition(%goes) %n : i64
  } do {
  ^bb0(%n: i64):
    %next = arith.addi %n, %one : i64
    scf.yield %next : i64
  }
  // CHECK: pyk.store
  pyk.store %one, %a[%j] : !pyk.array<?xi64, c>
  pyk.return
}

// -----

// CHECK-LABEL: pyk.func @block_and_thread(
pyk.func @block_and_thread(%a: !pyk.array<?x?xi64, c>) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %b = pyk.block_id x : i32
  %t = pyk.thread_id x : i32
  %i = arith.extsi %b : i32 to i64
  %j = arith.extsi %t : i32 to i64
  // CHECK: scf.while
  // CHECK: pyk.load %
  // CHECK-NOT: pyk.spin_hint
  scf.while (%n = %zero) : (i64) -> i64 {
    %v = pyk.load %a[%i, %j] : !pyk.array<?x?xi64, c>
    %more = arith.cmpi sgt, %v, %zero : i64
    %few = arith.cmpi slt, %n, %ten : i64
    %goes = arith.andi %more, %few : i1
    scf.condition(%goes) %n : i64
  } do {
  ^bb0(%n: i64):
    %next = arith.addi %n, %one : i64
    scf.yield %next : i64
  }
  // CHECK: pyk.store
  pyk.store %one, %a[%i, %j] : !pyk.array<?x?xi64, c>
  pyk.return
}
