// RUN: pyk-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: pyk.func @through_a_view(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?x?xi32, c>, %[[I:.*]]: i64, %[[X:.*]]: i32)
pyk.func @through_a_view(%a: !pyk.array<?x?xi32, c>, %i: i64, %x: i32) {
  // CHECK-NEXT: pyk.atomic add %[[X]], %[[A]][%[[I]], %[[I]]]
  // CHECK-NEXT: pyk.atomic_cas %[[X]], %[[X]], %[[A]][%[[I]], %[[I]]]
  %row = pyk.view %a[%i, *] : !pyk.array<?x?xi32, c> to !pyk.array<?xi32, c>
  %0 = pyk.atomic add %x, %row[%i] : !pyk.array<?xi32, c>
  %1 = pyk.atomic_cas %x, %x, %row[%i] : !pyk.array<?xi32, c>
  pyk.return
}
