// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @condition_with_results(
pyk.func @condition_with_results(%c: i1, %a: f32, %b: f32) -> f32 {
  // CHECK: pyk.if %{{.*}} -> (f32, f32) {
  // CHECK-NEXT: pyk.yield %{{.*}}, %{{.*}} : f32, f32
  // CHECK-NEXT: } else {
  %x, %y = pyk.if %c -> (f32, f32) {
    pyk.yield %a, %b : f32, f32
  } else {
    pyk.yield %b, %a : f32, f32
  }
  pyk.return %x : f32
}

// CHECK-LABEL: pyk.func @condition_without_else(
pyk.func @condition_without_else(%c: i1) {
  // CHECK:      pyk.if %{{.*}} {
  // CHECK-NEXT:   pyk.return
  // CHECK-NEXT: }
  // CHECK-NOT:  else
  pyk.if %c {
    pyk.return
  }
  pyk.return
}

// CHECK-LABEL: pyk.func @counting_loop_with_carried_values(
pyk.func @counting_loop_with_carried_values(%n: i64, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: pyk.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} carry(%[[Y:.*]] = %{{.*}}) : i64, (f32) {
  %r = pyk.for %i = %c0 to %n step %c1 carry(%y = %x) : i64, (f32) {
    %odd = arith.cmpi sgt, %i, %c1 : i64
    pyk.if %odd {
      // CHECK: pyk.break %[[Y]] : f32
      pyk.break %y : f32
    } else {
      pyk.yield
    }
    // CHECK: pyk.continue %[[Y]] : f32
    pyk.continue %y : f32
  }
  pyk.return %r : f32
}

// CHECK-LABEL: pyk.func @counting_loop_without_carried_values(
pyk.func @counting_loop_without_carried_values(%n: i32) {
  // CHECK: pyk.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
  pyk.for %i = %n to %n step %n : i32 {
    pyk.continue
  }
  pyk.return
}

// CHECK-LABEL: pyk.func @loop_with_and_without_carried_values(
pyk.func @loop_with_and_without_carried_values(%x: f32) -> f32 {
  // CHECK: pyk.loop carry(%{{.*}} = %{{.*}}) : (f32) {
  %r = pyk.loop carry(%y = %x) : (f32) {
    // CHECK: pyk.loop {
    pyk.loop {
      pyk.break
    }
    pyk.break %y : f32
  }
  pyk.return %r : f32
}

// What a search finds need not be what it carries.
// CHECK-LABEL: pyk.func @loop_with_results_of_other_types(
pyk.func @loop_with_results_of_other_types(%x: f32, %n: i64) {
  // CHECK: pyk.loop carry(%{{.*}} = %{{.*}}) : (f32) -> (i64, i64) {
  %r:2 = pyk.loop carry(%y = %x) : (f32) -> (i64, i64) {
    pyk.break %n, %n : i64, i64
  }
  // CHECK: pyk.loop carry(%{{.*}} = %{{.*}}) : (f32) -> () {
  pyk.loop carry(%y = %x) : (f32) -> () {
    pyk.break
  }
  // CHECK: pyk.loop -> (i64) {
  %s = pyk.loop -> (i64) {
    pyk.break %n : i64
  }
  pyk.return
}

// A return may leave any number of loops.
// CHECK-LABEL: pyk.func @return_from_nested_loops(
pyk.func @return_from_nested_loops() {
  pyk.loop {
    pyk.loop {
      // CHECK: pyk.return
      pyk.return
    }
    pyk.continue
  }
  pyk.return
}

// Attributes that are not ours survive.
// CHECK-LABEL: pyk.func @with_attributes(
pyk.func @with_attributes(%c: i1) {
  // CHECK: pyk.loop attributes {note = 1 : i64} {
  pyk.loop attributes {note = 1 : i64} {
    // CHECK: pyk.if %{{.*}} attributes {note = 2 : i64} {
    pyk.if %c attributes {note = 2 : i64} {
      pyk.break
    }
    pyk.continue
  }
  pyk.return
}

// A scope is left by returns, from within loops, too; a loop around it is not.
// CHECK-LABEL: pyk.func @scopes(
pyk.func @scopes(%c: i1, %n: i64) -> i64 {
  // CHECK: pyk.scope attributes {note = 1 : i64} {
  pyk.scope attributes {note = 1 : i64} {
    // CHECK-NEXT: pyk.return
    pyk.return
  }
  // CHECK: %[[R:.*]]:2 = pyk.scope -> (i64, i1) {
  %r:2 = pyk.scope -> (i64, i1) {
    // CHECK-NEXT: pyk.loop {
    pyk.loop {
      pyk.if %c {
        // CHECK: pyk.return %{{.*}}, %{{.*}} : i64, i1
        pyk.return %n, %c : i64, i1
      }
      pyk.continue
    }
    pyk.return %n, %c : i64, i1
  }
  // CHECK: pyk.return %[[R]]#0 : i64
  pyk.return %r#0 : i64
}
