// RUN: pyk-opt %s --pyk-mark-spins | FileCheck %s

// CHECK-LABEL: pyk.func @wait_for_flag(
pyk.func @wait_for_flag(%flag: !pyk.array<?xi32, c>) {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  // CHECK: scf.while
  // CHECK-NEXT: pyk.load volatile
  // CHECK: } do {
  // CHECK-NEXT: pyk.spin_hint
  scf.while : () -> () {
    %f = pyk.load %flag[%c0] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %f, %zero : i32
    scf.condition(%unset)
  } do {
    scf.yield
  }
  pyk.return
}

// The value that is read before the loop and again at each iteration's end is carried,
// but not computed from itself.
// CHECK-LABEL: pyk.func @flag_carried(
pyk.func @flag_carried(%flag: !pyk.array<?xi32, c>, %i: i64) {
  %zero = arith.constant 0 : i32
  // CHECK: pyk.load %
  %first = pyk.load %flag[%i] : !pyk.array<?xi32, c>
  // CHECK: scf.while
  // CHECK: pyk.spin_hint
  // CHECK-NEXT: pyk.load volatile
  scf.while (%f = %first, %j = %i) : (i32, i64) -> i64 {
    %unset = arith.cmpi eq, %f, %zero : i32
    scf.condition(%unset) %j : i64
  } do {
  ^bb0(%j: i64):
    %next = pyk.load %flag[%j] : !pyk.array<?xi32, c>
    scf.yield %next, %j : i32, i64
  }
  pyk.return
}

// CHECK-LABEL: pyk.func @loop_with_break(
pyk.func @loop_with_break(%flag: !pyk.array<?xi32, c>, %done: !pyk.array<?xi32, c>,
                          %i: i64) {
  %zero = arith.constant 0 : i32
  // CHECK: pyk.loop
  pyk.loop {
    // CHECK: pyk.load volatile
    %f = pyk.load %flag[%i] : !pyk.array<?xi32, c>
    %set = arith.cmpi ne, %f, %zero : i32
    pyk.if %set {
      pyk.break
    }
    // A store does not end the loop. Its operand is read as before.
    // CHECK: pyk.load %
    %d = pyk.load %done[%i] : !pyk.array<?xi32, c>
    pyk.store %d, %done[%i] : !pyk.array<?xi32, c>
    // CHECK: pyk.spin_hint
    // CHECK-NEXT: pyk.continue
    pyk.continue
  }
  pyk.return
}

// Two flags, as `and` between them is lowered.
// CHECK-LABEL: pyk.func @either_flag(
pyk.func @either_flag(%flags: !pyk.array<?xi32, c>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %false = arith.constant false
  // CHECK: pyk.load volatile
  // CHECK: pyk.load volatile
  // CHECK: pyk.spin_hint
  scf.while : () -> () {
    %a = pyk.load %flags[%c0] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %a, %zero : i32
    %both = scf.if %unset -> i1 {
      %b = pyk.load %flags[%c1] : !pyk.array<?xi32, c>
      %unset_too = arith.cmpi eq, %b, %zero : i32
      scf.yield %unset_too : i1
    } else {
      scf.yield %false : i1
    }
    scf.condition(%both)
  } do {
    scf.yield
  }
  pyk.return
}

// CHECK-LABEL: pyk.func @counter_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @counter_is_no_spin(%a: !pyk.array<?xi32, c>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %r = scf.while (%i = %c0) : (i64) -> i64 {
    %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %x, %zero : i32
    scf.condition(%unset) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.addi %i, %c1 : i64
    scf.yield %next : i64
  }
  pyk.return
}

// Memory that no other thread can write never changes by waiting.
// CHECK-LABEL: pyk.func @local_memory_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @local_memory_is_no_spin() {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %a = pyk.alloc : !pyk.array<1xi32, c, local>
  scf.while : () -> () {
    %x = pyk.load %a[%c0] : !pyk.array<1xi32, c, local>
    %unset = arith.cmpi eq, %x, %zero : i32
    scf.condition(%unset)
  } do {
    pyk.store %zero, %a[%c0] : !pyk.array<1xi32, c, local>
    scf.yield
  }
  pyk.return
}

