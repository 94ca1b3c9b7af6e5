// RUN: pyk-opt %s --pyk-fold-ranges --canonicalize --cse | FileCheck %s

// Arithmetic in 64 bits that 32 are enough for.

func.func private @use(i64)
func.func private @use_both(i64, i64)

// Neighbours of a place that is inside: both fit, and neither is negative.
// CHECK-LABEL: pyk.func @neighbours(
pyk.func @neighbours(%a: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small>})
    attributes {kernel, pyk.small_grid} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %i = pyk.grid x : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  // CHECK: %[[N:.*]] = arith.trunci %{{.*}} overflow<nsw, nuw> : i64 to i32
  // CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1_i32 overflow<nsw> : i32
  // CHECK: %[[I:.*]] = arith.trunci %{{.*}} overflow<nsw, nuw> : i64 to i32
  // CHECK: arith.cmpi sgt, %[[I]], %c0_i32 : i32
  // CHECK: arith.cmpi slt, %[[I]], %[[LAST]] : i32
  %last = arith.subi %n, %c1 : i64
  %0 = arith.cmpi sgt, %i, %c0 : i64
  %1 = arith.cmpi slt, %i, %last : i64
  %2 = arith.andi %0, %1 : i1
  pyk.if %2 {
    // CHECK: %[[LEFT:.*]] = arith.subi %[[I]], %c1_i32 overflow<nsw, nuw> : i32
    // CHECK: %[[WIDE_LEFT:.*]] = arith.extui %[[LEFT]] : i32 to i64
    // CHECK: %[[RIGHT:.*]] = arith.addi %[[I]], %c1_i32 overflow<nsw, nuw> : i32
    // CHECK: %[[WIDE_RIGHT:.*]] = arith.extui %[[RIGHT]] : i32 to i64
    // CHECK: call @use_both(%[[WIDE_LEFT]], %[[WIDE_RIGHT]])
    %left = arith.subi %i, %c1 : i64
    %right = arith.addi %i, %c1 : i64
    func.call @use_both(%left, %right) : (i64, i64) -> ()
    pyk.yield
  }
  // Where no condition says that there is one, the left may be -1.
  // CHECK: %[[SIGNED:.*]] = arith.subi %{{.*}}, %c1_i32 overflow<nsw> : i32
  // CHECK: arith.extsi %[[SIGNED]] : i32 to i64
  %before = arith.subi %i, %c1 : i64
  func.call @use(%before) : (i64) -> ()
  pyk.return
}

