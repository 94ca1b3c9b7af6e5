// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @functions(
pyk.func @functions(%a: complex<f64>, %b: complex<f64>, %z: complex<f32>) {
  // CHECK-NEXT: pyk.complex.sqrt %{{.*}} : complex<f64>
  %0 = pyk.complex.sqrt %a : complex<f64>
  // CHECK-NEXT: pyk.complex.exp %{{.*}} : complex<f64>
  %1 = pyk.complex.exp %a : complex<f64>
  // CHECK-NEXT: pyk.complex.log %{{.*}} : complex<f64>
  %2 = pyk.complex.log %a : complex<f64>
  // CHECK-NEXT: pyk.complex.log10 %{{.*}} : complex<f64>
  %3 = pyk.complex.log10 %a : complex<f64>
  // CHECK-NEXT: pyk.complex.sin %{{.*}} : complex<f64>
  %4 = pyk.complex.sin %a : complex<f64>
  // CHECK-NEXT: pyk.complex.cos %{{.*}} : complex<f64>
  %5 = pyk.complex.cos %a : complex<f64>
  // CHECK-NEXT: pyk.complex.tan %{{.*}} : complex<f64>
  %6 = pyk.complex.tan %a : complex<f64>
  // CHECK-NEXT: pyk.complex.sinh %{{.*}} : complex<f64>
  %7 = pyk.complex.sinh %a : complex<f64>
  // CHECK-NEXT: pyk.complex.cosh %{{.*}} : complex<f64>
  %8 = pyk.complex.cosh %a : complex<f64>
  // CHECK-NEXT: pyk.complex.tanh %{{.*}} : complex<f64>
  %9 = pyk.complex.tanh %a : complex<f64>
  // CHECK-NEXT: pyk.complex.asin %{{.*}} : complex<f64>
  %10 = pyk.complex.asin %a : complex<f64>
  // CHECK-NEXT: pyk.complex.acos %{{.*}} : complex<f64>
  %11 = pyk.complex.acos %a : complex<f64>
  // CHECK-NEXT: pyk.complex.atan %{{.*}} : complex<f64>
  %12 = pyk.complex.atan %a : complex<f64>
  // CHECK-NEXT: pyk.complex.asinh %{{.*}} : complex<f64>
  %13 = pyk.complex.asinh %a : complex<f64>
  // CHECK-NEXT: pyk.complex.acosh %{{.*}} : complex<f64>
  %14 = pyk.complex.acosh %a : complex<f64>
  // CHECK-NEXT: pyk.complex.atanh %{{.*}} : complex<f64>
  %15 = pyk.complex.atanh %a : complex<f64>
  // CHECK-NEXT: pyk.complex.rect %{{.*}} : complex<f64>
  %16 = pyk.complex.rect %a : complex<f64>
  // CHECK-NEXT: pyk.complex.div %{{.*}}, %{{.*}} : complex<f64>
  %quotient = pyk.complex.div %a, %b : complex<f64>
  // CHECK-NEXT: pyk.complex.pow %{{.*}}, %{{.*}} : complex<f32>
  %power = pyk.complex.pow %z, %z : complex<f32>
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