// An exit that a counter decides, too, ends the loop some time.
// CHECK-LABEL: pyk.func @wait_with_timeout_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @wait_with_timeout_is_no_spin(%flag: !pyk.array<?xi32, c>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  pyk.loop carry(%i = %c0) : (i64) -> () {
    %late = arith.cmpi sge, %i, %n : i64
    pyk.if %late {
      pyk.break
    }
    %f = pyk.load %flag[%c0] : !pyk.array<?xi32, c>
    %set = arith.cmpi ne, %f, %zero : i32
    pyk.if %set {
      pyk.return
    }
    %next = arith.addi %i, %c1 : i64
    pyk.continue %next : i64
  }
  pyk.return
}

// CHECK-LABEL: pyk.func @endless_loop_is_no_spin(
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @endless_loop_is_no_spin() {
  pyk.loop {
    pyk.continue
  }
  pyk.return
}

// The kernel writes to the array elsewhere, so the loop may be meant to wait.
// CHECK-LABEL: pyk.func @changing_index(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @changing_index(%flags: !pyk.array<?xi32, c>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  pyk.store %zero, %flags[%n] : !pyk.array<?xi32, c>
  scf.while (%i = %c0) : (i64) -> i64 {
    %x = pyk.load %flags[%i] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %x, %zero : i32
    scf.condition(%unset) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.addi %i, %c1 : i64
    scf.yield %next : i64
  }
  pyk.return
}

// What decides is a sum of the loop within, which ends by itself.
// CHECK-LABEL: pyk.func @flags_of_all_threads(
// CHECK: scf.while
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.load volatile
// CHECK: } do {
// CHECK-NEXT: pyk.spin_hint
pyk.func @flags_of_all_threads(%flags: !pyk.array<?xi64, c>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.while : () -> () {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> i64 : i64 {
      %x = pyk.load %flags[%i] : !pyk.array<?xi64, c>
      %next = arith.addi %s, %x : i64
      scf.yield %next : i64
    }
    %some = arith.cmpi slt, %sum, %n : i64
    scf.condition(%some)
  } do {
    scf.yield
  }
  pyk.return
}

// CHECK-LABEL: pyk.func @wait_while_counting(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
// CHECK-NEXT: pyk.continue
pyk.func @wait_while_counting(%flag: !pyk.array<?xi32, c>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  pyk.loop carry(%i = %c0) : (i64) -> () {
    %late = arith.cmpi sge, %i, %n : i64
    pyk.if %late {
      pyk.break
    }
    %f = pyk.load %flag[%c0] : !pyk.array<?xi32, c>
    %set = arith.cmpi ne, %f, %zero : i32
    pyk.if %set {
      pyk.return
    }
    %next = arith.addi %i, %c1 : i64
    pyk.continue %next : i64
  }
  pyk.store %zero, %flag[%n] : !pyk.array<?xi32, c>
  pyk.return
}

// A loop that counts ends anyway, but looking at one element again is waiting.
// CHECK-LABEL: pyk.func @wait_for_some_iterations(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
// CHECK-NEXT: pyk.continue
// CHECK: pyk.for
// CHECK: pyk.load %
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @wait_for_some_iterations(%flags: !pyk.array<?xi32, c>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  pyk.for %i = %c0 to %n step %c1 : i64 {
    %f = pyk.load %flags[%c0] : !pyk.array<?xi32, c>
    %set = arith.cmpi ne, %f, %zero : i32
    pyk.if %set {
      pyk.break
    }
    pyk.continue
  }
  // This one is a search.
  pyk.for %i = %c0 to %n step %c1 : i64 {
    %f = pyk.load %flags[%i] : !pyk.array<?xi32, c>
    %set = arith.cmpi ne, %f, %zero : i32
    pyk.if %set {
      pyk.break
    }
    pyk.continue
  }
  pyk.store %zero, %flags[%n] : !pyk.array<?xi32, c>
  pyk.return
}

