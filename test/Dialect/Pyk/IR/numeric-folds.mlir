// RUN: pyk-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: pyk.func @division_rounds_down(
pyk.func @division_rounds_down() -> (i8, i8, i8, i8) {
  %a = arith.constant -7 : i8
  %b = arith.constant 2 : i8
  %c = arith.constant 7 : i8
  %d = arith.constant -2 : i8
  %0 = pyk.floor_div %a, %b : i8
  %1 = pyk.floor_mod %a, %b : i8
  %2 = pyk.floor_div %c, %d : i8
  %3 = pyk.floor_mod %c, %d : i8
  // CHECK-DAG: %[[M4:.*]] = arith.constant -4 : i8
  // CHECK-DAG: %[[P1:.*]] = arith.constant 1 : i8
  // CHECK-DAG: %[[M1:.*]] = arith.constant -1 : i8
  // CHECK: pyk.return %[[M4]], %[[P1]], %[[M4]], %[[M1]]
  pyk.return %0, %1, %2, %3 : i8, i8, i8, i8
}

// CHECK-LABEL: pyk.func @division_that_arith_leaves_undefined(
pyk.func @division_that_arith_leaves_undefined() -> (i8, i8, i8, i8) {
  %zero = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %minus = arith.constant -1 : i8
  %0 = pyk.floor_div %least, %zero : i8
  %1 = pyk.floor_mod unsigned %least, %zero : i8
  %2 = pyk.floor_div %least, %minus : i8
  %3 = pyk.floor_mod %least, %minus : i8
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i8
  // CHECK-DAG: %[[LEAST:.*]] = arith.constant -128 : i8
  // CHECK: pyk.return %[[ZERO]], %[[ZERO]], %[[LEAST]], %[[ZERO]]
  pyk.return %0, %1, %2, %3 : i8, i8, i8, i8
}

// CHECK-LABEL: pyk.func @unsigned_division(
pyk.func @unsigned_division() -> (i8, i8) {
  %a = arith.constant -7 : i8
  %b = arith.constant 10 : i8
  %0 = pyk.floor_div unsigned %a, %b : i8
  %1 = pyk.floor_mod unsigned %a, %b : i8
  // CHECK-DAG: %[[Q:.*]] = arith.constant 24 : i8
  // CHECK-DAG: %[[R:.*]] = arith.constant 9 : i8
  // CHECK: pyk.return %[[Q]], %[[R]]
  pyk.return %0, %1 : i8, i8
}

// CHECK-LABEL: pyk.func @division_by_one(
// CHECK-SAME:    %[[A:.*]]: i64
pyk.func @division_by_one(%a: i64) -> i64 {
  %one = arith.constant 1 : i64
  %0 = pyk.floor_div %a, %one : i64
  // CHECK: pyk.return %[[A]]
  pyk.return %0 : i64
}

// Floats do not fold: 1.0 is not the integer one.
// CHECK-LABEL: pyk.func @division_of_floats(
pyk.func @division_of_floats(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  // CHECK: pyk.floor_div
  %0 = pyk.floor_div %x, %one : f32
  pyk.return %0 : f32
}

// CHECK-LABEL: pyk.func @shifts(
// CHECK-SAME:    %[[A:.*]]: i8
pyk.func @shifts(%a: i8) -> (i8, i8, i8, i8, i8) {
  %zero = arith.constant 0 : i8
  %far = arith.constant 9 : i8
  %minus = arith.constant -3 : i8
  %0 = pyk.shift_left %a, %zero : i8
  %1 = pyk.shift_right %a, %zero : i8
  %2 = pyk.shift_left %minus, %far : i8
  %3 = pyk.shift_right %minus, %far : i8
  %4 = pyk.shift_right unsigned %minus, %far : i8
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i8
  // CHECK-DAG: %[[M1:.*]] = arith.constant -1 : i8
  // CHECK: pyk.return %[[A]], %[[A]], %[[ZERO]], %[[M1]], %[[ZERO]]
  pyk.return %0, %1, %2, %3, %4 : i8, i8, i8, i8, i8
}

// CHECK-LABEL: pyk.func @powers(
// CHECK-SAME:    %[[A:.*]]: i8
pyk.func @powers(%a: i8) -> (i8, i8, i8, i8, i8, i8) {
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : i8
  %minus_three = arith.constant -3 : i8
  %minus_one = arith.constant -1 : i8
  %0 = pyk.power %a, %one : i8
  %1 = pyk.power %minus_three, %three : i8
  %2 = pyk.power %three, %minus_one : i8
  %3 = pyk.power %minus_one, %minus_three : i8
  %minus_two = arith.constant -2 : i8
  %4 = pyk.power %minus_one, %minus_two : i8
  // 3 to the power of 255.
  %5 = pyk.power unsigned %three, %minus_one : i8
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i8
  // CHECK-DAG: %[[M27:.*]] = arith.constant -27 : i8
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i8
  // CHECK-DAG: %[[M1:.*]] = arith.constant -1 : i8
  // CHECK-DAG: %[[M85:.*]] = arith.constant -85 : i8
  // CHECK: pyk.return %[[A]], %[[M27]], %[[ZERO]], %[[M1]], %[[ONE]], %[[M85]]
  pyk.return %0, %1, %2, %3, %4, %5 : i8, i8, i8, i8, i8, i8
}

// CHECK-LABEL: pyk.func @wrapped_indices(
// CHECK-SAME:    %[[N:.*]]: i64
pyk.func @wrapped_indices(%n: i64) -> (i64, i64, i64) {
  %two = arith.constant 2 : i64
  %ten = arith.constant 10 : i64
  %minus = arith.constant -1 : i64
  %0 = pyk.wrap_index %two of %n : i64
  %1 = pyk.wrap_index %minus of %ten : i64
  // The extent is not known, so the index stays.
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[NINE:.*]] = arith.constant 9 : i64
  // CHECK-DAG: %[[LAST:.*]] = pyk.wrap_index %{{.*}} of %[[N]] : i64
  %2 = pyk.wrap_index %minus of %n : i64
  // CHECK: pyk.return %[[TWO]], %[[NINE]], %[[LAST]]
  pyk.return %0, %1, %2 : i64, i64, i64
}
