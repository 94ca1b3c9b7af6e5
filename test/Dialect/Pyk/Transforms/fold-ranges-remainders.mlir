// RUN: pyk-opt %s --pyk-fold-ranges --canonicalize | FileCheck %s

// Remainders whose operands have known signs or sizes.

func.func private @use(i1)

// Python's remainder, as `pyk-expand-numerics` writes it: by a divisor above 0
// it is not negative, and less than that.
// CHECK-LABEL: pyk.func @remainder_with_the_sign_of_its_divisor(
pyk.func @remainder_with_the_sign_of_its_divisor(%x: i64, %w: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %0 = arith.cmpi sgt, %w, %zero : i64
  scf.if %0 {
    // CHECK-NOT: arith.cmpi ult
    %1 = arith.addi %w, %one : i64
    %2 = arith.cmpi sgt, %w, %one : i64
    %3 = arith.remsi %x, %w : i64
    %4 = arith.addi %3, %w : i64
    %5 = arith.cmpi ne, %3, %zero : i64
    %6 = arith.xori %3, %w : i64
    %7 = arith.cmpi slt, %6, %zero : i64
    %8 = arith.andi %5, %7 : i1
    %9 = arith.select %8, %4, %3 : i64
    // CHECK: call @use(%false)
    %10 = arith.cmpi slt, %9, %zero : i64
    func.call @use(%10) : (i1) -> ()
  } else {
    %3 = arith.remsi %x, %w : i64
    %4 = arith.addi %3, %w : i64
    %5 = arith.cmpi ne, %3, %zero : i64
    %6 = arith.xori %3, %w : i64
    %7 = arith.cmpi slt, %6, %zero : i64
    %8 = arith.andi %5, %7 : i1
    %9 = arith.select %8, %4, %3 : i64
    // CHECK: call @use(%{{[0-9]+}})
    %10 = arith.cmpi slt, %9, %zero : i64
    func.call @use(%10) : (i1) -> ()
  }
  pyk.return
}

// Plus anything but its divisor it may have any sign.
// CHECK-LABEL: pyk.func @remainder_and_another_number(
pyk.func @remainder_and_another_number(%x: i64) {
  %zero = arith.constant 0 : i64
  %c3 = arith.constant 3 : i64
  %c8 = arith.constant 8 : i64
  %0 = arith.remsi %x, %c8 : i64
  %1 = arith.addi %0, %c3 : i64
  // CHECK: call @use(%{{[0-9]+}})
  %2 = arith.cmpi sgt, %1, %zero : i64
  func.call @use(%2) : (i1) -> ()
  pyk.return
}

// What is less than the divisor is its own remainder.
// CHECK-LABEL: pyk.func @idle_remainder(
// CHECK-SAME: %[[I:.*]]: i64, %[[N:.*]]: i64
pyk.func @idle_remainder(%i: i64, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %0 = arith.cmpi ult, %i, %c8 : i64
  %1 = arith.cmpi sge, %n, %c8 : i64
  %2 = arith.andi %0, %1 : i1
  pyk.if %2 {
    // CHECK: pyk.return %[[I]]
    %3 = arith.remsi %i, %n : i64
    pyk.return %3 : i64
  }
  // CHECK: %[[R:.*]] = arith.remui
  // CHECK: pyk.return %[[R]]
  %4 = arith.remui %i, %c8 : i64
  pyk.return %4 : i64
}

// What may be the divisor is not.
// CHECK-LABEL: pyk.func @remainder_of_its_divisor(
pyk.func @remainder_of_its_divisor(%i: i64, %n: i64) -> i64 {
  %c8 = arith.constant 8 : i64
  %0 = arith.cmpi ule, %i, %c8 : i64
  %1 = arith.cmpi uge, %n, %c8 : i64
  %2 = arith.andi %0, %1 : i1
  pyk.if %2 {
    // CHECK: %[[R:.*]] = arith.remui
    // CHECK: pyk.return %[[R]]
    %3 = arith.remui %i, %n : i64
    pyk.return %3 : i64
  }
  pyk.return %n : i64
}

// What is negative is less than the divisor, too, but may be far away.
// CHECK-LABEL: pyk.func @negative_dividend(
pyk.func @negative_dividend(%i: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %0 = arith.cmpi slt, %i, %zero : i64
  pyk.if %0 {
    // CHECK: %[[R:.*]] = arith.remsi
    // CHECK: pyk.return %[[R]]
    %1 = arith.remsi %i, %c8 : i64
    pyk.return %1 : i64
  }
  pyk.return %zero : i64
}

// The same with a sign, and a dividend that may be less than 0.
// CHECK-LABEL: pyk.func @signed_remainders(
pyk.func @signed_remainders(%i: i64, %j: i64, %n: i64) -> (i64, i64, i64) {
  %c8 = arith.constant 8 : i64
  %c-1 = arith.constant -1 : i64
  %0 = arith.cmpi ule, %i, %c8 : i64
  %1 = arith.cmpi sge, %n, %c8 : i64
  %2 = arith.cmpi sge, %j, %c-1 : i64
  %3 = arith.cmpi slt, %j, %c8 : i64
  %4 = arith.andi %0, %1 : i1
  %5 = arith.andi %2, %3 : i1
  %6 = arith.andi %4, %5 : i1
  pyk.if %6 {
    // CHECK: %[[A:.*]] = arith.remsi
    %7 = arith.remsi %i, %n : i64
    // CHECK: %[[B:.*]] = arith.remsi
    %8 = arith.remsi %j, %n : i64
    // CHECK: %[[C:.*]] = arith.remui
    %9 = arith.remui %j, %n : i64
    // CHECK: pyk.return %[[A]], %[[B]], %[[C]]
    pyk.return %7, %8, %9 : i64, i64, i64
  }
  pyk.return %n, %n, %n : i64, i64, i64
}
