// RUN: pyk-opt %s --split-input-file --pyk-mark-spins | FileCheck %s

// Loops that end by a count of their own. All kernels store to the array that the
// loop reads, so that another thread may have written there.

// Each iteration compares what it read with another number.
// CHECK-LABEL: pyk.func @iteration_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @iteration_is_no_spin(%a: !pyk.array<?xf64, c>, %i: i64, %most: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  %r:2 = scf.while (%n = %c0, %x = %one) : (i64, f64) -> (i64, f64) {
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %more = arith.cmpf ogt, %x, %y : f64
    %go = scf.if %more -> i1 {
      %few = arith.cmpi slt, %n, %most : i64
      scf.yield %few : i1
    } else {
      scf.yield %more : i1
    }
    scf.condition(%go) %n, %x : i64, f64
  } do {
  ^bb0(%n: i64, %x: f64):
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %z = arith.divf %y, %x : f64
    %next = arith.addi %n, %c1 : i64
    scf.yield %next, %z : i64, f64
  }
  pyk.store %r#1, %a[%i] : !pyk.array<?xf64, c>
  pyk.return
}

// -----

// The same, left by exits.
// CHECK-LABEL: pyk.func @iteration_with_exits_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @iteration_with_exits_is_no_spin(%a: !pyk.array<?xf64, c>, %i: i64, %most: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  pyk.loop carry(%n = %most, %x = %one) : (i64, f64) -> () {
    %late = arith.cmpi sle, %n, %c0 : i64
    pyk.if %late {
      pyk.return
    } else {
      pyk.yield
    }
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %z = arith.divf %y, %x : f64
    %close = arith.cmpf olt, %z, %x : f64
    pyk.if %close {
      pyk.store %z, %a[%i] : !pyk.array<?xf64, c>
      pyk.break
    }
    %next = arith.subi %n, %c1 : i64
    pyk.continue %next, %z : i64, f64
  }
  pyk.return
}

// -----

// And in a loop that counts, which reads one element again and again.
// CHECK-LABEL: pyk.func @iteration_in_a_counted_loop_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @iteration_in_a_counted_loop_is_no_spin(%a: !pyk.array<?xf64, c>, %i: i64, %most: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  %r = pyk.for %n = %c0 to %most step %c1 carry(%x = %one) : i64, (f64) {
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %z = arith.divf %y, %x : f64
    %close = arith.cmpf olt, %z, %x : f64
    pyk.if %close {
      pyk.break %z : f64
    }
    pyk.continue %z : f64
  }
  pyk.store %r, %a[%i] : !pyk.array<?xf64, c>
  pyk.return
}

// -----

// An element of the thread's own that moves in some iterations, few in all; the flag
// says that it has not.
// CHECK-LABEL: pyk.func @few_iterations_are_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @few_iterations_are_no_spin(%a: !pyk.array<?xf64, c>, %i: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c10 = arith.constant 10 : i64
  %half = arith.constant 0.5 : f64
  %true = arith.constant true
  %false = arith.constant false
  %step = pyk.alloc : !pyk.array<1xf64, c, local>
  %r:2 = scf.while (%check = %true, %n = %c0) : (i1, i64) -> (i1, i64) {
    %few = arith.cmpi slt, %n, %c10 : i64
    %go = arith.andi %check, %few : i1
    scf.condition(%go) %check, %n : i1, i64
  } do {
  ^bb0(%check: i1, %n: i64):
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %s = pyk.load %step[%c0] : !pyk.array<1xf64, c, local>
    %d = arith.mulf %y, %s : f64
    %large = arith.cmpf ogt, %d, %half : f64
    %again = scf.if %large -> i1 {
      %t = arith.mulf %s, %half : f64
      pyk.store %t, %step[%c0] : !pyk.array<1xf64, c, local>
      scf.yield %check : i1
    } else {
      scf.yield %false : i1
    }
    %next = arith.addi %n, %c1 : i64
    scf.yield %again, %next : i1, i64
  }
  pyk.store %half, %a[%i] : !pyk.array<?xf64, c>
  pyk.return
}

