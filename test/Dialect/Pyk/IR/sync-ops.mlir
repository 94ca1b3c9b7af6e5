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
