// RUN: pyk-opt %s --pyk-speculate-conditions | FileCheck %s

// Comparisons along two axes: no branch is left. The first does not hold where
// the difference of the second would wrap, so it is a select that looks at it.
// CHECK-LABEL: pyk.func @two_axes(
// CHECK-SAME: %[[X:.*]]: i32, %[[Y:.*]]: i32, %[[H:.*]]: i32)
pyk.func @two_axes(%x: i32, %y: i32, %h: i32) -> i1 {
  %false = arith.constant false
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK-NOT: scf.if
  // CHECK: %[[A:.*]] = arith.cmpi sgt, %[[X]]
  // CHECK: %[[B:.*]] = arith.cmpi sgt, %[[Y]]
  // CHECK: %[[LAST:.*]] = arith.subi %[[H]], %{{.*}} overflow<nsw> : i32
  // CHECK: %[[C:.*]] = arith.cmpi slt, %[[Y]], %[[LAST]]
  // CHECK: %[[INNER:.*]] = arith.select %[[B]], %[[C]], %false
  // CHECK: %[[OUTER:.*]] = arith.select %[[A]], %[[INNER]], %false
  // CHECK: pyk.return %[[OUTER]]
  %0 = arith.cmpi sgt, %x, %c0 : i32
  %1 = scf.if %0 -> (i1) {
    %2 = arith.cmpi sgt, %y, %c0 : i32
    %3 = scf.if %2 -> (i1) {
      %last = arith.subi %h, %c1 overflow<nsw> : i32
      %4 = arith.cmpi slt, %y, %last : i32
      scf.yield %4 : i1
    } else {
      scf.yield %false : i1
    }
    scf.yield %3 : i1
  } else {
    scf.yield %false : i1
  }
  pyk.return %1 : i1
}

// `a or b`, and what both arms compute.
// CHECK-LABEL: pyk.func @either_arm(
pyk.func @either_arm(%a: i1, %x: f32, %y: f32) -> (i1, i1) {
  %true = arith.constant true
  // CHECK: %[[LESS:.*]] = arith.cmpf olt
  // CHECK: %[[MORE:.*]] = arith.cmpf ogt
  // CHECK: arith.select %{{.*}}, %[[LESS]], %[[MORE]]
  // CHECK: arith.select %{{.*}}, %true, %[[MORE]]
  %0:2 = scf.if %a -> (i1, i1) {
    %1 = arith.cmpf olt, %x, %y : f32
    scf.yield %1, %true : i1, i1
  } else {
    %2 = arith.cmpf ogt, %x, %y : f32
    scf.yield %2, %2 : i1, i1
  }
  pyk.return %0#0, %0#1 : i1, i1
}

// A load may be out of range, and a remainder by 0, where the condition does not
// hold.
// CHECK-LABEL: pyk.func @needed(
// CHECK: scf.if
// CHECK: pyk.load
// CHECK: scf.if
// CHECK: arith.remsi
pyk.func @needed(%x: i64, %y: i64, %a: !pyk.array<?xi1, c>) -> (i1, i1) {
  %false = arith.constant false
  %c0 = arith.constant 0 : i64
  %0 = arith.cmpi slt, %x, %y : i64
  %1 = scf.if %0 -> (i1) {
    %2 = pyk.load %a[%x] : !pyk.array<?xi1, c>
    scf.yield %2 : i1
  } else {
    scf.yield %false : i1
  }
  %3 = scf.if %0 -> (i1) {
    %4 = arith.remsi %x, %y : i64
    %5 = arith.cmpi eq, %4, %c0 : i64
    scf.yield %5 : i1
  } else {
    scf.yield %false : i1
  }
  pyk.return %1, %3 : i1, i1
}

// Numbers are no conditions.
// CHECK-LABEL: pyk.func @number(
// CHECK: scf.if
pyk.func @number(%a: i1, %x: i32, %y: i32) -> i32 {
  %0 = scf.if %a -> (i32) {
    %1 = arith.addi %x, %y : i32
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  pyk.return %0 : i32
}

// Four sums and a comparison of 64 bits are ten instructions, three are eight.
// CHECK-LABEL: pyk.func @too_much(
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: pyk.return
pyk.func @too_much(%a: i1, %x: i64, %y: i64) -> (i1, i1) {
  %false = arith.constant false
  %0 = scf.if %a -> (i1) {
    %1 = arith.addi %x, %y : i64
    %2 = arith.addi %1, %y : i64
    %3 = arith.addi %2, %y : i64
    %4 = arith.addi %3, %y : i64
    %5 = arith.cmpi slt, %4, %x : i64
    scf.yield %5 : i1
  } else {
    scf.yield %false : i1
  }
  %6 = scf.if %a -> (i1) {
    %7 = arith.addi %x, %y : i64
    %8 = arith.addi %7, %y : i64
    %9 = arith.addi %8, %y : i64
    %10 = arith.cmpi slt, %9, %x : i64
    scf.yield %10 : i1
  } else {
    scf.yield %false : i1
  }
  pyk.return %0, %6 : i1, i1
}

// A type of which nobody knows the width.
// CHECK-LABEL: pyk.func @index(
// CHECK: scf.if
// CHECK: arith.muli
pyk.func @index(%a: i1, %x: index, %n: index) -> i1 {
  %false = arith.constant false
  %r = scf.if %a -> (i1) {
    %square = arith.muli %x, %x : index
    %less = arith.cmpi slt, %square, %n : index
    scf.yield %less : i1
  } else {
    scf.yield %false : i1
  }
  pyk.return %r : i1
}

// The place of an element of a tile.
// CHECK-LABEL: pyk.func @tile(
// CHECK-NOT: scf.if
// CHECK: %[[START:.*]] = arith.muli
// CHECK: %[[PLACE:.*]] = arith.addi %[[START]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[PLACE]]
// CHECK: arith.select %{{.*}}, %[[INSIDE]], %false
pyk.func @tile(%y: i32, %h: i32, %t: i64, %x: i64, %w: i64) -> i1 {
  %false = arith.constant false
  %size = arith.constant 16 : i64
  %above = arith.cmpi slt, %y, %h : i32
  %r = scf.if %above -> (i1) {
    %start = arith.muli %t, %size : i64
    %place = arith.addi %start, %x : i64
    %inside = arith.cmpi slt, %place, %w : i64
    scf.yield %inside : i1
  } else {
    scf.yield %false : i1
  }
  pyk.return %r : i1
}
