// RUN: pyk-opt %s --pyk-expand-numerics --pyk-fold-ranges --canonicalize --cse | FileCheck %s

// A remainder of what is less than one divisor away is compared, not divided.

// CHECK-LABEL: pyk.func @neighbours_of_a_thread(
pyk.func @neighbours_of_a_thread(%a: !pyk.array<?xi64, c>) {
  // CHECK-NOT: arith.rem
  // CHECK: %[[N:.*]] = pyk.dim %{{.*}}, 0
  %one = arith.constant 1 : i64
  %x = pyk.grid x : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xi64, c>
  %inside = arith.cmpi slt, %x, %n : i64
  scf.if %inside {
    // CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %c1
    // CHECK: %[[OVER:.*]] = arith.cmpi sge, %[[NEXT]], %{{.*}}
    // CHECK: %[[LESS:.*]] = arith.subi %[[NEXT]], %{{.*}}
    // CHECK: arith.select %[[OVER]], %[[LESS]], %[[NEXT]]
    %next = arith.addi %x, %one : i64
    %right = pyk.floor_mod %next, %n : i64
    // CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c1
    // CHECK: %[[UNDER:.*]] = arith.cmpi slt, %[[LAST]], %c0
    // CHECK: %[[MORE:.*]] = arith.addi %[[LAST]], %{{.*}}
    // CHECK: arith.select %[[UNDER]], %[[MORE]], %[[LAST]]
    %last = arith.subi %x, %one : i64
    %left = pyk.floor_mod %last, %n : i64
    // The same with the extent added, as where % has its dividend's sign; and
    // read anew.
    %m = pyk.dim %a, 0 : !pyk.array<?xi64, c>
    %shifted = arith.addi %last, %m : i64
    %positive = pyk.floor_mod %shifted, %n : i64
    pyk.store %right, %a[%left] : !pyk.array<?xi64, c>
    pyk.store %positive, %a[%x] : !pyk.array<?xi64, c>
  }
  pyk.return
}

// CHECK-LABEL: pyk.func @remainder_of_a_remainder(
pyk.func @remainder_of_a_remainder(%a: !pyk.array<?xi64, c>, %i: i64) {
  // CHECK-COUNT-1: arith.remsi
  // CHECK-NOT: arith.rem
  %one = arith.constant 1 : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xi64, c>
  %x = pyk.floor_mod %i, %n : i64
  %next = arith.addi %x, %one : i64
  %y = pyk.floor_mod %next, %n : i64
  pyk.store %x, %a[%y] : !pyk.array<?xi64, c>
  pyk.return
}

// CHECK-LABEL: pyk.func @counters_of_loops(
pyk.func @counters_of_loops(%a: !pyk.array<?xi64, c>) {
  // CHECK-NOT: arith.rem
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %two = arith.constant 2 : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xi64, c>
  scf.for %x = %zero to %n step %one : i64 {
    scf.for %d = %minus to %two step %one : i64 {
      %sum = arith.addi %x, %d : i64
      %y = pyk.floor_mod %sum, %n : i64
      pyk.store %d, %a[%y] : !pyk.array<?xi64, c>
    }
  }
  pyk.return
}

// Not of what may be farther away: two steps in an array of one element, a
// number that nothing bounds, by itself or added, and another thread index.
// CHECK-LABEL: pyk.func @farther_away(
pyk.func @farther_away(%a: !pyk.array<?xi64, c>, %i: i64) {
  // CHECK-COUNT-4: arith.rem
  // CHECK-NOT: arith.rem
  %two = arith.constant 2 : i64
  %x = pyk.grid x : i64
  %y = pyk.grid y : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xi64, c>
  %inside = arith.cmpi slt, %x, %n : i64
  scf.if %inside {
    %0 = arith.addi %x, %two : i64
    %1 = pyk.floor_mod %0, %n : i64
    %2 = arith.addi %i, %two : i64
    %3 = pyk.floor_mod %2, %n : i64
    %4 = arith.addi %x, %i : i64
    %5 = pyk.floor_mod %4, %n : i64
    %6 = arith.addi %y, %two : i64
    %7 = pyk.floor_mod %6, %n : i64
    pyk.store %1, %a[%3] : !pyk.array<?xi64, c>
    pyk.store %5, %a[%7] : !pyk.array<?xi64, c>
  }
  pyk.return
}

// An extent of at least four elements leaves room for steps of two.
// CHECK-LABEL: pyk.func @known_extent(
pyk.func @known_extent(%a: !pyk.array<?xi64, c>) {
  // CHECK-NOT: arith.rem
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %x = pyk.grid x : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xi64, c>
  %large = arith.cmpi sge, %n, %four : i64
  scf.if %large {
    %inside = arith.cmpi slt, %x, %n : i64
    scf.if %inside {
      %0 = arith.addi %x, %two : i64
      %1 = pyk.floor_mod %0, %n : i64
      pyk.store %x, %a[%1] : !pyk.array<?xi64, c>
    }
  }
  pyk.return
}
