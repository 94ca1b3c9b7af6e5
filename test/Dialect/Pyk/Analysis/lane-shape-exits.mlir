// RUN: pyk-opt %s --test-print-lane-shape | FileCheck %s

// Threads that leave a loop at different times see the same number in each iteration,
// and different ones behind it. What all loops give alike stays alike.
// CHECK-LABEL: @left_at_different_times
pyk.func @left_at_different_times(%n: i32) attributes {kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = pyk.thread_id x : i32
  // CHECK: pyk.loop{{.*}}-> x:*, uniform{{$}}
  // CHECK: arguments: uniform{{$}}
  %last:2 = pyk.loop carry(%i = %c0) : (i32) -> (i32, i32) {
    %done = arith.cmpi eq, %i, %t : i32
    // CHECK: pyk.if{{.*}} | x:*{{$}}
    pyk.if %done {
      pyk.break %i, %n : i32, i32
    } else {
      pyk.yield
    }
    // CHECK: arith.addi{{.*}}-> uniform | x:*{{$}}
    %next = arith.addi %i, %c1 : i32
    pyk.continue %next : i32
  }
  // All threads are back.
  // CHECK: pyk.barrier{{$}}
  pyk.barrier
  pyk.return
}

// Threads that leave a loop at one time take the same number along.
// CHECK-LABEL: @left_together
pyk.func @left_together(%n: i32) attributes {kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = pyk.thread_id y : i32
  // CHECK: pyk.for{{.*}}-> y:1{{$}}
  // CHECK: arguments: uniform, y:1{{$}}
  %last = pyk.for %i = %c0 to %n step %c1 carry(%x = %t) : i32, (i32) {
    %done = arith.cmpi eq, %i, %c1 : i32
    // CHECK: pyk.if{{[^|]*$}}
    pyk.if %done {
      pyk.break %x : i32
    } else {
      pyk.yield
    }
    // CHECK: arith.addi{{.*}}-> y:1{{$}}
    %next = arith.addi %x, %c1 : i32
    pyk.continue %next : i32
  }
  pyk.return
}

// Who returns early does not come by what is behind, in later iterations either.
// CHECK-LABEL: @returned_early
pyk.func @returned_early(%n: i32) attributes {kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = pyk.thread_id x : i32
  // CHECK: pyk.for{{.*}}-> uniform{{$}}
  %last = pyk.for %i = %c0 to %n step %c1 carry(%x = %c0) : i32, (i32) {
    // CHECK: arith.cmpi{{.*}}-> x:* | x:*{{$}}
    %done = arith.cmpi eq, %i, %t : i32
    pyk.if %done {
      pyk.return
    } else {
      pyk.yield
    }
    %next = arith.addi %x, %i : i32
    pyk.continue %next : i32
  }
  // CHECK: pyk.barrier | x:*{{$}}
  pyk.barrier
  pyk.return
}

// Of two ways to the next iteration, threads may take either.
// CHECK-LABEL: @continued_differently
pyk.func @continued_differently(%n: i32) attributes {kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = pyk.thread_id x : i32
  %odd = arith.cmpi slt, %t, %n : i32
  // CHECK: pyk.for{{.*}}-> x:*{{$}}
  // CHECK: arguments: uniform, x:*{{$}}
  %last = pyk.for %i = %c0 to %n step %c1 carry(%x = %c0) : i32, (i32) {
    pyk.if %odd {
      pyk.continue %x : i32
    } else {
      pyk.yield
    }
    %next = arith.addi %x, %c1 : i32
    pyk.continue %next : i32
  }
  pyk.return
}

// A check ends threads, also those of the caller.
// CHECK-LABEL: @checked
pyk.func @checked(%a: !pyk.array<?xi32, c>) attributes {kernel} {
  %t = pyk.thread_id x : i32
  // CHECK: pyk.barrier{{$}}
  pyk.barrier
  pyk.call @check(%t) : (i32) -> ()
  // CHECK: pyk.barrier | x:*{{$}}
  pyk.barrier
  pyk.return
}
// CHECK: {{^}}@check{{$}}
// CHECK: arguments: x:1{{$}}
pyk.func @check(%t: i32) {
  %c9 = arith.constant 9 : i32
  %fits = arith.cmpi slt, %t, %c9 : i32
  pyk.check %fits
  pyk.return
}

// An arm that leaves has no part in what the other one yields.
// CHECK-LABEL: @one_arm_yields
pyk.func @one_arm_yields(%n: i32) attributes {kernel} {
  %t = pyk.thread_id x : i32
  %low = arith.cmpi slt, %t, %n : i32
  // CHECK: pyk.if{{.*}}-> uniform{{$}}
  %x = pyk.if %low -> (i32) {
    pyk.yield %n : i32
  } else {
    pyk.return
  }
  // CHECK: arith.addi{{.*}}-> uniform | x:*{{$}}
  %y = arith.addi %x, %n : i32
  pyk.return
}

// Who returns from a scope is back behind it. Which return gave the results
// depends on the thread if threads take different ones; a return that all take
// changes nothing.
// CHECK-LABEL: @scopes
pyk.func @scopes(%n: i32, %c: i1) attributes {kernel} {
  %c0 = arith.constant 0 : i32
  %t = pyk.thread_id x : i32
  %early = arith.cmpi eq, %t, %c0 : i32
  // CHECK: pyk.scope{{.*}}-> x:*, uniform{{$}}
  %different:2 = pyk.scope -> (i32, i32) {
    pyk.loop {
      pyk.if %early {
        // CHECK: pyk.return{{.*}} | x:*{{$}}
        pyk.return %c0, %n : i32, i32
      }
      // CHECK: pyk.barrier | x:*{{$}}
      pyk.barrier
      pyk.if %c {
        pyk.break
      }
      pyk.continue
    }
    // CHECK: arith.addi{{.*}}-> uniform | x:*{{$}}
    %more = arith.addi %n, %n : i32
    pyk.return %more, %n : i32, i32
  }
  // CHECK: pyk.barrier{{$}}
  pyk.barrier
  // CHECK: pyk.scope{{.*}}-> x:1{{$}}
  %same = pyk.scope -> (i32) {
    pyk.if %c {
      pyk.return %t : i32
    }
    // CHECK: arith.addi{{.*}}-> x:1{{$}}
    %more = arith.addi %t, %n : i32
    pyk.return %more : i32
  }
  pyk.return
}
