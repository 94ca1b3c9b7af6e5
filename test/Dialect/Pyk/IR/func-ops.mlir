// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @empty_kernel() attributes {kernel}
pyk.func @empty_kernel() attributes {kernel} {
  // CHECK-NEXT: pyk.return
  pyk.return
}

// CHECK-LABEL: pyk.func @argument_attributes(
// CHECK-SAME:    !pyk.array<?xf32, c> {llvm.noalias}
pyk.func @argument_attributes(%a: !pyk.array<?xf32, c> {llvm.noalias})
    attributes {kernel} {
  pyk.return
}

// CHECK-LABEL: pyk.func @min_max(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32) -> (f32, f32)
pyk.func @min_max(%a: f32, %b: f32) -> (f32, f32) {
  // CHECK-NEXT: pyk.return %[[A]], %[[B]] : f32, f32
  pyk.return %a, %b : f32, f32
}

// CHECK-LABEL: pyk.func @caller(
pyk.func @caller(%a: f32, %b: f32) -> f32 {
  // CHECK: pyk.call @min_max(%{{.*}}, %{{.*}}) : (f32, f32) -> (f32, f32)
  %low, %high = pyk.call @min_max(%a, %b) : (f32, f32) -> (f32, f32)
  // CHECK: pyk.call @empty() : () -> ()
  pyk.call @empty() : () -> ()
  pyk.return %low : f32
}

pyk.func @empty() {
  pyk.return
}
