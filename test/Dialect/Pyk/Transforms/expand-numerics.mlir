// RUN: pyk-opt %s --pyk-expand-numerics --canonicalize --cse | FileCheck %s

// Divisors that arith leaves undefined are replaced, results mended.
// CHECK-LABEL: pyk.func @floor_div_of_any_sign(
// CHECK-SAME:    %[[A:.*]]: i64, %[[B:.*]]: i64)
pyk.func @floor_div_of_any_sign(%a: i64, %b: i64) -> i64 {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[M1:.*]] = arith.constant -1 : i64
  // CHECK: %[[SHIFTED:.*]] = arith.addi %[[B]], %[[C1]]
  // CHECK: %[[SPECIAL:.*]] = arith.cmpi ult, %[[SHIFTED]], %[[C2]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[SPECIAL]], %[[C1]], %[[B]]
  // CHECK: arith.divsi %[[A]], %[[SAFE]]
  // CHECK: arith.cmpi eq, %[[B]], %[[M1]]
  // CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[B]], %[[C0]]
  // CHECK: %[[R:.*]] = arith.select %[[ZERO]], %[[C0]], %{{.*}}
  // CHECK: pyk.return %[[R]]
  %r = pyk.floor_div %a, %b : i64
  pyk.return %r : i64
}

// CHECK-LABEL: pyk.func @floor_div_by_power_of_two(
pyk.func @floor_div_by_power_of_two(%a: i64) -> i64 {
  %b = arith.constant 8 : i64
  // CHECK: %[[C3:.*]] = arith.constant 3 : i64
  // CHECK-NEXT: %[[R:.*]] = arith.shrsi %{{.*}}, %[[C3]]
  // CHECK-NEXT: pyk.return %[[R]]
  %r = pyk.floor_div %a, %b : i64
  pyk.return %r : i64
}

// One division and no comparison.
// CHECK-LABEL: pyk.func @floor_div_by_positive_constant(
// CHECK-SAME:    %[[A:.*]]: i64)
pyk.func @floor_div_by_positive_constant(%a: i64) -> i64 {
  %b = arith.constant 10 : i64
  // CHECK: %[[SIGN:.*]] = arith.shrsi %[[A]]
  // CHECK-NEXT: %[[X:.*]] = arith.xori %[[A]], %[[SIGN]]
  // CHECK-NEXT: %[[Q:.*]] = arith.divui %[[X]]
  // CHECK-NEXT: %[[R:.*]] = arith.xori %[[Q]], %[[SIGN]]
  // CHECK-NEXT: pyk.return %[[R]]
  %r = pyk.floor_div %a, %b : i64
  pyk.return %r : i64
}

// CHECK-LABEL: pyk.func @floor_mod_by_power_of_two(
pyk.func @floor_mod_by_power_of_two(%a: i64) -> i64 {
  %b = arith.constant 8 : i64
  // CHECK: %[[C7:.*]] = arith.constant 7 : i64
  // CHECK-NEXT: arith.andi %{{.*}}, %[[C7]]
  // CHECK-NEXT: pyk.return
  %r = pyk.floor_mod %a, %b : i64
  pyk.return %r : i64
}

// CHECK-LABEL: pyk.func @unsigned_division(
// CHECK-SAME:    %[[A:.*]]: i64, %[[B:.*]]: i64)
pyk.func @unsigned_division(%a: i64, %b: i64) -> (i64, i64) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[B]], %[[C0]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[ZERO]], %[[C1]], %[[B]]
  // CHECK: arith.divui %[[A]], %[[SAFE]]
  // CHECK: arith.remui %[[A]], %[[SAFE]]
  %q = pyk.floor_div unsigned %a, %b : i64
  %r = pyk.floor_mod unsigned %a, %b : i64
  pyk.return %q, %r : i64, i64
}

// CHECK-LABEL: pyk.func @division_of_floats(
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f32)
pyk.func @division_of_floats(%x: f32, %y: f32) -> (f32, f32) {
  // CHECK: %[[R:.*]] = arith.remf %[[X]], %[[Y]]
  // CHECK: math.floor
  // CHECK: math.copysign
  %q = pyk.floor_div %x, %y : f32
  %r = pyk.floor_mod %x, %y : f32
  pyk.return %q, %r : f32, f32
}

// CHECK-LABEL: pyk.func @shifts(
// CHECK-SAME:    %[[A:.*]]: i64, %[[B:.*]]: i64)
pyk.func @shifts(%a: i64, %b: i64) -> (i64, i64, i64) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[C63:.*]] = arith.constant 63 : i64
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
  // CHECK: %[[L:.*]] = arith.shli %[[A]], %[[B]]
  // CHECK: %[[NEAR:.*]] = arith.cmpi ult, %[[B]], %[[C64]]
  // CHECK: arith.select %[[NEAR]], %[[L]], %[[C0]]
  // CHECK: %[[MOST:.*]] = arith.minui %[[B]], %[[C63]]
  // CHECK: arith.shrsi %[[A]], %[[MOST]]
  // CHECK: %[[U:.*]] = arith.shrui %[[A]], %[[B]]
  // CHECK: arith.select %[[NEAR]], %[[U]], %[[C0]]
  %0 = pyk.shift_left %a, %b : i64
  %1 = pyk.shift_right %a, %b : i64
  %2 = pyk.shift_right unsigned %a, %b : i64
  pyk.return %0, %1, %2 : i64, i64, i64
}

