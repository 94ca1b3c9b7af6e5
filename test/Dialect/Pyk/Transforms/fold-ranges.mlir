// RUN: pyk-opt %s --pyk-fold-ranges --canonicalize | FileCheck %s

// CHECK-LABEL: pyk.func @place_of_a_thread_is_not_negative(
pyk.func @place_of_a_thread_is_not_negative(%n: i64) -> i64 {
  // CHECK-NEXT: %[[I:.*]] = pyk.grid x
  // CHECK-NEXT: pyk.return %[[I]]
  %zero = arith.constant 0 : i64
  %i = pyk.grid x : i64
  %negative = arith.cmpi slt, %i, %zero : i64
  %wrapped = arith.addi %i, %n : i64
  %j = arith.select %negative, %wrapped, %i : i64
  pyk.return %j : i64
}

// CHECK-LABEL: pyk.func @counter_of_a_loop_with_exits(
// CHECK-NOT: arith.select
// CHECK: pyk.store %{{.*}}, %{{.*}}[%[[I:.*]]]
pyk.func @counter_of_a_loop_with_exits(%a: !pyk.array<?xi64, c>, %c: i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xi64, c>
  pyk.for %i = %zero to %n step %one : i64 {
    pyk.if %c {
      pyk.break
    }
    %negative = arith.cmpi slt, %i, %zero : i64
    %wrapped = arith.addi %i, %n : i64
    %j = arith.select %negative, %wrapped, %i : i64
    pyk.store %i, %a[%j] : !pyk.array<?xi64, c>
    pyk.continue
  }
  pyk.return
}

// A value that a break carries out is not the one that the loop began with.
// CHECK-LABEL: pyk.func @result_of_a_loop_with_exits(
pyk.func @result_of_a_loop_with_exits(%c: i1) -> i1 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = pyk.loop carry(%x = %zero) : (i64) {
    pyk.if %c {
      pyk.break %one : i64
    }
    pyk.continue %x : i64
  }
  // CHECK: pyk.return %false
  %is_zero = arith.cmpi eq, %r, %zero : i64
  pyk.return %is_zero : i1
}

// What stands after a condition that may return still runs.
func.func private @sign(%x: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %negative = arith.cmpi slt, %x, %zero : i64
  pyk.if %negative {
    pyk.return %zero : i64
  }
  pyk.return %one : i64
}

// The call may yield 0, although the last return says 1.
// CHECK-LABEL: func.func @call_of_function_with_early_return(
func.func @call_of_function_with_early_return(%x: i64) -> i64 {
  // CHECK: %[[R:.*]] = call @sign
  // CHECK-NEXT: return %[[R]]
  %r = func.call @sign(%x) : (i64) -> i64
  return %r : i64
}

// The same within a condition, whose results join the loop's: nothing is known
// of what the loop carries, which is not the same as that it is never there.
// CHECK-LABEL: pyk.func @early_break_within_a_condition(
pyk.func @early_break_within_a_condition(%c: i1, %x: i64, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: %[[R:.*]] = scf.if
  %r = scf.if %c -> (i64) {
    // CHECK: %[[LOOP:.*]] = pyk.for %{{.*}} carry(%[[CARRIED:.*]] =
    %loop = pyk.for %i = %zero to %n step %one carry(%carried = %one)
        : i64, (i64) {
      // CHECK: %[[SUM:.*]] = arith.addi %[[CARRIED]]
      %sum = arith.addi %carried, %x : i64
      %stop = arith.cmpi sgt, %x, %i : i64
      pyk.if %stop {
        // CHECK: pyk.break %[[SUM]]
        pyk.break %sum : i64
      }
      pyk.continue %sum : i64
    }
    // CHECK: scf.yield %[[LOOP]]
    scf.yield %loop : i64
  } else {
    scf.yield %one : i64
  }
  // CHECK: pyk.return %[[R]]
  pyk.return %r : i64
}

