// RUN: pyk-opt %s --pyk-expand-addresses | FileCheck %s

// Indices that are never negative count elements of an array with few of them:
// 32 bits are enough for all that is added up, if there is such an element.
// CHECK-LABEL: pyk.func @few_elements(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<?x?x?xf32, c>
pyk.func @few_elements(%a: !pyk.array<?x?x?xf32, c> {pyk.facts = #pyk.facts<small>},
                       %x: f32) attributes {kernel} {
  %i = pyk.grid x : i64
  // CHECK: %[[J:.*]] = pyk.thread_id x
  %j32 = pyk.thread_id x : i32
  %j = arith.extsi %j32 : i32 to i64
  %k = arith.constant 7 : i64
  // CHECK: %[[I:.*]] = arith.trunci %{{.*}} overflow<nsw, nuw> : i64 to i32
  // CHECK: %[[N:.*]] = arith.trunci %{{.*}} overflow<nsw, nuw> : i64 to i32
  // CHECK: %[[PLANE:.*]] = arith.muli %[[I]], %[[N]] overflow<nsw, nuw> : i32
  // CHECK: %[[ROW:.*]] = arith.addi %[[PLANE]], %[[J]] overflow<nsw, nuw> : i32
  // CHECK: %[[ROWS:.*]] = arith.muli %[[ROW]], %{{.*}} overflow<nsw, nuw> : i32
  // CHECK: %[[SUM:.*]] = arith.addi %[[ROWS]], %{{.*}} overflow<nsw, nuw> : i32
  // CHECK: %[[OFFSET:.*]] = arith.extui %[[SUM]] : i32 to i64
  // CHECK: pyk.element %[[A]] + %[[OFFSET]]
  pyk.store %x, %a[%i, %j, %k] : !pyk.array<?x?x?xf32, c>
  pyk.return
}

// A sum with an index that may be negative may be more than the last one; so may
// one in an array of any size.
// CHECK-LABEL: pyk.func @any_sign(
// CHECK-NOT: arith.trunci
// CHECK: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: arith.muli %{{.*}}, %{{.*}} : i64
pyk.func @any_sign(%a: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<small>},
                   %b: !pyk.array<?x?xf32, c>, %j: i64, %x: f32)
    attributes {kernel} {
  %i = pyk.grid x : i64
  pyk.store %x, %a[%i, %j] : !pyk.array<?x?xf32, c>
  pyk.store %x, %b[%i, %i] : !pyk.array<?x?xf32, c>
  pyk.return
}

// What a loop counts in 64 bits stays so, and what comes behind it.
// CHECK-LABEL: pyk.func @wide_counter(
// CHECK-SAME:    %{{.*}}: !pyk.array<?x?xf32, c> {{.*}}, %{{.*}}: f32, %[[N:.*]]: i64
pyk.func @wide_counter(%a: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<narrow>},
                       %x: f32, %n: i64 {pyk.facts = #pyk.facts<small>})
    attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i = pyk.grid x : i64
  // CHECK: scf.for
  scf.for %k = %zero to %n step %one : i64 {
    %next = pyk.grid y : i64
    // CHECK: arith.muli %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
    // CHECK-NEXT: %[[ROW:.*]] = arith.extui %{{.*}} : i32 to i64
    // CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[ROW]], %{{.*}} : i64
    // CHECK-NEXT: pyk.element %{{.*}} + %[[SUM]]
    pyk.store %x, %a[%n, %next] : !pyk.array<?x?xf32, c>
    // CHECK: arith.muli %{{.*}}, %{{.*}} : i64
    // CHECK-NEXT: arith.addi %{{.*}}, %{{.*}} : i64
    pyk.store %x, %a[%next, %i] : !pyk.array<?x?xf32, c>
  }
  pyk.return
}

// Neighbours along the last dimension differ by a constant behind one sum.
// CHECK-LABEL: pyk.func @neighbours(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<?x?xf32, c>
pyk.func @neighbours(%a: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<small>},
                     %x: f32) attributes {kernel} {
  %one = arith.constant 1 : i32
  // CHECK: %[[I:.*]] = pyk.thread_id y
  // CHECK: %[[J:.*]] = pyk.thread_id x
  %i32 = pyk.thread_id y : i32
  %j32 = pyk.thread_id x : i32
  %i = arith.extui %i32 : i32 to i64
  %left32 = arith.subi %j32, %one overflow<nsw, nuw> : i32
  %right32 = arith.addi %j32, %one overflow<nsw, nuw> : i32
  %left = arith.extui %left32 : i32 to i64
  %right = arith.extui %right32 : i32 to i64
  // CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[J]] overflow<nsw, nuw> : i32
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.extui %[[SUM]] : i32 to i64
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK-NEXT: %[[LEFT:.*]] = arith.subi %[[OFFSET]], %[[ONE]] : i64
  // CHECK-NEXT: pyk.element %[[A]] + %[[LEFT]]
  pyk.store %x, %a[%i, %left] : !pyk.array<?x?xf32, c>
  // CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[J]] overflow<nsw, nuw> : i32
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.extui %[[SUM]] : i32 to i64
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK-NEXT: %[[RIGHT:.*]] = arith.addi %[[OFFSET]], %[[ONE]] : i64
  // CHECK-NEXT: pyk.element %[[A]] + %[[RIGHT]]
  pyk.store %x, %a[%i, %right] : !pyk.array<?x?xf32, c>
  pyk.return
}