// 2^31 - 1 and 1 are too much; so are a grid and an extent of any size.
// CHECK-LABEL: pyk.func @limits(
// CHECK-NOT: i32
// CHECK: pyk.return
pyk.func @limits(%a: !pyk.array<?xf32, c>, %n: i64 {pyk.facts = #pyk.facts<small>})
    attributes {kernel} {
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %next = arith.addi %n, %c1 : i64
  func.call @use(%next) : (i64) -> ()
  %i = pyk.grid x : i64
  %extent = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %0 = arith.addi %i, %c3 : i64
  %1 = arith.subi %extent, %c3 : i64
  func.call @use_both(%0, %1) : (i64, i64) -> ()
  pyk.return
}

// The same number is below 2^31, one less.
// CHECK-LABEL: pyk.func @largest(
// CHECK: arith.addi %{{.*}}, %c1_i32 overflow<nsw, nuw> : i32
// CHECK: arith.extui %{{.*}} : i32 to i64
pyk.func @largest(%n: i64 {pyk.facts = #pyk.facts<small>}) attributes {kernel} {
  %c1 = arith.constant 1 : i64
  %limit = arith.constant 2147483647 : i64
  %0 = arith.cmpi slt, %n, %limit : i64
  pyk.if %0 {
    %next = arith.addi %n, %c1 : i64
    func.call @use(%next) : (i64) -> ()
    pyk.yield
  }
  pyk.return
}

// What a loop counts in 64 bits stays so, and what is computed from it.
// CHECK-LABEL: pyk.func @counter(
pyk.func @counter(%n: i64 {pyk.facts = #pyk.facts<small>}, %x: i32)
    attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %i = arith.extui %x : i32 to i64
  // CHECK: scf.for
  scf.for %k = %c0 to %n step %c1 : i64 {
    // CHECK-NOT: i32
    // CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %c1_i64 : i64
    // CHECK: %[[TWICE:.*]] = arith.addi %[[NEXT]], %{{.*}} : i64
    // CHECK: call @use_both(%[[NEXT]], %[[TWICE]])
    %next = arith.addi %k, %c1 : i64
    %twice = arith.addi %next, %k : i64
    func.call @use_both(%next, %twice) : (i64, i64) -> ()
    scf.yield
  }
  pyk.return
}

// Three iterations are written out, so their counter is no loop's; four are not.
// CHECK-LABEL: pyk.func @iterations(
pyk.func @iterations() {
  %c-1 = arith.constant -1 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %i32 = pyk.thread_id x : i32
  %i = arith.extsi %i32 : i32 to i64
  // CHECK: scf.for
  scf.for %k = %c-1 to %c2 step %c1 : i64 {
    // CHECK: %[[K:.*]] = arith.trunci %{{.*}} overflow<nsw> : i64 to i32
    // CHECK: arith.addi %{{.*}}, %[[K]] overflow<nsw> : i32
    // CHECK: arith.extsi
    %next = arith.addi %i, %k : i64
    func.call @use(%next) : (i64) -> ()
    scf.yield
  }
  // CHECK: scf.for
  // CHECK: arith.addi %{{.*}}, %{{.*}} : i64
  scf.for %k = %c-1 to %c3 step %c1 : i64 {
    %next = arith.addi %i, %k : i64
    func.call @use(%next) : (i64) -> ()
    scf.yield
  }
  pyk.return
}

// Numbers that were extended keep their sign.
// CHECK-LABEL: pyk.func @extended(
// CHECK-SAME: %[[X:.*]]: i16, %[[Y:.*]]: i8)
pyk.func @extended(%x: i16, %y: i8) {
  // CHECK: %[[A:.*]] = arith.extsi %[[X]] : i16 to i32
  // CHECK: %[[B:.*]] = arith.extui %[[Y]] : i8 to i32
  // CHECK: %[[PRODUCT:.*]] = arith.muli %[[A]], %[[B]] overflow<nsw> : i32
  // CHECK: arith.extsi %[[PRODUCT]] : i32 to i64
  %a = arith.extsi %x : i16 to i64
  %b = arith.extui %y : i8 to i64
  %product = arith.muli %a, %b : i64
  func.call @use(%product) : (i64) -> ()
  pyk.return
}

// An extension of what is not negative has no sign.
// CHECK-LABEL: pyk.func @sign_of_extension(
pyk.func @sign_of_extension(%x: i32) {
  %c0 = arith.constant 0 : i32
  %i = pyk.thread_id x : i32
  // CHECK: arith.extui %{{.*}} : i32 to i64
  // CHECK: arith.extsi %{{.*}} : i32 to i64
  %0 = arith.extsi %i : i32 to i64
  %1 = arith.extsi %x : i32 to i64
  func.call @use_both(%0, %1) : (i64, i64) -> ()
  // CHECK: arith.extui %{{.*}} : i32 to i64
  %2 = arith.cmpi sge, %x, %c0 : i32
  pyk.if %2 {
    %3 = arith.extsi %x : i32 to i64
    func.call @use(%3) : (i64) -> ()
    pyk.yield
  }
  pyk.return
}

// Sums in 32 bits that cannot wrap say so.
// CHECK-LABEL: pyk.func @flags(
pyk.func @flags(%x: i32, %y: i16, %w: i32) -> (i32, i32, i32, i32, i32) {
  %c5 = arith.constant 5 : i32
  %i = pyk.thread_id x : i32
  %z = arith.extsi %y : i16 to i32
  // CHECK-DAG: %[[A:.*]] = arith.addi %{{.*}}, %c5_i32 overflow<nsw, nuw> : i32
  // CHECK-DAG: %[[B:.*]] = arith.subi %{{.*}}, %c5_i32 overflow<nsw> : i32
  // CHECK-DAG: %[[C:.*]] = arith.muli %{{.*}}, %c5_i32 overflow<nsw> : i32
  // CHECK-DAG: %[[D:.*]] = arith.addi %{{.*}}, %c5_i32 : i32
  // CHECK-DAG: %[[E:.*]] = arith.subi %{{.*}}, %{{[^ ]*}} : i32
  %0 = arith.addi %i, %c5 : i32
  %1 = arith.subi %i, %c5 : i32
  %2 = arith.muli %z, %c5 : i32
  %3 = arith.addi %x, %c5 : i32
  %4 = arith.subi %x, %w : i32
  // CHECK: pyk.return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  pyk.return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}

// The least number divided by -1 overflows; unsigned division has no negative
// numbers.
// CHECK-LABEL: pyk.func @divisions(
pyk.func @divisions(%x: i32, %y: i16, %c: i1)
    -> (i64, i64, i64, i64, i64) {
  %c7 = arith.constant 7 : i64
  %c-1 = arith.constant -1 : i64
  %c-7 = arith.constant -7 : i64
  %a = arith.extsi %x : i32 to i64
  %b = arith.extsi %y : i16 to i64
  %d = arith.select %c, %c-1, %c-7 : i64
  // CHECK-DAG: %[[A:.*]] = arith.remsi %{{.*}}, %{{.*}} : i32
  // CHECK-DAG: %[[B:.*]] = arith.divsi %{{.*}}, %{{.*}} : i64
  // CHECK-DAG: %[[C:.*]] = arith.divsi %{{.*}}, %{{.*}} : i32
  // CHECK-DAG: %[[D:.*]] = arith.remui %{{.*}}, %{{.*}} : i64
  // CHECK-DAG: %[[E:.*]] = arith.remsi %{{.*}}, %{{.*}} : i64
  // CHECK-DAG: %[[WIDE_A:.*]] = arith.extsi %[[A]]
  // CHECK-DAG: %[[WIDE_C:.*]] = arith.extsi %[[C]]
  %0 = arith.remsi %a, %c7 : i64
  %1 = arith.divsi %a, %d : i64
  %2 = arith.divsi %b, %d : i64
  %3 = arith.remui %b, %c7 : i64
  %4 = arith.remsi %a, %d : i64
  // CHECK: pyk.return %[[WIDE_A]], %[[B]], %[[WIDE_C]], %[[D]], %[[E]]
  pyk.return %0, %1, %2, %3, %4 : i64, i64, i64, i64, i64
}

// CHECK-LABEL: pyk.func @selects(
pyk.func @selects(%a: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small>},
                  %x: i32, %c: i1) attributes {kernel} {
  // CHECK: %[[N:.*]] = arith.trunci %{{.*}} overflow<nsw, nuw> : i64 to i32
  // CHECK: %[[EITHER:.*]] = arith.select %{{.*}}, %[[N]], %{{.*}} : i32
  // CHECK: %[[WIDE:.*]] = arith.extsi %[[EITHER]] : i32 to i64
  // CHECK: call @use(%[[WIDE]])
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %wide = arith.extsi %x : i32 to i64
  %0 = arith.select %c, %n, %wide : i64
  func.call @use(%0) : (i64) -> ()
  pyk.return
}

// Bits of narrow numbers, and the quotient that floored division is made of: of
// an index, all that is left is a division in 32 bits.
// CHECK-LABEL: pyk.func @bits(
pyk.func @bits(%a: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small>})
    attributes {kernel, pyk.small_grid} {
  // CHECK: %[[I:.*]] = arith.trunci %{{.*}} overflow<nsw, nuw> : i64 to i32
  // CHECK: %[[LOW:.*]] = arith.andi %[[I]], %c63_i32 : i32
  // CHECK: arith.extui %[[LOW]] : i32 to i64
  %c63 = arith.constant 63 : i64
  %c7 = arith.constant 7 : i64
  %i = pyk.grid x : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %inside = arith.cmpi slt, %i, %n : i64
  %low = arith.andi %i, %c63 : i64
  func.call @use(%low) : (i64) -> ()
  // CHECK: %[[Q:.*]] = arith.divui %[[I]], %c7_i32 : i32
  // CHECK: arith.extui %[[Q]] : i32 to i64
  %sign = arith.shrsi %i, %c63 : i64
  %magnitude = arith.xori %i, %sign : i64
  %quotient = arith.divui %magnitude, %c7 : i64
  %floor = arith.xori %quotient, %sign : i64
  func.call @use(%floor) : (i64) -> ()
  pyk.return
}
