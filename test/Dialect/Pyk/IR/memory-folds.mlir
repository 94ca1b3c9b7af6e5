// RUN: pyk-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: pyk.func @static_extent(
pyk.func @static_extent(%a: !pyk.array<?x8xf32, c>) -> (i64, i64) {
  // CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i64
  // CHECK-DAG: %[[ROWS:.*]] = pyk.dim %{{.*}}, 0
  %0 = pyk.dim %a, 0 : !pyk.array<?x8xf32, c>
  %1 = pyk.dim %a, 1 : !pyk.array<?x8xf32, c>
  // CHECK: pyk.return %[[ROWS]], %[[EIGHT]]
  pyk.return %0, %1 : i64, i64
}

// CHECK-LABEL: pyk.func @extents_of_rebuilt_array(
// CHECK-SAME:    %{{.*}}: !llvm.ptr<1>, %[[M:.*]]: i64, %[[N:.*]]: i64
pyk.func @extents_of_rebuilt_array(%p: !llvm.ptr<1>, %m: i64, %n: i64)
    -> (i64, i64) {
  %a = pyk.from_pointer %p extents(%m, %n)
      : !llvm.ptr<1> to !pyk.array<?x8x?xf32, c>
  %0 = pyk.dim %a, 0 : !pyk.array<?x8x?xf32, c>
  %1 = pyk.dim %a, 2 : !pyk.array<?x8x?xf32, c>
  // CHECK-NEXT: pyk.return %[[M]], %[[N]]
  pyk.return %0, %1 : i64, i64
}

// A loop whose only purpose is to return is no dead code.
// CHECK-LABEL: pyk.func @exits_have_an_effect(
pyk.func @exits_have_an_effect(%c: i1) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: pyk.if
  // CHECK-NEXT: pyk.return
  pyk.if %c {
    pyk.return %zero : i64
  }
  pyk.return %one : i64
}