// One element more than an array of bytes can have may be 2^31.
// CHECK-LABEL: pyk.func @no_room(
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
// CHECK: arith.addi %{{.*}}, %[[LEFT]] overflow<nsw, nuw> : i32
pyk.func @no_room(%a: !pyk.array<?x?xi8, c> {pyk.facts = #pyk.facts<small>},
                  %x: i8) attributes {kernel} {
  %one = arith.constant 1 : i32
  %i32 = pyk.thread_id y : i32
  %j32 = pyk.thread_id x : i32
  %i = arith.extui %i32 : i32 to i64
  %left32 = arith.subi %j32, %one overflow<nsw, nuw> : i32
  %left = arith.extui %left32 : i32 to i64
  pyk.store %x, %a[%i, %left] : !pyk.array<?x?xi8, c>
  pyk.return
}

// Of a sum that may wrap nothing is taken. What was a number of 64 bits is one
// again.
// CHECK-LABEL: pyk.func @one_dimension(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<?xf32, c>, %[[N:.*]]: i32, %{{.*}}: f32)
pyk.func @one_dimension(%a: !pyk.array<?xf32, c>, %n: i32, %x: f32)
    attributes {kernel} {
  %c3 = arith.constant 3 : i32
  // CHECK: %[[I:.*]] = pyk.grid x : i64
  %i = pyk.grid x : i64
  %i32 = arith.trunci %i overflow<nsw, nuw> : i64 to i32
  %0 = arith.subi %i32, %c3 overflow<nsw, nuw> : i32
  %1 = arith.extui %0 : i32 to i64
  // CHECK: %[[THREE:.*]] = arith.constant 3 : i64
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.subi %[[I]], %[[THREE]] : i64
  // CHECK-NEXT: pyk.element %[[A]] + %[[OFFSET]]
  pyk.store %x, %a[%1] : !pyk.array<?xf32, c>
  // CHECK: %[[WRAPS:.*]] = arith.subi %{{.*}}, %{{.*}} overflow<nsw> : i32
  // CHECK-NEXT: %[[INDEX:.*]] = arith.extui %[[WRAPS]]
  // CHECK-NEXT: pyk.element %[[A]] + %[[INDEX]]
  %2 = arith.subi %i32, %c3 overflow<nsw> : i32
  %3 = arith.extui %2 : i32 to i64
  pyk.store %x, %a[%3] : !pyk.array<?xf32, c>
  // CHECK: arith.extsi %{{.*}} : i32 to i64
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK-NEXT: %[[THREE:.*]] = arith.constant 3 : i64
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[WIDE]], %[[THREE]] : i64
  // CHECK-NEXT: pyk.element %[[A]] + %[[OFFSET]]
  %4 = arith.addi %n, %c3 overflow<nsw> : i32
  %5 = arith.extsi %4 : i32 to i64
  pyk.store %x, %a[%5] : !pyk.array<?xf32, c>
  pyk.return
}

// Rows of few iterations are behind each other: the first has an address, and an iteration
// leads from row to row. A counter that is no constant in the end stays where it
// is.
// CHECK-LABEL: pyk.func @rows(
pyk.func @rows(%a: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<small>},
               %n: i32 {pyk.facts = #pyk.facts<small>}, %x: f32)
    attributes {kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  // CHECK: %[[Y:.*]] = pyk.thread_id y
  // CHECK: %[[X:.*]] = pyk.thread_id x
  %y = pyk.thread_id y : i32
  %x32 = pyk.thread_id x : i32
  %j = arith.extui %x32 : i32 to i64
  // CHECK: scf.for %[[K:.*]] =
  scf.for %k = %zero to %eight step %one : i32 {
    %sum = arith.addi %y, %k overflow<nsw, nuw> : i32
    %i = arith.extui %sum : i32 to i64
    // CHECK: %[[WIDE:.*]] = arith.extui %[[K]] : i32 to i64
    // CHECK: %[[ROWS:.*]] = arith.muli %[[WIDE]], %{{.*}} : i64
    // CHECK: %[[ROW:.*]] = arith.muli %[[Y]], %{{.*}} overflow<nsw, nuw> : i32
    // CHECK: %[[PLACE:.*]] = arith.addi %[[ROW]], %[[X]] overflow<nsw, nuw> : i32
    // CHECK: %[[FIRST:.*]] = arith.extui %[[PLACE]] : i32 to i64
    // CHECK: %[[OFFSET:.*]] = arith.addi %[[FIRST]], %[[ROWS]] : i64
    // CHECK: pyk.element %{{.*}} + %[[OFFSET]]
    pyk.store %x, %a[%i, %j] : !pyk.array<?x?xf32, c>
  }
  // CHECK: scf.for
  scf.for %k = %zero to %n step %one : i32 {
    // CHECK: %[[SUM:.*]] = arith.addi %[[Y]], %{{.*}} overflow<nsw, nuw> : i32
    %sum = arith.addi %y, %k overflow<nsw, nuw> : i32
    %i = arith.extui %sum : i32 to i64
    // CHECK: arith.muli %[[SUM]], %{{.*}} overflow<nsw, nuw> : i32
    pyk.store %x, %a[%i, %j] : !pyk.array<?x?xf32, c>
  }
  pyk.return
}