// CHECK-LABEL: pyk.func @power(
pyk.func @power(%a: i64, %b: i64) -> (i64, i64) {
  // CHECK-NOT: arith.select
  // CHECK: scf.while
  // CHECK: arith.shrui
  %0 = pyk.power unsigned %a, %b : i64
  // CHECK: scf.while
  // CHECK: arith.select
  %1 = pyk.power %a, %b : i64
  pyk.return %0, %1 : i64, i64
}

// CHECK-LABEL: pyk.func @power_by_constant(
// CHECK-SAME:    %[[A:.*]]: i64)
pyk.func @power_by_constant(%a: i64) -> i64 {
  %five = arith.constant 5 : i64
  // CHECK-NEXT: %[[A2:.*]] = arith.muli %[[A]], %[[A]]
  // CHECK-NEXT: %[[A4:.*]] = arith.muli %[[A2]], %[[A2]]
  // CHECK-NEXT: %[[A5:.*]] = arith.muli %{{.*}}, %{{.*}}
  // CHECK-NEXT: pyk.return %[[A5]]
  %r = pyk.power %a, %five : i64
  pyk.return %r : i64
}

// CHECK-LABEL: pyk.func @wrapped_index(
// CHECK-SAME:    %[[I:.*]]: i64, %[[N:.*]]: i64)
pyk.func @wrapped_index(%i: i64, %n: i64) -> i64 {
  // CHECK-DAG: %[[SUM:.*]] = arith.addi %[[I]], %[[N]]
  // CHECK-DAG: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[I]]
  // CHECK: arith.select %[[NEGATIVE]], %[[SUM]], %[[I]]
  %r = pyk.wrap_index %i of %n : i64
  pyk.return %r : i64
}

// A bound counts from the end if negative, and stays within the ends.
// CHECK-LABEL: pyk.func @slice_of_step_one(
// CHECK-SAME:    %[[N:.*]]: i64, %[[I:.*]]: i64)
pyk.func @slice_of_step_one(%n: i64, %i: i64) -> (i64, i64) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[SUM:.*]] = arith.addi %[[I]], %[[N]]
  // CHECK-DAG: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[I]]
  // CHECK: %[[WRAPPED:.*]] = arith.select %[[NEGATIVE]], %[[SUM]], %[[I]]
  // CHECK: %[[LEAST:.*]] = arith.maxsi %[[WRAPPED]], %[[C0]]
  // CHECK: %[[FIRST:.*]] = arith.minsi %[[LEAST]], %[[N]]
  // CHECK: %[[SPAN:.*]] = arith.subi %[[N]], %[[FIRST]]
  // CHECK: %[[COUNT:.*]] = arith.maxsi %[[SPAN]], %[[C0]]
  // CHECK: pyk.return %[[FIRST]], %[[COUNT]]
  %first, %count = pyk.slice_bounds %n from %i
  pyk.return %first, %count : i64, i64
}

// Backwards, the first is the last and the count rounds up.
// CHECK-LABEL: pyk.func @slice_backwards(
// CHECK-SAME:    %[[N:.*]]: i64)
pyk.func @slice_backwards(%n: i64) -> (i64, i64) {
  %step = arith.constant -2 : i64
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i64
  // CHECK: %[[LAST:.*]] = arith.subi %[[N]], %[[C1]]
  // CHECK: arith.divui %{{.*}}, %[[C2]]
  // CHECK: %[[COUNT:.*]] = arith.select
  // CHECK: pyk.return %[[LAST]], %[[COUNT]]
  %first, %count = pyk.slice_bounds %n by %step
  pyk.return %first, %count : i64, i64
}

// A step of 0 takes nothing, and divides nothing.
// CHECK-LABEL: pyk.func @slice_by_unknown_step(
// CHECK-SAME:    %[[N:.*]]: i64, %[[S:.*]]: i64)
pyk.func @slice_by_unknown_step(%n: i64, %step: i64) -> (i64, i64) {
  // CHECK: %[[STUCK:.*]] = arith.cmpi eq, %[[S]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[STUCK]]
  // CHECK: arith.divui %{{.*}}, %[[SAFE]]
  %first, %count = pyk.slice_bounds %n by %step
  pyk.return %first, %count : i64, i64
}

// CHECK-LABEL: pyk.func @slice_by_zero(
pyk.func @slice_by_zero(%n: i64) -> i64 {
  %step = arith.constant 0 : i64
  // CHECK: %[[NONE:.*]] = arith.constant 0 : i64
  // CHECK: pyk.return %[[NONE]]
  %first, %count = pyk.slice_bounds %n by %step
  pyk.return %count : i64
}
