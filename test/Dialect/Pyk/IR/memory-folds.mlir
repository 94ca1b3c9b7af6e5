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

// In 32 bits an extent that is at hand in 64 is cut, and fits.
// CHECK-LABEL: pyk.func @narrow_extents(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?x8xf32, c>, %{{.*}}: !llvm.ptr<1>, %[[M:.*]]: i64
pyk.func @narrow_extents(%a: !pyk.array<?x8xf32, c>, %p: !llvm.ptr<1>, %m: i64)
    -> (i32, i32, i32, i32) {
  // CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i32
  // CHECK-DAG: %[[ROWS:.*]] = pyk.dim %[[A]], 0 : !pyk.array<?x8xf32, c> -> i32
  %t = pyk.transpose %a[1, 0]
      : !pyk.array<?x8xf32, c> to !pyk.array<8x?xf32, f>
  %0 = pyk.dim %t, 0 : !pyk.array<8x?xf32, f> -> i32
  %1 = pyk.dim %t, 1 : !pyk.array<8x?xf32, f> -> i32
  // CHECK: %[[CUT:.*]] = arith.trunci %[[M]] overflow<nsw, nuw> : i64 to i32
  %b = pyk.from_pointer %p extents(%m) : !llvm.ptr<1> to !pyk.array<?xf32, c>
  %2 = pyk.dim %b, 0 : !pyk.array<?xf32, c> -> i32
  // CHECK: %[[COUNT:.*]] = arith.trunci %[[M]] overflow<nsw, nuw> : i64 to i32
  %v = pyk.view %a[%m : %m, *]
      : !pyk.array<?x8xf32, c> to !pyk.array<?x8xf32, c>
  %3 = pyk.dim %v, 0 : !pyk.array<?x8xf32, c> -> i32
  // CHECK: pyk.return %[[EIGHT]], %[[ROWS]], %[[CUT]], %[[COUNT]]
  pyk.return %0, %1, %2, %3 : i32, i32, i32, i32
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
