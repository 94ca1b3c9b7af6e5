// RUN: pyk-opt %s --pyk-flatten-exits | FileCheck %s

// CHECK-LABEL: pyk.func @condition_with_results(
// CHECK-SAME:    %[[C:.*]]: i1, %[[A:.*]]: f32, %[[B:.*]]: f32)
pyk.func @condition_with_results(%c: i1, %a: f32, %b: f32) -> f32 {
  // CHECK-NEXT: cf.cond_br %[[C]], ^[[THEN:.*]], ^[[ELSE:.*]]
  // CHECK-NEXT: ^[[THEN]]:
  // CHECK-NEXT: cf.br ^[[AFTER:.*]](%[[A]] : f32)
  // CHECK-NEXT: ^[[ELSE]]:
  // CHECK-NEXT: cf.br ^[[AFTER]](%[[B]] : f32)
  // CHECK-NEXT: ^[[AFTER]](%[[R:.*]]: f32):
  // CHECK-NEXT: pyk.return %[[R]] : f32
  %r = pyk.if %c -> (f32) {
    pyk.yield %a : f32
  } else {
    pyk.yield %b : f32
  }
  pyk.return %r : f32
}

// Without an else region the condition branches to what follows. All returns
// leave through one block at the end.
// CHECK-LABEL: pyk.func @return_from_condition(
pyk.func @return_from_condition(%c: i1, %a: f32, %b: f32) -> f32 {
  // CHECK-NEXT: cf.cond_br %{{.*}}, ^[[THEN:.*]], ^[[AFTER:.*]]
  // CHECK-NEXT: ^[[THEN]]:
  // CHECK-NEXT: cf.br ^[[END:.*]](%{{.*}} : f32)
  // CHECK-NEXT: ^[[AFTER]]:
  // CHECK-NEXT: cf.br ^[[END]](%{{.*}} : f32)
  // CHECK-NEXT: ^[[END]](%[[R:.*]]: f32):
  // CHECK-NEXT: pyk.return %[[R]] : f32
  pyk.if %c {
    pyk.return %a : f32
  }
  pyk.return %b : f32
}

// CHECK-LABEL: pyk.func @loop_with_break_and_continue(
// CHECK-SAME:    %[[X0:.*]]: f32, %[[N:.*]]: i64, %[[C:.*]]: i1)
pyk.func @loop_with_break_and_continue(%x0: f32, %n: i64, %c: i1) -> i64 {
  // CHECK-NEXT: cf.br ^[[BODY:.*]](%[[X0]] : f32)
  // CHECK-NEXT: ^[[BODY]](%[[X:.*]]: f32):
  // CHECK-NEXT: cf.cond_br %[[C]], ^[[THEN:.*]], ^[[AFTER:.*]]
  // CHECK-NEXT: ^[[THEN]]:
  // CHECK-NEXT: cf.br ^[[OUT:.*]](%[[N]] : i64)
  // CHECK-NEXT: ^[[AFTER]]:
  // CHECK-NEXT: cf.br ^[[BODY]](%[[X]] : f32)
  // CHECK-NEXT: ^[[OUT]](%[[R:.*]]: i64):
  // CHECK-NEXT: pyk.return %[[R]]
  %r = pyk.loop carry(%x = %x0) : (f32) -> (i64) {
    pyk.if %c {
      pyk.break %n : i64
    }
    pyk.continue %x : f32
  }
  pyk.return %r : i64
}