// A store that no iteration follows is no answer to the test, nor is one that only
// some iterations reach.
// CHECK-LABEL: pyk.func @store_when_the_wait_is_over(
// CHECK: pyk.loop
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
// CHECK: scf.while
// CHECK: pyk.spin_hint
// CHECK-NEXT: pyk.load volatile
pyk.func @store_when_the_wait_is_over(%flags: !pyk.array<?xi32, c>, %i: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  pyk.loop {
    %f = pyk.load %flags[%i] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %f, %zero : i32
    pyk.if %unset {
      pyk.continue
    }
    pyk.store %one, %flags[%i] : !pyk.array<?xi32, c>
    pyk.break
  }
  scf.while (%waiting = %true) : (i1) -> () {
    scf.condition(%waiting)
  } do {
    %f = pyk.load %flags[%i] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %f, %zero : i32
    scf.if %unset {
    } else {
      pyk.store %one, %flags[%i] : !pyk.array<?xi32, c>
    }
    scf.yield %unset : i1
  }
  pyk.return
}

// Each iteration writes the element that it tests.
// CHECK-LABEL: pyk.func @in_place_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @in_place_is_no_spin(%a: !pyk.array<?xi32, c>, %t: i64) {
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %i = arith.addi %t, %c1 : i64
    %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
    %large = arith.cmpi sgt, %x, %one : i32
    scf.condition(%large)
  } do {
    %i = arith.addi %t, %c1 : i64
    %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
    %half = arith.shrsi %x, %one : i32
    pyk.store %half, %a[%i] : !pyk.array<?xi32, c>
    scf.yield
  }
  pyk.return
}

// Another element is no answer.
// CHECK-LABEL: pyk.func @store_to_another_element(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @store_to_another_element(%a: !pyk.array<?xi32, c>, %t: i64) {
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %i = arith.addi %t, %c1 : i64
    %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
    %large = arith.cmpi sgt, %x, %one : i32
    scf.condition(%large)
  } do {
    pyk.store %one, %a[%t] : !pyk.array<?xi32, c>
    scf.yield
  }
  pyk.return
}

// As in an insertion sort: where it reads and where it writes move on.
// CHECK-LABEL: pyk.func @shifting_elements_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @shifting_elements_is_no_spin(%a: !pyk.array<?xi32, c>, %x: i32, %n: i64) {
  %c1 = arith.constant 1 : i64
  %end = scf.while (%i = %n) : (i64) -> i64 {
    %y = pyk.load %a[%i] : !pyk.array<?xi32, c>
    %larger = arith.cmpi sgt, %y, %x : i32
    scf.condition(%larger) %i : i64
  } do {
  ^bb0(%i: i64):
    %y = pyk.load %a[%i] : !pyk.array<?xi32, c>
    %right = arith.addi %i, %c1 : i64
    pyk.store %y, %a[%right] : !pyk.array<?xi32, c>
    %left = arith.subi %i, %c1 : i64
    scf.yield %left : i64
  }
  pyk.store %x, %a[%end] : !pyk.array<?xi32, c>
  pyk.return
}

// A flag may be reached through a view, and lie in memory of any kind.
// CHECK-LABEL: pyk.func @wait_for_view(
pyk.func @wait_for_view(%flags: !pyk.array<?x?xi32, any, generic>, %i: i64) {
  %zero = arith.constant 0 : i32
  // CHECK: scf.while
  // CHECK-NEXT: pyk.view
  // CHECK-NEXT: pyk.load volatile
  // CHECK: pyk.spin_hint
  scf.while : () -> () {
    %row = pyk.view %flags[%i, *]
        : !pyk.array<?x?xi32, any, generic> to !pyk.array<?xi32, any, generic>
    %f = pyk.load %row[%i] : !pyk.array<?xi32, any, generic>
    %unset = arith.cmpi eq, %f, %zero : i32
    scf.condition(%unset)
  } do {
    scf.yield
  }
  pyk.return
}