// -----

// In so many iterations another thread may have stored.
// CHECK-LABEL: pyk.func @many_iterations(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @many_iterations(%a: !pyk.array<?xf64, c>, %i: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c129 = arith.constant 129 : i64
  %half = arith.constant 0.5 : f64
  %r:3 = scf.while (%x = %half, %n = %c0) : (f64, i64) -> (f64, i64, i1) {
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %more = arith.cmpf ogt, %y, %x : f64
    %few = arith.cmpi slt, %n, %c129 : i64
    %go = arith.andi %more, %few : i1
    scf.condition(%go) %x, %n, %more : f64, i64, i1
  } do {
  ^bb0(%x: f64, %n: i64, %more: i1):
    %z = arith.addf %x, %half : f64
    %w = arith.select %more, %z, %x : f64
    %next = arith.addi %n, %c1 : i64
    scf.yield %w, %next : f64, i64
  }
  pyk.store %half, %a[%i] : !pyk.array<?xf64, c>
  pyk.return
}

// -----

// CHECK-LABEL: pyk.func @search_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @search_is_no_spin(%a: !pyk.array<?xi32, c>, %i: i64, %x: i32) {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %found = scf.while (%k = %c0) : (i64) -> i64 {
    %n = pyk.dim %a, 0 : !pyk.array<?xi32, c>
    %few = arith.cmpi slt, %k, %n : i64
    %go = scf.if %few -> i1 {
      %j = arith.addi %k, %i : i64
      %y = pyk.load %a[%j] : !pyk.array<?xi32, c>
      %less = arith.cmpi slt, %y, %x : i32
      scf.yield %less : i1
    } else {
      scf.yield %few : i1
    }
    scf.condition(%go) %k : i64
  } do {
  ^bb0(%k: i64):
    %next = arith.addi %k, %c2 : i64
    scf.yield %next : i64
  }
  pyk.store %x, %a[%found] : !pyk.array<?xi32, c>
  pyk.return
}

// -----

// It comes back to each element.
// CHECK-LABEL: pyk.func @round_trips(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @round_trips(%a: !pyk.array<?xi32, c>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.while (%k = %c0) : (i64) -> i64 {
    %few = arith.cmpi slt, %k, %n : i64
    %go = scf.if %few -> i1 {
      %c5 = arith.constant 5 : i64
      %j = arith.remsi %k, %c5 : i64
      %y = pyk.load %a[%j] : !pyk.array<?xi32, c>
      %less = arith.cmpi slt, %y, %x : i32
      scf.yield %less : i1
    } else {
      scf.yield %few : i1
    }
    scf.condition(%go) %k : i64
  } do {
  ^bb0(%k: i64):
    %next = arith.addi %k, %c1 : i64
    scf.yield %next : i64
  }
  pyk.store %x, %a[%n] : !pyk.array<?xi32, c>
  pyk.return
}

// -----

// It asks the same again and again, if only a few times: of one flag, and of one after
// the other.
// CHECK-LABEL: pyk.func @wait_a_little(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
// CHECK: pyk.spin_hint
// CHECK: pyk.load volatile
pyk.func @wait_a_little(%flags: !pyk.array<?xi32, c>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c10 = arith.constant 10 : i64
  %zero = arith.constant 0 : i32
  scf.while (%k = %c0) : (i64) -> i64 {
    %y = pyk.load %flags[%c0] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %y, %zero : i32
    %few = arith.cmpi slt, %k, %c10 : i64
    %go = arith.andi %unset, %few : i1
    scf.condition(%go) %k : i64
  } do {
  ^bb0(%k: i64):
    %next = arith.addi %k, %c1 : i64
    scf.yield %next : i64
  }
  scf.while (%j = %c0, %k = %c0) : (i64, i64) -> (i64, i64) {
    %some = arith.cmpi slt, %j, %n : i64
    %few = arith.cmpi slt, %k, %c10 : i64
    %go = arith.andi %some, %few : i1
    scf.condition(%go) %j, %k : i64, i64
  } do {
  ^bb0(%j: i64, %k: i64):
    %y = pyk.load %flags[%j] : !pyk.array<?xi32, c>
    %set = arith.cmpi ne, %y, %zero : i32
    %set_too = arith.extui %set : i1 to i64
    %more = arith.addi %j, %set_too : i64
    %next = arith.addi %k, %c1 : i64
    scf.yield %more, %next : i64, i64
  }
  pyk.store %zero, %flags[%n] : !pyk.array<?xi32, c>
  pyk.return
}

