// RUN: pyk-opt %s --pyk-expand-numerics | FileCheck %s

// The upper half of an f16.
// CHECK-LABEL: pyk.func @extend_e5m2(
// CHECK-SAME:    %[[BITS:.*]]: i8)
// CHECK:         %[[WIDE:.*]] = arith.extui %[[BITS]] : i8 to i32
// CHECK:         %[[SHIFTED:.*]] = arith.shli %[[WIDE]]
// CHECK:         %[[HALF:.*]] = arith.trunci %[[SHIFTED]] : i32 to i16
// CHECK:         %[[REAL:.*]] = arith.bitcast %[[HALF]] : i16 to f16
// CHECK:         %[[RESULT:.*]] = arith.extf %[[REAL]] : f16 to f32
// CHECK:         pyk.return %[[RESULT]]
pyk.func @extend_e5m2(%bits: i8) -> f32 {
  %x = pyk.extend_float8 e5m2 %bits : f32
  pyk.return %x : f32
}

// An exponent: only its least and no number at all are not as an f32's.
// CHECK-LABEL: pyk.func @extend_e8m0(
// CHECK-COUNT-2: arith.select
// CHECK:         %[[RESULT:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:         pyk.return %[[RESULT]]
pyk.func @extend_e8m0(%bits: i8) -> f32 {
  %x = pyk.extend_float8 e8m0 %bits : f32
  pyk.return %x : f32
}

// What is rounded up counts one more where digits are left.
// CHECK-LABEL: pyk.func @round_exponents(
// CHECK:         %[[WIDE:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK:         arith.bitcast %[[WIDE]] : f64 to i64
// CHECK:         arith.cmpi ne
// CHECK:         arith.extui %{{.*}} : i1 to i64
// CHECK-NOT:     arith.cmpi ne
pyk.func @round_exponents(%x: f32) -> (i8, i8) {
  %a = pyk.round_to_float8 e8m0 saturate up %x : f32
  %b = pyk.round_to_float8 e8m0 exceed toward_zero %x : f32
  pyk.return %a, %b : i8, i8
}

// A double is rounded as such.
// CHECK-LABEL: pyk.func @round(
// CHECK-NOT:     arith.truncf
// CHECK:         arith.bitcast %{{.*}} : f64 to i64
// CHECK:         math.roundeven
// CHECK-DAG:     arith.constant 126 : i64
// CHECK:         arith.trunci %{{.*}} : i64 to i8
pyk.func @round(%x: f64) -> i8 {
  %a = pyk.round_to_float8 e4m3 saturate nearest %x : f64
  pyk.return %a : i8
}
