// RUN: pyk-opt %s --pyk-expand-atomics | FileCheck %s

// A NaN that is there stays, and one that comes changes nothing.
// CHECK-LABEL: pyk.func @maximum(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?xf32, c>, %[[I:.*]]: i64, %[[X:.*]]: f32)
pyk.func @maximum(%a: !pyk.array<?xf32, c>, %i: i64, %x: f32) -> f32 {
  // CHECK:      %[[FIRST:.*]] = pyk.load volatile %[[A]][%[[I]]]
  // CHECK:      %[[RESULT:.*]] = scf.while (%[[OLD:.*]] = %[[FIRST]])
  // CHECK-NEXT:   %[[REPLACES:.*]] = arith.cmpf ogt, %[[X]], %[[OLD]]
  // CHECK-NEXT:   %[[FOUND:.*]] = scf.if %[[REPLACES]]
  // CHECK-NEXT:     %[[SEEN:.*]] = pyk.atomic_cas %[[OLD]], %[[X]], %[[A]][%[[I]]]
  // CHECK-NEXT:     scf.yield %[[SEEN]]
  // CHECK-NEXT:   } else {
  // CHECK-NEXT:     scf.yield %[[OLD]]
  // CHECK:        %[[CHANGED:.*]] = arith.cmpi ne
  // CHECK-NEXT:   scf.condition(%[[CHANGED]]) %[[FOUND]]
  // CHECK:      pyk.return %[[RESULT]]
  %0 = pyk.atomic max %x, %a[%i] : !pyk.array<?xf32, c>
  pyk.return %0 : f32
}

// CHECK-LABEL: pyk.func @minimum(
pyk.func @minimum(%a: !pyk.array<?xf64, c>, %i: i64, %x: f64) {
  // CHECK: arith.cmpf olt
  %0 = pyk.atomic min %x, %a[%i] : !pyk.array<?xf64, c>
  pyk.return
}

// A short float that is there goes if it is NaN.
// CHECK-LABEL: pyk.func @short(
// CHECK-SAME:    %{{.*}}: !pyk.array<f16, c>, %[[X:.*]]: f16)
pyk.func @short(%a: !pyk.array<f16, c>, %x: f16) {
  // CHECK:      scf.while (%[[OLD:.*]] =
  // CHECK-NEXT:   %[[BELOW:.*]] = arith.cmpf olt, %[[X]], %[[OLD]]
  // CHECK-NEXT:   %[[NAN:.*]] = arith.cmpf uno, %[[OLD]], %[[OLD]]
  // CHECK-NEXT:   arith.ori %[[BELOW]], %[[NAN]]
  %0 = pyk.atomic nanmin %x, %a[] : !pyk.array<f16, c>
  pyk.return
}

// The loop may store nothing, and orders all the same.
// CHECK-LABEL: pyk.func @ordered(
pyk.func @ordered(%a: !pyk.array<f32, c>, %x: f32) {
  // CHECK-NEXT: pyk.fence block
  // CHECK:      pyk.atomic_cas scope block
  // CHECK:      pyk.fence block
  // CHECK-NEXT: pyk.return
  %0 = pyk.atomic max order acquire scope block %x, %a[] : !pyk.array<f32, c>
  pyk.return
}

// A NaN is replaced.
// CHECK-LABEL: pyk.func @nanmax(
// CHECK-SAME:    %{{.*}}: !pyk.array<f32, c>, %[[X:.*]]: f32)
pyk.func @nanmax(%a: !pyk.array<f32, c>, %x: f32) {
  // CHECK:      %[[IS_BEYOND:.*]] = arith.cmpf ogt, %[[X]], %[[OLD:.*]] : f32
  // CHECK-NEXT: %[[IS_NAN:.*]] = arith.cmpf uno, %[[OLD]], %[[OLD]] : f32
  // CHECK-NEXT: %[[REPLACES:.*]] = arith.ori %[[IS_BEYOND]], %[[IS_NAN]] : i1
  // CHECK-NEXT: scf.if %[[REPLACES]]
  // CHECK-NEXT:   pyk.atomic_cas %[[OLD]], %[[X]]
  %0 = pyk.atomic nanmax %x, %a[] : !pyk.array<f32, c>
  pyk.return
}

// What LLVM has.
// CHECK-LABEL: pyk.func @others(
pyk.func @others(%n: !pyk.array<?xi32, c>, %i: i64, %k: i32) {
  // CHECK-NEXT: pyk.atomic max
  %1 = pyk.atomic max %k, %n[%i] : !pyk.array<?xi32, c>
  pyk.return
}