// The induction value is tested in front and in the one block that counts.
// CHECK-LABEL: pyk.func @counting_loop(
// CHECK-SAME:    %[[N:.*]]: i64, %[[X0:.*]]: f32, %[[C:.*]]: i1)
pyk.func @counting_loop(%n: i64, %x0: f32, %c: i1) -> f32 {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[C0]], %[[N]]
  // CHECK-NEXT: cf.cond_br %[[ANY]], ^[[BODY:.*]](%[[C0]], %[[X0]] : i64, f32), ^[[OUT:.*]](%[[X0]] : f32)
  // CHECK-NEXT: ^[[BODY]](%[[I:.*]]: i64, %[[X:.*]]: f32):
  // CHECK-NEXT: cf.cond_br %[[C]], ^[[SKIP:.*]], ^[[REST:.*]]
  // CHECK-NEXT: ^[[SKIP]]:
  // CHECK-NEXT: cf.br ^[[LATCH:.*]](%[[X]] : f32)
  // CHECK-NEXT: ^[[REST]]:
  // CHECK-NEXT: %[[Y:.*]] = arith.addf
  // CHECK-NEXT: cf.br ^[[LATCH]](%[[Y]] : f32)
  // CHECK-NEXT: ^[[LATCH]](%[[Z:.*]]: f32):
  // CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]], %[[C1]] overflow<nsw>
  // CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
  // CHECK-NEXT: cf.cond_br %[[MORE]], ^[[BODY]](%[[NEXT]], %[[Z]] : i64, f32), ^[[OUT]](%[[Z]] : f32)
  // CHECK-NEXT: ^[[OUT]](%[[R:.*]]: f32):
  // CHECK-NEXT: pyk.return %[[R]]
  %r = pyk.for %i = %c0 to %n step %c1 carry(%x = %x0) : i64, (f32) {
    pyk.if %c {
      pyk.continue %x : f32
    }
    %y = arith.addf %x, %x : f32
    pyk.continue %y : f32
  }
  pyk.return %r : f32
}

// A step that could carry the sum out of the type's range is compared with what
// is left instead.
// CHECK-LABEL: pyk.func @step_that_could_wrap(
// CHECK-SAME:    %[[N:.*]]: i8, %[[S:.*]]: i8)
pyk.func @step_that_could_wrap(%n: i8, %s: i8) {
  // CHECK: ^{{.*}}(%[[I:.*]]: i8):
  // CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[I]] : i8
  // CHECK-NEXT: arith.cmpi ugt, %[[LEFT]], %[[S]]
  // CHECK-NEXT: arith.addi %[[I]], %[[S]] : i8
  %c0 = arith.constant 0 : i8
  pyk.for %i = %c0 to %n step %s : i8 {
    pyk.continue
  }
  pyk.return
}

// A break means the innermost loop, a return the function, whatever stands
// between.
// CHECK-LABEL: pyk.func @exits_from_nested_loops(
pyk.func @exits_from_nested_loops(%c: i1, %d: i1) {
  // CHECK-NEXT: cf.br ^[[OUTER:.*]]
  // CHECK-NEXT: ^[[OUTER]]:
  // CHECK-NEXT: cf.br ^[[INNER:.*]]
  // CHECK-NEXT: ^[[INNER]]:
  // CHECK-NEXT: cf.cond_br %{{.*}}, ^[[A:.*]], ^[[B:.*]]
  // CHECK-NEXT: ^[[A]]:
  // CHECK-NEXT: cf.br ^[[AFTER:.*]]
  // CHECK-NEXT: ^[[B]]:
  // CHECK-NEXT: cf.cond_br %{{.*}}, ^[[RETURN:.*]], ^[[AGAIN:.*]]
  // CHECK-NEXT: ^[[RETURN]]:
  // CHECK-NEXT: cf.br ^[[END:.*]]
  // CHECK-NEXT: ^[[AGAIN]]:
  // CHECK-NEXT: cf.br ^[[B_AFTER:.*]]{{$}}
  // CHECK-NEXT: ^[[B_AFTER]]:
  // CHECK-NEXT: cf.br ^[[INNER]]
  // CHECK-NEXT: ^[[AFTER]]:
  // CHECK-NEXT: cf.br ^[[OUTER]]
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT: pyk.return
  pyk.loop {
    pyk.loop {
      pyk.if %c {
        pyk.break
      } else {
        pyk.if %d {
          pyk.return
        }
        pyk.yield
      }
      pyk.continue
    }
    pyk.continue
  }
  pyk.return
}

// Structures of scf and pyk may hold each other.
// CHECK-LABEL: pyk.func @scf_within_pyk_within_scf(
// CHECK-NOT: scf.
// CHECK-NOT: pyk.for
// CHECK-NOT: pyk.if
// CHECK: pyk.return
pyk.func @scf_within_pyk_within_scf(%n: i64, %c: i1) {
  %c1 = arith.constant 1 : i64
  scf.for %i = %c1 to %n step %c1 : i64 {
    pyk.for %j = %c1 to %n step %c1 : i64 {
      pyk.if %c {
        scf.while : () -> () {
          scf.condition(%c)
        } do {
          scf.yield
        }
        pyk.break
      }
      scf.if %c {
        pyk.barrier
      }
      pyk.continue
    }
  }
  pyk.return
}

