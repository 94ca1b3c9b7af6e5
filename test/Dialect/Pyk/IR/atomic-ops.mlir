// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @atomics(
pyk.func @atomics(%a: !pyk.array<?x4xf32, any>, %n: !pyk.array<?xi64, c>,
                  %h: !pyk.array<bf16, c>, %i: i64, %x: f32, %k: i64,
                  %b: bf16) {
  // CHECK-NEXT: pyk.atomic add %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !pyk.array<?x4xf32, any>
  %0 = pyk.atomic add %x, %a[%i, %i] : !pyk.array<?x4xf32, any>
  // CHECK-NEXT: pyk.atomic max unsigned %{{.*}}, %{{.*}}[%{{.*}}] : !pyk.array<?xi64, c>
  %1 = pyk.atomic max unsigned %k, %n[%i] : !pyk.array<?xi64, c>
  // CHECK-NEXT: pyk.atomic_cas %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] : !pyk.array<?xi64, c>
  %2 = pyk.atomic_cas %1, %k, %n[%i] : !pyk.array<?xi64, c>
  // CHECK-NEXT: pyk.atomic exch order acq_rel scope block %{{.*}}, %{{.*}}[%{{.*}}] : !pyk.array<?xi64, c>
  %3 = pyk.atomic exch order acq_rel scope block %k, %n[%i]
    : !pyk.array<?xi64, c>
  // CHECK-NEXT: pyk.atomic_cas order seq_cst scope system %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] : !pyk.array<?xi64, c>
  %4 = pyk.atomic_cas order seq_cst scope system %1, %k, %n[%i]
    : !pyk.array<?xi64, c>
  // CHECK-NEXT: pyk.atomic add %{{.*}}, %{{.*}}[] : !pyk.array<bf16, c>
  %5 = pyk.atomic add order relaxed scope device %b, %h[]
    : !pyk.array<bf16, c>
  // CHECK-NEXT: pyk.fence block
  pyk.fence block
  // CHECK-NEXT: pyk.fence system
  pyk.fence system
  pyk.return
}
