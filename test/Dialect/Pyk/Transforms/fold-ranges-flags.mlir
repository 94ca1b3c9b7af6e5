// RUN: pyk-opt %s --pyk-fold-ranges | FileCheck %s

// What may be said not to wrap, or computed in 32 bits: of two operands, each
// end of either is one that can forbid it.

func.func private @use(i64)
func.func private @use_both(i64, i64)

// 50000 * 50000 is too much in 32 bits, -50000 * 1 is not. Each product here has
// one such corner.
// CHECK-LABEL: pyk.func @corners_of_products(
// CHECK-COUNT-4: arith.muli %{{.*}}, %{{[^ ]*}} : i32
// CHECK:         arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i32
pyk.func @corners_of_products(%x: i32, %y: i32)
    -> (i32, i32, i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c-1 = arith.constant -1 : i32
  %far = arith.constant 50000 : i32
  %back = arith.constant -50000 : i32
  %x_low = arith.maxsi %x, %back : i32
  %x_down = arith.minsi %x_low, %c1 : i32
  %x_high = arith.minsi %x, %far : i32
  %x_up = arith.maxsi %x_high, %c-1 : i32
  %y_low = arith.maxsi %y, %back : i32
  %y_down = arith.minsi %y_low, %c1 : i32
  %y_high = arith.minsi %y, %far : i32
  %y_up = arith.maxsi %y_high, %c-1 : i32
  %0 = arith.muli %x_down, %y_down : i32
  %1 = arith.muli %x_down, %y_up : i32
  %2 = arith.muli %x_up, %y_down : i32
  %3 = arith.muli %x_up, %y_up : i32
  %4 = arith.muli %x_up, %c-1 : i32
  pyk.return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}

// The same of sums and differences: only the least ones leave 32 bits, or only
// the greatest.
// CHECK-LABEL: pyk.func @corners_of_sums(
// CHECK: %[[LOW:.*]] = arith.minsi
// CHECK: %[[HIGH:.*]] = arith.maxsi
// CHECK: arith.addi %[[LOW]], %{{[^ ]*}} : i32
// CHECK: arith.addi %[[HIGH]], %{{[^ ]*}} : i32
// CHECK: arith.subi %[[LOW]], %{{[^ ]*}} : i32
// CHECK: arith.subi %[[HIGH]], %{{[^ ]*}} : i32
// CHECK: arith.addi %[[LOW]], %{{.*}} overflow<nsw> : i32
pyk.func @corners_of_sums(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c-1 = arith.constant -1 : i32
  %low = arith.minsi %x, %c0 : i32
  %high = arith.maxsi %y, %c-1 : i32
  %0 = arith.addi %low, %c-1 : i32
  %1 = arith.addi %high, %c1 : i32
  %2 = arith.subi %low, %c1 : i32
  %3 = arith.subi %high, %c-1 : i32
  %4 = arith.addi %low, %c1 : i32
  pyk.return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}

// A sum of numbers of either sign wraps without one, although it is not
// negative.
// CHECK-LABEL: pyk.func @sums_of_either_sign(
// CHECK: arith.addi %{{.*}}, %c-1_i32 overflow<nsw> : i32
// CHECK: arith.addi %c-1_i32, %{{.*}} overflow<nsw> : i32
// CHECK: arith.addi %{{.*}}, %c1_i32 overflow<nsw, nuw> : i32
// CHECK: arith.subi %c1_i32, %{{.*}} overflow<nsw> : i32
pyk.func @sums_of_either_sign() -> (i32, i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c-1 = arith.constant -1 : i32
  %n = pyk.block_dim x : i32
  %0 = arith.addi %n, %c-1 : i32
  %1 = arith.addi %c-1, %n : i32
  %2 = arith.addi %n, %c1 : i32
  // Neither is negative, the difference may be.
  %3 = arith.subi %c1, %n : i32
  pyk.return %0, %1, %2, %3 : i32, i32, i32, i32
}

// What was said of a sum stays said.
// CHECK-LABEL: pyk.func @known_flags(
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
pyk.func @known_flags(%x: i32) -> (i32, i32) {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %small = arith.minsi %x, %c5 : i32
  %0 = arith.addi %small, %c5 overflow<nuw> : i32
  %1 = arith.addi %small, %c7 overflow<nsw> : i32
  pyk.return %0, %1 : i32, i32
}

// -2^31 - 1 does not fit, nor does 2^31, although the sum with it would.
// CHECK-LABEL: pyk.func @beyond_32_bits(
// CHECK: arith.subi %{{.*}}, %{{[^ ]*}} : i64
// CHECK: arith.addi %{{.*}}, %c2147483648_i64 : i64
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
pyk.func @beyond_32_bits(%x: i32) -> (i64, i64, i64) {
  %c-1 = arith.constant -1 : i32
  %c1 = arith.constant 1 : i64
  %limit = arith.constant 2147483648 : i64
  %wide = arith.extsi %x : i32 to i64
  %0 = arith.subi %wide, %c1 : i64
  %negative = arith.minsi %x, %c-1 : i32
  %wide_negative = arith.extsi %negative : i32 to i64
  %1 = arith.addi %wide_negative, %limit : i64
  %thread = pyk.thread_id x : i32
  %i = arith.extsi %thread : i32 to i64
  %2 = arith.addi %i, %c1 : i64
  pyk.return %0, %1, %2 : i64, i64, i64
}

// Division without a sign, by a number that may have one.
// CHECK-LABEL: pyk.func @unsigned_divisors(
// CHECK: arith.divui %{{.*}}, %{{.*}} : i64
// CHECK: arith.remui %{{.*}}, %{{.*}} : i64
// CHECK: arith.divui %{{.*}}, %{{.*}} : i32
pyk.func @unsigned_divisors(%x: i16, %y: i16) -> (i64, i64, i64) {
  %thread = pyk.thread_id x : i32
  %i = arith.extsi %thread : i32 to i64
  %signed = arith.extsi %x : i16 to i64
  %unsigned = arith.extui %y : i16 to i64
  %0 = arith.divui %i, %signed : i64
  %1 = arith.remui %i, %signed : i64
  %2 = arith.divui %i, %unsigned : i64
  pyk.return %0, %1, %2 : i64, i64, i64
}
