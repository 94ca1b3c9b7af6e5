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

// -----

// A function that calls itself takes turns. LLVM makes a loop of it.
// CHECK-LABEL: pyk.func @wait_by_recursion(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
// CHECK-NEXT: pyk.call @wait_by_recursion
pyk.func @wait_by_recursion(%flags: !pyk.array<?xi32, c>, %i: i64) {
  %zero = arith.constant 0 : i32
  %f = pyk.load %flags[%i] : !pyk.array<?xi32, c>
  %unset = arith.cmpi eq, %f, %zero : i32
  scf.if %unset {
    pyk.call @wait_by_recursion(%flags, %i) : (!pyk.array<?xi32, c>, i64) -> ()
  }
  pyk.return
}

pyk.func @k(%flags: !pyk.array<?xi32, c>, %i: i64) attributes {kernel} {
  pyk.call @wait_by_recursion(%flags, %i) : (!pyk.array<?xi32, c>, i64) -> ()
  pyk.return
}

// -----

// So do two that call each other. The return within the condition ends the wait.
// CHECK-LABEL: pyk.func @here(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
// CHECK-NEXT: pyk.call @there
pyk.func @here(%flags: !pyk.array<?xi32, c>, %i: i64) -> i64 {
  %zero = arith.constant 0 : i32
  %f = pyk.load %flags[%i] : !pyk.array<?xi32, c>
  %set = arith.cmpi ne, %f, %zero : i32
  pyk.if %set {
    pyk.return %i : i64
  } else {
    pyk.yield
  }
  %r = pyk.call @there(%flags, %i) : (!pyk.array<?xi32, c>, i64) -> i64
  pyk.return %r : i64
}

pyk.func @there(%flags: !pyk.array<?xi32, c>, %i: i64) -> i64 {
  %r = pyk.call @here(%flags, %i) : (!pyk.array<?xi32, c>, i64) -> i64
  pyk.return %r : i64
}

// -----

// A search by halves of what nothing writes ends by itself.
// CHECK-LABEL: pyk.func @search(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
pyk.func @search(%a: !pyk.array<?xi64, c>, %low: i64, %high: i64) -> i64 {
  %one = arith.constant 1 : i64
  %sum = arith.addi %low, %high : i64
  %middle = arith.shrsi %sum, %one : i64
  %x = pyk.load %a[%middle] : !pyk.array<?xi64, c>
  %less = arith.cmpi slt, %x, %high : i64
  %next = scf.if %less -> i64 {
    %r = pyk.call @search(%a, %middle, %high) : (!pyk.array<?xi64, c>, i64, i64) -> i64
    scf.yield %r : i64
  } else {
    scf.yield %middle : i64
  }
  pyk.return %next : i64
}

// -----

// What is left to do after the call, on another element in each iteration, is no wait,
// though the array is written.
// CHECK-LABEL: pyk.func @fill(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
pyk.func @fill(%a: !pyk.array<?xi64, c>, %i: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = pyk.load %a[%i] : !pyk.array<?xi64, c>
  %empty = arith.cmpi eq, %x, %zero : i64
  scf.if %empty {
    %next = arith.addi %i, %one : i64
    pyk.call @fill(%a, %next) : (!pyk.array<?xi64, c>, i64) -> ()
    pyk.store %one, %a[%i] : !pyk.array<?xi64, c>
  }
  pyk.return
}

// -----

// One element that others write is waited for, though what is left after the
// call counts.
// CHECK-LABEL: pyk.func @count_iterations(
// CHECK: pyk.load volatile
pyk.func @count_iterations(%f: !pyk.array<?xi64, c>, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = pyk.load %f[%zero] : !pyk.array<?xi64, c>
  %unset = arith.cmpi slt, %x, %n : i64
  %r = scf.if %unset -> i64 {
    %less = arith.subi %n, %one : i64
    %rest = pyk.call @count_iterations(%f, %less) : (!pyk.array<?xi64, c>, i64) -> i64
    %sum = arith.addi %rest, %one : i64
    scf.yield %sum : i64
  } else {
    scf.yield %zero : i64
  }
  pyk.return %r : i64
}

pyk.func @set(%f: !pyk.array<?xi64, c>, %n: i64) attributes {kernel} {
  %zero = arith.constant 0 : i64
  pyk.store %n, %f[%zero] : !pyk.array<?xi64, c>
  %r = pyk.call @count_iterations(%f, %n) : (!pyk.array<?xi64, c>, i64) -> i64
  pyk.return
}

// -----

// A loop that a count ends reads what nothing writes and its thread's own array.
// CHECK-LABEL: pyk.func @hit(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
pyk.func @hit(%row: !pyk.array<?xf64, c>, %own: !pyk.array<3xf64, c, local>) -> f64 {
  %c0 = arith.constant 0 : i64
  %a = pyk.load %row[%c0] : !pyk.array<?xf64, c>
  %b = pyk.load %own[%c0] : !pyk.array<3xf64, c, local>
  %c = arith.mulf %a, %b : f64
  pyk.return %c : f64
}

// CHECK-LABEL: pyk.func @own_array_by_a_call_is_no_spin(
pyk.func @own_array_by_a_call_is_no_spin(%row: !pyk.array<?xf64, c>, %out: !pyk.array<?xf64, c>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c10 = arith.constant 10 : i64
  %half = arith.constant 5.0e-1 : f64
  %true = arith.constant true
  %false = arith.constant false
  %own = pyk.alloc : !pyk.array<3xf64, c, local>
  scf.while (%check = %true, %it = %c0) : (i1, i64) -> (i1, i64) {
    %few = arith.cmpi slt, %it, %c10 : i64
    %more = arith.select %check, %few, %false : i1
    scf.condition(%more) %check, %it : i1, i64
  } do {
  ^bb0(%check: i1, %it: i64):
    %next = arith.addi %it, %c1 : i64
    %d = pyk.call @hit(%row, %own) : (!pyk.array<?xf64, c>, !pyk.array<3xf64, c, local>) -> f64
    %far = arith.cmpf ogt, %d, %half : f64
    scf.if %far {
      %s = pyk.load %own[%c0] : !pyk.array<3xf64, c, local>
      %t = arith.mulf %s, %half : f64
      pyk.store %t, %own[%c0] : !pyk.array<3xf64, c, local>
    }
    %on = arith.select %far, %check, %false : i1
    scf.yield %on, %next : i1, i64
  }
  %r = pyk.load %own[%c0] : !pyk.array<3xf64, c, local>
  pyk.store %r, %out[%c0] : !pyk.array<?xf64, c>
  pyk.return
}