// A return becomes that of the function that it leaves.
gpu.module @module {
  // CHECK-LABEL: gpu.func @kernel(
  gpu.func @kernel() kernel {
    // CHECK-NEXT: gpu.return
    pyk.return
  }
  // CHECK-LABEL: func.func @device_function(
  func.func @device_function(%x: f32) -> f32 {
    // CHECK-NEXT: return %{{.*}} : f32
    pyk.return %x : f32
  }
}

// Nothing reaches the end of an iteration that always breaks, nor what follows an
// endless loop: conversions skip such blocks, so they must be gone.
// CHECK-LABEL: pyk.func @dead_ends(
pyk.func @dead_ends(%n: i64, %c: i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK-NOT: arith.addi
  pyk.for %i = %zero to %n step %one : i64 {
    pyk.break
  }
  // CHECK: pyk.barrier
  // CHECK-NOT: pyk.spin_hint
  pyk.loop {
    pyk.barrier
    pyk.if %c {
      pyk.return
    }
    pyk.continue
  }
  pyk.spin_hint
  pyk.return
}

// The returns of a scope lead behind it, from within two loops, too, and hand on
// its results. Those of the function stay its own.
// CHECK-LABEL: func.func @scope(
func.func @scope(%n: i64, %c: i1) -> i64 {
  %zero = arith.constant 0 : i64
  // CHECK:        cf.br ^[[BODY:.*]]
  // CHECK-NEXT: ^[[BODY]]:
  // CHECK-NEXT:   cf.br ^[[OUTER:.*]]
  // CHECK-NEXT: ^[[OUTER]]:
  // CHECK-NEXT:   cf.br ^[[INNER:.*]]
  // CHECK-NEXT: ^[[INNER]]:
  // CHECK-NEXT:   cf.cond_br %{{.*}}, ^[[LEAVE:.*]], ^[[STAY:.*]]
  // CHECK-NEXT: ^[[LEAVE]]:
  // CHECK-NEXT:   cf.br ^[[AFTER:.*]](%{{.*}} : i64)
  // CHECK-NEXT: ^[[STAY]]:
  // CHECK-NEXT:   cf.br ^[[INNER]]
  // CHECK:      ^[[AFTER]](%[[R:.*]]: i64):
  // CHECK-NEXT:   %[[SUM:.*]] = arith.addi %[[R]], %{{.*}} : i64
  // CHECK-NEXT:   return %[[SUM]] : i64
  %r = pyk.scope -> (i64) {
    pyk.loop {
      pyk.loop {
        pyk.if %c {
          pyk.return %zero : i64
        }
        pyk.continue
      }
      pyk.continue
    }
    pyk.return %n : i64
  }
  %sum = arith.addi %r, %n : i64
  pyk.return %sum : i64
}

// Within a loop of scf and around one.
// CHECK-LABEL: func.func @scope_within_scf(
// CHECK-NOT: scf.
// CHECK-NOT: pyk.scope
// CHECK: pyk.barrier
// CHECK: return
func.func @scope_within_scf(%n: i64, %c: i1) {
  %one = arith.constant 1 : i64
  scf.for %i = %one to %n step %one : i64 {
    pyk.scope {
      pyk.if %c {
        pyk.return
      }
      scf.for %j = %one to %n step %one : i64 {
        pyk.barrier
      }
      pyk.return
    }
  }
  pyk.return
}

// One op of scf becomes another first, which goes before those in it.
// CHECK-LABEL: func.func @concurrent(
// CHECK-NOT: scf.
// CHECK: pyk.barrier
// CHECK: return
func.func @concurrent(%n: index, %c: i1) {
  scf.forall (%i) in (%n) {
    scf.if %c {
      pyk.barrier
    }
  }
  return
}

// A condition in the part of a loop that decides whether it goes on.
// CHECK-LABEL: func.func @condition_of_a_loop(
// CHECK-NOT: scf.
// CHECK: pyk.barrier
// CHECK: return
func.func @condition_of_a_loop(%x: i64, %c: i1) {
  %r = scf.while (%y = %x) : (i64) -> i64 {
    %z = scf.if %c -> (i64) {
      pyk.barrier
      scf.yield %y : i64
    } else {
      scf.yield %x : i64
    }
    scf.condition(%c) %z : i64
  } do {
  ^bb0(%y: i64):
    scf.if %c {
      pyk.barrier
    }
    scf.yield %y : i64
  }
  return
}
