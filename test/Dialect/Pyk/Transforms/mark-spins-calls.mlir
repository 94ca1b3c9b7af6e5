// RUN: pyk-opt %s --pyk-mark-spins --split-input-file | FileCheck %s

// The function reads, its caller waits.
// CHECK-LABEL: pyk.func @ready(
// CHECK: pyk.load volatile
pyk.func @ready(%flags: !pyk.array<?xi32, c>, %i: i64) -> i1 {
  %zero = arith.constant 0 : i32
  %f = pyk.load %flags[%i] : !pyk.array<?xi32, c>
  %set = arith.cmpi eq, %f, %zero : i32
  pyk.return %set : i1
}

// CHECK-LABEL: pyk.func @wait_by_a_call(
// CHECK: } do {
// CHECK-NEXT: pyk.spin_hint
pyk.func @wait_by_a_call(%flags: !pyk.array<?xi32, c>, %i: i64) attributes {kernel} {
  scf.while : () -> () {
    %unset = pyk.call @ready(%flags, %i) : (!pyk.array<?xi32, c>, i64) -> i1
    scf.condition(%unset)
  } do {
    scf.yield
  }
  pyk.return
}

// -----

// The array that the search is given is never written, another one is. Both
// go through the same functions.
// CHECK-LABEL: pyk.func @get(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
pyk.func @get(%a: !pyk.array<?xi32, c>, %i: i64) -> i32 {
  %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
  pyk.return %x : i32
}

pyk.func @put(%x: i32, %a: !pyk.array<?xi32, c>, %i: i64) {
  pyk.store %x, %a[%i] : !pyk.array<?xi32, c>
  pyk.return
}

pyk.func @search_by_a_call_is_no_spin(%in: !pyk.array<?xi32, c>,
    %out: !pyk.array<?xi32, c>, %n: i64) attributes {kernel} {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %end = scf.while (%i = %n) : (i64) -> i64 {
    %x = pyk.call @get(%in, %i) : (!pyk.array<?xi32, c>, i64) -> i32
    %larger = arith.cmpi sgt, %x, %zero : i32
    scf.condition(%larger) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.subi %i, %c1 : i64
    scf.yield %next : i64
  }
  %x = pyk.call @get(%out, %end) : (!pyk.array<?xi32, c>, i64) -> i32
  pyk.call @put(%x, %out, %n) : (i32, !pyk.array<?xi32, c>, i64) -> ()
  pyk.return
}

// -----

// The store in the function is what the loop's end depends on.
// CHECK-LABEL: pyk.func @halve(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
pyk.func @halve(%a: !pyk.array<?xi32, c>, %i: i64) {
  %one = arith.constant 1 : i32
  %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
  %half = arith.shrsi %x, %one : i32
  pyk.store %half, %a[%i] : !pyk.array<?xi32, c>
  pyk.return
}

pyk.func @in_place_by_a_call_is_no_spin(%a: !pyk.array<?xi32, c>, %i: i64)
    attributes {kernel} {
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
    %large = arith.cmpi sgt, %x, %one : i32
    scf.condition(%large)
  } do {
    pyk.call @halve(%a, %i) : (!pyk.array<?xi32, c>, i64) -> ()
    scf.yield
  }
  pyk.return
}

// -----

// The callee only sometimes writes: the others wait. What it writes to is an
// argument of its caller's caller.
// CHECK-LABEL: pyk.func @step(
// CHECK: pyk.load volatile
pyk.func @step(%flags: !pyk.array<?xi32, c>, %i: i64) -> i1 {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %f = pyk.load %flags[%i] : !pyk.array<?xi32, c>
  %unset = arith.cmpi eq, %f, %zero : i32
  pyk.if %unset {
    pyk.return %true : i1
  }
  %previous = arith.subi %i, %c1 : i64
  pyk.store %one, %flags[%previous] : !pyk.array<?xi32, c>
  pyk.return %false : i1
}

// CHECK-LABEL: pyk.func @wait_in_a_function(
// CHECK: pyk.spin_hint
pyk.func @wait_in_a_function(%flags: !pyk.array<?xi32, c>, %i: i64) {
  scf.while : () -> () {
    %go_on = pyk.call @step(%flags, %i) : (!pyk.array<?xi32, c>, i64) -> i1
    scf.condition(%go_on)
  } do {
    scf.yield
  }
  pyk.return
}

pyk.func @caller(%flags: !pyk.array<?xi32, c>, %i: i64) attributes {kernel} {
  pyk.call @wait_in_a_function(%flags, %i) : (!pyk.array<?xi32, c>, i64) -> ()
  pyk.return
}

// -----

// A function that calls itself must not send the pass round in circles.
// CHECK-LABEL: pyk.func @recursive(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @recursive(%a: !pyk.array<?xi32, c>, %i: i64) -> i32 {
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
    %y = pyk.call @recursive(%a, %i) : (!pyk.array<?xi32, c>, i64) -> i32
    %large = arith.cmpi sgt, %x, %y : i32
    scf.condition(%large)
  } do {
    scf.yield
  }
  pyk.store %one, %a[%i] : !pyk.array<?xi32, c>
  pyk.return %one : i32
}