// -----

// The thread that has the lock says so by a flag, which is no iterate.
// CHECK-LABEL: pyk.func @lock_with_limit(
// CHECK: pyk.spin_hint
pyk.func @lock_with_limit(%lock: !pyk.array<?xi32, c>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c100 = arith.constant 100 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  scf.while (%waits = %true, %k = %c0) : (i1, i64) -> (i1, i64) {
    %few = arith.cmpi slt, %k, %c100 : i64
    %go = arith.andi %waits, %few : i1
    scf.condition(%go) %waits, %k : i1, i64
  } do {
  ^bb0(%waits: i1, %k: i64):
    %old = pyk.atomic_cas %zero, %one, %lock[%c0] : !pyk.array<?xi32, c>
    %taken = arith.cmpi ne, %old, %zero : i32
    %next = arith.addi %k, %c1 : i64
    scf.yield %taken, %next : i1, i64
  }
  pyk.return
}

// -----

// No count that ends the loop: it moves in some iterations, the bound moves on with it,
// or it moves away from the bound.
// CHECK-LABEL: pyk.func @no_count(
// CHECK-COUNT-3: pyk.load volatile
pyk.func @no_count(%a: !pyk.array<?xf64, c>, %i: i64, %most: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  scf.while (%n = %c0, %x = %one) : (i64, f64) -> (i64, f64) {
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %more = arith.cmpf ogt, %x, %y : f64
    %few = arith.cmpi slt, %n, %most : i64
    %go = arith.andi %more, %few : i1
    scf.condition(%go) %n, %x : i64, f64
  } do {
  ^bb0(%n: i64, %x: f64):
    %z = arith.addf %x, %one : f64
    %large = arith.cmpf ogt, %z, %one : f64
    %next = arith.addi %n, %c1 : i64
    %perhaps = arith.select %large, %next, %n : i64
    scf.yield %perhaps, %z : i64, f64
  }
  scf.while (%n = %c0, %x = %one) : (i64, f64) -> (i64, f64) {
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %more = arith.cmpf ogt, %x, %y : f64
    %bound = arith.addi %n, %c1 : i64
    %few = arith.cmpi slt, %n, %bound : i64
    %go = arith.andi %more, %few : i1
    scf.condition(%go) %n, %x : i64, f64
  } do {
  ^bb0(%n: i64, %x: f64):
    %z = arith.addf %x, %one : f64
    %next = arith.addi %n, %c1 : i64
    scf.yield %next, %z : i64, f64
  }
  scf.while (%n = %c0, %x = %one) : (i64, f64) -> (i64, f64) {
    %y = pyk.load %a[%i] : !pyk.array<?xf64, c>
    %more = arith.cmpf ogt, %x, %y : f64
    %few = arith.cmpi slt, %n, %most : i64
    %go = arith.andi %more, %few : i1
    scf.condition(%go) %n, %x : i64, f64
  } do {
  ^bb0(%n: i64, %x: f64):
    %z = arith.addf %x, %one : f64
    %next = arith.subi %n, %c1 : i64
    scf.yield %next, %z : i64, f64
  }
  pyk.store %one, %a[%i] : !pyk.array<?xf64, c>
  pyk.return
}
