// RUN: pyk-opt %s --canonicalize | FileCheck %s

!point = !pyk.record<"x" : f32 at 0, "m" : 3xf32 at 4, size 16>

// The extents and strides of a field are those of the records.
// CHECK-LABEL: pyk.func @sizes(
// CHECK-SAME: %[[RECORDS:.*]]: !pyk.array
pyk.func @sizes(%a: !pyk.array<?x!point, any>) -> (i64, i64, i64, i64, i64) {
  %zero = arith.constant 0 : i64
  %m = pyk.field %a "m" : !pyk.array<?x!point, any> to !pyk.array<?x3xf32, any>
  // CHECK-DAG: %[[OWN:.*]] = arith.constant 3 : i64
  // CHECK-DAG: %[[FIELD:.*]] = pyk.field %[[RECORDS]]
  // CHECK-DAG: %[[EXTENT:.*]] = pyk.dim %[[RECORDS]], 0
  %n = pyk.dim %m, 0 : !pyk.array<?x3xf32, any>
  %k = pyk.dim %m, 1 : !pyk.array<?x3xf32, any>
  // CHECK-DAG: %[[STRIDE:.*]] = pyk.stride %[[RECORDS]], 0
  %s = pyk.stride %m, 0 : !pyk.array<?x3xf32, any>
  // CHECK-DAG: %[[INNER:.*]] = pyk.stride %[[FIELD]], 1
  %t = pyk.stride %m, 1 : !pyk.array<?x3xf32, any>
  // CHECK: pyk.return %[[EXTENT]], %[[OWN]], %[[STRIDE]], %[[INNER]]
  pyk.return %n, %k, %s, %t, %zero : i64, i64, i64, i64, i64
}

// A copy has an effect; a field that nothing reads has none.
// CHECK-LABEL: pyk.func @effects(
pyk.func @effects(%a: !pyk.array<!point, c>, %b: !pyk.array<!point, c>) {
  // CHECK-NEXT: pyk.copy_record
  pyk.copy_record %a to %b : !pyk.array<!point, c>, !pyk.array<!point, c>
  %x = pyk.field %a "x" : !pyk.array<!point, c> to !pyk.array<f32, c>
  // CHECK-NEXT: pyk.return
  pyk.return
}
