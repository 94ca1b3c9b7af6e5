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

// CHECK-LABEL: pyk.func @child(
// CHECK-SAME:    attributes {kernel, pyk.child}
pyk.func @child(%a: !pyk.array<?xf32, c>, %x: f32)
    attributes {kernel, pyk.child} {
  pyk.return
}

// CHECK-LABEL: pyk.func @parent(
pyk.func @parent(%a: !pyk.array<?xf32, c>, %x: f32, %n: i64)
    attributes {kernel} {
  // CHECK: %[[S:.*]] = pyk.stream : i64
  %s = pyk.stream : i64
  // CHECK: pyk.launch @child grid(%[[N:.*]], %[[N]], %[[N]]) block(%[[N]], %[[N]], %[[N]]) stream %[[S]] shared %[[N]](%{{.*}}, %{{.*}}) : !pyk.array<?xf32, c>, f32
  pyk.launch @child grid(%n, %n, %n) block(%n, %n, %n) stream %s
    shared %n (%a, %x) : !pyk.array<?xf32, c>, f32
  pyk.return
}

// CHECK-LABEL: pyk.func @foreign(
pyk.func @foreign(%a: !pyk.array<?xf32, c>, %x: f32) -> f32 {
  // CHECK: pyk.foreign_call #pyk.foreign<c, "sum", [f32, none]>(%{{.*}}, %{{.*}}) : (!pyk.array<?xf32, c>, f32) -> f32
  %y = pyk.foreign_call #pyk.foreign<c, "sum", [f32, none]> (%a, %x) : (!pyk.array<?xf32, c>, f32) -> f32
  // CHECK: pyk.foreign_call #pyk.foreign<numba, "none", [], at = 4096, cooperative = true>() host @empty : () -> ()
  pyk.foreign_call #pyk.foreign<numba, "none", [], at = 4096, cooperative = true> () host @empty : () -> ()
  pyk.return %y : f32
}
