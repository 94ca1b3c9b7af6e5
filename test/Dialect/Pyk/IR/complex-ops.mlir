// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @functions(
pyk.func @functions(%a: complex<f64>, %b: complex<f64>, %z: complex<f32>) {
  // CHECK-NEXT: pyk.complex_sqrt %{{.*}} : complex<f64>
  %0 = pyk.complex_sqrt %a : complex<f64>
  // CHECK-NEXT: pyk.complex_exp %{{.*}} : complex<f64>
  %1 = pyk.complex_exp %a : complex<f64>
  // CHECK-NEXT: pyk.complex_log %{{.*}} : complex<f64>
  %2 = pyk.complex_log %a : complex<f64>
  // CHECK-NEXT: pyk.complex_log10 %{{.*}} : complex<f64>
  %3 = pyk.complex_log10 %a : complex<f64>
  // CHECK-NEXT: pyk.complex_sin %{{.*}} : complex<f64>
  %4 = pyk.complex_sin %a : complex<f64>
  // CHECK-NEXT: pyk.complex_cos %{{.*}} : complex<f64>
  %5 = pyk.complex_cos %a : complex<f64>
  // CHECK-NEXT: pyk.complex_tan %{{.*}} : complex<f64>
  %6 = pyk.complex_tan %a : complex<f64>
  // CHECK-NEXT: pyk.complex_sinh %{{.*}} : complex<f64>
  %7 = pyk.complex_sinh %a : complex<f64>
  // CHECK-NEXT: pyk.complex_cosh %{{.*}} : complex<f64>
  %8 = pyk.complex_cosh %a : complex<f64>
  // CHECK-NEXT: pyk.complex_tanh %{{.*}} : complex<f64>
  %9 = pyk.complex_tanh %a : complex<f64>
  // CHECK-NEXT: pyk.complex_asin %{{.*}} : complex<f64>
  %10 = pyk.complex_asin %a : complex<f64>
  // CHECK-NEXT: pyk.complex_acos %{{.*}} : complex<f64>
  %11 = pyk.complex_acos %a : complex<f64>
  // CHECK-NEXT: pyk.complex_atan %{{.*}} : complex<f64>
  %12 = pyk.complex_atan %a : complex<f64>
  // CHECK-NEXT: pyk.complex_asinh %{{.*}} : complex<f64>
  %13 = pyk.complex_asinh %a : complex<f64>
  // CHECK-NEXT: pyk.complex_acosh %{{.*}} : complex<f64>
  %14 = pyk.complex_acosh %a : complex<f64>
  // CHECK-NEXT: pyk.complex_atanh %{{.*}} : complex<f64>
  %15 = pyk.complex_atanh %a : complex<f64>
  // CHECK-NEXT: pyk.complex_rect %{{.*}} : complex<f64>
  %16 = pyk.complex_rect %a : complex<f64>
  // CHECK-NEXT: pyk.complex_div %{{.*}}, %{{.*}} : complex<f64>
  %quotient = pyk.complex_div %a, %b : complex<f64>
  // CHECK-NEXT: pyk.complex_pow %{{.*}}, %{{.*}} : complex<f32>
  %power = pyk.complex_pow %z, %z : complex<f32>
  pyk.return
}

// CHECK-LABEL: pyk.func @elements(
// CHECK-SAME:    %{{.*}}: !pyk.array<?xcomplex<f32>, c>)
pyk.func @elements(%a: !pyk.array<?xcomplex<f32>, c>) -> complex<f32> {
  %c0 = arith.constant 0 : i64
  // CHECK: pyk.load %{{.*}}[%{{.*}}] : !pyk.array<?xcomplex<f32>, c>
  %z = pyk.load %a[%c0] : !pyk.array<?xcomplex<f32>, c>
  // CHECK-NEXT: pyk.store %{{.*}}, %{{.*}}[%{{.*}}] : !pyk.array<?xcomplex<f32>, c>
  pyk.store %z, %a[%c0] : !pyk.array<?xcomplex<f32>, c>
  pyk.return %z : complex<f32>
}

// CHECK-LABEL: pyk.func @parts(
pyk.func @parts(%a: !pyk.array<?x2xcomplex<f64>, c>) {
  // CHECK-NEXT: pyk.field %{{.*}} "real" : !pyk.array<?x2xcomplex<f64>, c> to !pyk.array<?x2xf64, any>
  %re = pyk.field %a "real" : !pyk.array<?x2xcomplex<f64>, c> to !pyk.array<?x2xf64, any>
  // CHECK-NEXT: pyk.field %{{.*}} "imag" : !pyk.array<?x2xcomplex<f64>, c> to !pyk.array<?x2xf64, any>
  %im = pyk.field %a "imag" : !pyk.array<?x2xcomplex<f64>, c> to !pyk.array<?x2xf64, any>
  pyk.return
}
