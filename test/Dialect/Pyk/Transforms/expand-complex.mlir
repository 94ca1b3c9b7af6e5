// RUN: pyk-opt %s --pyk-expand-numerics --canonicalize --cse | FileCheck %s
// RUN: pyk-opt %s --pyk-expand-numerics | FileCheck %s --check-prefix=LEFT

// Of the functions of complex numbers none is left.
// LEFT-NOT: complex.{{abs|angle}}
// LEFT-NOT: pyk.complex.

// Smith's method: the larger part divides.
// CHECK-LABEL: pyk.func @quotient(
// CHECK-SAME:    %[[A:.*]]: complex<f64>, %[[B:.*]]: complex<f64>)
pyk.func @quotient(%a: complex<f64>, %b: complex<f64>) -> complex<f64> {
  // CHECK-DAG: %[[RE:.*]] = complex.re %[[B]]
  // CHECK-DAG: %[[IM:.*]] = complex.im %[[B]]
  // CHECK-DAG: %[[SIZE_RE:.*]] = math.absf %[[RE]]
  // CHECK-DAG: %[[SIZE_IM:.*]] = math.absf %[[IM]]
  // CHECK: %[[REAL:.*]] = arith.cmpf oge, %[[SIZE_RE]], %[[SIZE_IM]]
  // CHECK-DAG: %[[LESS:.*]] = arith.select %[[REAL]], %[[IM]], %[[RE]]
  // CHECK-DAG: %[[MORE:.*]] = arith.select %[[REAL]], %[[RE]], %[[IM]]
  // CHECK: arith.divf %[[LESS]], %[[MORE]]
  // CHECK: complex.create
  %q = pyk.complex.div %a, %b : complex<f64>
  pyk.return %q : complex<f64>
}

// Scaled by powers of two, so that no square overflows.
// CHECK-LABEL: pyk.func @absolute_value(
pyk.func @absolute_value(%z: complex<f32>) -> f32 {
  // CHECK-DAG: arith.constant 7.922{{.*}}E+28 : f32
  // CHECK-DAG: arith.constant 1.262{{.*}}E-29 : f32
  // CHECK: %[[SQUARES:.*]] = math.fma
  // CHECK: math.sqrt %[[SQUARES]]
  %r = complex.abs %z : complex<f32>
  pyk.return %r : f32
}

// CHECK-LABEL: pyk.func @phase(
pyk.func @phase(%z: complex<f64>) -> f64 {
  // CHECK-DAG: %[[RE:.*]] = complex.re
  // CHECK-DAG: %[[IM:.*]] = complex.im
  // CHECK: math.atan2 %[[IM]], %[[RE]]
  %r = complex.angle %z : complex<f64>
  pyk.return %r : f64
}

// A constant exponent leaves one of the two ways.
// CHECK-LABEL: pyk.func @root_as_power(
pyk.func @root_as_power(%z: complex<f64>) -> complex<f64> {
  %half = complex.constant [0.5, 0.0] : complex<f64>
  // CHECK-NOT: scf.while
  // CHECK: math.powf
  // CHECK-NOT: scf.while
  %r = pyk.complex.pow %z, %half : complex<f64>
  pyk.return %r : complex<f64>
}

// CHECK-LABEL: pyk.func @any_power(
pyk.func @any_power(%z: complex<f64>, %e: complex<f64>) -> complex<f64> {
  // CHECK: scf.if
  // CHECK: scf.while
  // CHECK: } else {
  // CHECK: math.powf
  %r = pyk.complex.pow %z, %e : complex<f64>
  pyk.return %r : complex<f64>
}

// The trigonometric functions are the hyperbolic ones turned.
// CHECK-LABEL: pyk.func @functions(
pyk.func @functions(%a: complex<f64>) {
  %0 = pyk.complex.sqrt %a : complex<f64>
  %1 = pyk.complex.exp %a : complex<f64>
  %2 = pyk.complex.log %a : complex<f64>
  %3 = pyk.complex.log10 %a : complex<f64>
  %4 = pyk.complex.sin %a : complex<f64>
  %5 = pyk.complex.cos %a : complex<f64>
  %6 = pyk.complex.tan %a : complex<f64>
  %7 = pyk.complex.sinh %a : complex<f64>
  %8 = pyk.complex.cosh %a : complex<f64>
  %9 = pyk.complex.tanh %a : complex<f64>
  %10 = pyk.complex.asin %a : complex<f64>
  %11 = pyk.complex.acos %a : complex<f64>
  %12 = pyk.complex.atan %a : complex<f64>
  %13 = pyk.complex.asinh %a : complex<f64>
  %14 = pyk.complex.acosh %a : complex<f64>
  %15 = pyk.complex.atanh %a : complex<f64>
  %16 = pyk.complex.rect %a : complex<f64>
  pyk.return
}
