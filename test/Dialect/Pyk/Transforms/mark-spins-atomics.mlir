// RUN: pyk-opt %s --pyk-mark-spins | FileCheck %s

// A lock that is taken stays so until another thread lets go of it.
// CHECK-LABEL: pyk.func @lock(
pyk.func @lock(%locks: !pyk.array<?xi32, c>) {
  %c0 = arith.constant 0 : i64
  %free = arith.constant 0 : i32
  %taken = arith.constant 1 : i32
  // CHECK: } do {
  // CHECK-NEXT: pyk.spin_hint
  scf.while : () -> () {
    %old = pyk.atomic_cas %free, %taken, %locks[%c0] : !pyk.array<?xi32, c>
    %wait = arith.cmpi ne, %old, %free : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  pyk.return
}

// Adding nothing is how an element is read.
// CHECK-LABEL: pyk.func @ticket(
pyk.func @ticket(%serving: !pyk.array<?xi32, c>, %mine: i32) {
  %c0 = arith.constant 0 : i64
  %none = arith.constant 0 : i32
  // CHECK: } do {
  // CHECK-NEXT: pyk.spin_hint
  scf.while : () -> () {
    %now = pyk.atomic add %none, %serving[%c0] : !pyk.array<?xi32, c>
    %wait = arith.cmpi ne, %now, %mine : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  pyk.return
}

// So it is where the element is a float.
// CHECK-LABEL: pyk.func @ticket_of_floats(
pyk.func @ticket_of_floats(%serving: !pyk.array<?xf32, c>, %mine: f32) {
  %c0 = arith.constant 0 : i64
  %none = arith.constant 0.0 : f32
  %minus_none = arith.constant -0.0 : f32
  // CHECK: } do {
  // CHECK-NEXT: pyk.spin_hint
  scf.while : () -> () {
    %now = pyk.atomic add %none, %serving[%c0] : !pyk.array<?xf32, c>
    %wait = arith.cmpf une, %now, %mine : f32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  // CHECK: } do {
  // CHECK-NEXT: pyk.spin_hint
  scf.while : () -> () {
    %now = pyk.atomic add %minus_none, %serving[%c0] : !pyk.array<?xf32, c>
    %wait = arith.cmpf une, %now, %mine : f32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  pyk.return
}

// A sum that grows until it is large enough.
// CHECK-LABEL: pyk.func @sum_of_floats(
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @sum_of_floats(%sum: !pyk.array<?xf32, c>, %enough: f32) {
  %c0 = arith.constant 0 : i64
  %half = arith.constant 0.5 : f32
  scf.while : () -> () {
    %now = pyk.atomic add %half, %sum[%c0] : !pyk.array<?xf32, c>
    %more = arith.cmpf olt, %now, %enough : f32
    scf.condition(%more)
  } do {
    scf.yield
  }
  pyk.return
}

// A queue of work: each iteration takes the next piece.
// CHECK-LABEL: pyk.func @queue(
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @queue(%next: !pyk.array<?xi32, c>, %count: i32) {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %piece = pyk.atomic add %one, %next[%c0] : !pyk.array<?xi32, c>
    %more = arith.cmpi slt, %piece, %count : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  pyk.return
}
