// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @waiting(
pyk.func @waiting() {
  // CHECK-NEXT: pyk.barrier
  pyk.barrier
  // CHECK-NEXT: pyk.spin_hint
  pyk.spin_hint
  pyk.return
}

// CHECK-LABEL: pyk.func @shuffles(
pyk.func @shuffles(%mask: i32, %x: f32, %n: i64, %offset: i32) {
  // CHECK-NEXT: pyk.shuffle index %{{.*}}, %{{.*}} mask %{{.*}} : f32
  %a = pyk.shuffle index %x, %offset mask %mask : f32
  // CHECK-NEXT: pyk.shuffle up %{{.*}}, %{{.*}} mask %{{.*}} : i64
  %b = pyk.shuffle up %n, %offset mask %mask : i64
  // CHECK-NEXT: pyk.shuffle down
  %c = pyk.shuffle down %x, %offset mask %mask : f32
  // CHECK-NEXT: pyk.shuffle xor
  %d = pyk.shuffle xor %x, %offset mask %mask : f32
  pyk.return
}