// An extent joins a constant: nothing is known of the array, something is of
// the extent.
// CHECK-LABEL: pyk.func @extent_or_constant(
pyk.func @extent_or_constant(%a: !pyk.array<?xf32, c>, %c: i1) -> i1 {
  %five = arith.constant 5 : i64
  // CHECK: %[[N:.*]] = pyk.dim
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  // CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[N]], %{{.*}} : i64
  %r = scf.if %c -> (i64) {
    scf.yield %n : i64
  } else {
    scf.yield %five : i64
  }
  // CHECK: %[[IS_FIVE:.*]] = arith.cmpi eq, %[[R]]
  // CHECK: pyk.return %[[IS_FIVE]]
  %is_five = arith.cmpi eq, %r, %five : i64
  pyk.return %is_five : i1
}

// A float is carried: that has no range, and the counter still has one.
// CHECK-LABEL: pyk.func @carried_float(
pyk.func @carried_float(%x: f32, %n: i64) -> f32 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: pyk.for %[[I:.*]] = %{{.*}} to
  %r = pyk.for %i = %zero to %n step %one carry(%f = %x) : i64, (f32) {
    // CHECK: %[[IS_ONE:.*]] = arith.cmpi eq, %[[I]]
    // CHECK: pyk.if %[[IS_ONE]]
    %is_one = arith.cmpi eq, %i, %one : i64
    pyk.if %is_one {
      pyk.break %x : f32
    }
    // CHECK-NOT: arith.select
    %negative = arith.cmpi slt, %i, %zero : i64
    %sum = arith.select %negative, %x, %f : f32
    pyk.continue %sum : f32
  }
  pyk.return %r : f32
}

// A sum that an inner loop hands back as it is has no end to its range: the
// pass has to have one.
// CHECK-LABEL: func.func @sum_through_an_inner_loop(
func.func @sum_through_an_inner_loop(%again: i1) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sum = scf.while (%outer = %zero) : (i64) -> i64 {
    scf.condition(%again) %outer : i64
  } do {
  ^bb0(%outer: i64):
    // CHECK: arith.addi %{{.*}}, %{{.*}} : i64
    %next = arith.addi %outer, %one : i64
    %same = scf.while (%inner = %next) : (i64) -> i64 {
      scf.condition(%again) %inner : i64
    } do {
    ^bb0(%inner: i64):
      scf.yield %inner : i64
    }
    scf.yield %same : i64
  }
  return %sum : i64
}

// CHECK-LABEL: pyk.func @narrow_extents(
pyk.func @narrow_extents(%a: !pyk.array<?xf32, c>) -> (i1, i1) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0x80000000 : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c> -> i32
  %0 = arith.cmpi sge, %n, %zero : i32
  %wide = arith.extsi %n : i32 to i64
  %1 = arith.cmpi slt, %wide, %limit : i64
  // CHECK: pyk.return %[[TRUE]], %[[TRUE]]
  pyk.return %0, %1 : i1, i1
}

// In a small grid the beginning of a tile is no negative number.
// CHECK-LABEL: pyk.func @tile_of_a_small_grid(
// CHECK:         arith.muli
// CHECK-NEXT:    pyk.return
pyk.func @tile_of_a_small_grid(%n: i32) -> i32 attributes {pyk.small_grid} {
  %zero = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %block = pyk.block_id x : i32
  %first = arith.muli %block, %c1024 : i32
  %negative = arith.cmpi slt, %first, %zero : i32
  %wrapped = arith.addi %first, %n : i32
  %j = arith.select %negative, %wrapped, %first : i32
  pyk.return %j : i32
}

// CHECK-LABEL: pyk.func @tile_of_any_grid(
// CHECK:         arith.select
pyk.func @tile_of_any_grid(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %block = pyk.block_id x : i32
  %first = arith.muli %block, %c1024 : i32
  %negative = arith.cmpi slt, %first, %zero : i32
  %wrapped = arith.addi %first, %n : i32
  %j = arith.select %negative, %wrapped, %first : i32
  pyk.return %j : i32
}
