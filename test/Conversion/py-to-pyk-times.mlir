// RUN: pyk-opt %s --split-input-file --py-infer-types --convert-py-to-pyk \
// RUN:   --canonicalize | FileCheck %s

// Times are their counts: no type of py is left, in arrays and records neither.
// CHECK-LABEL: pyk.func @types(
// CHECK-SAME:    %[[ARRAY:.*]]: !pyk.array<?xi64, c>, %{{.*}}: i64,
// CHECK-SAME:    %{{.*}}: !pyk.array<?x!pyk.record<"day" : 2xi64 at 0, size 16>, c>)
// CHECK:         pyk.constant_array dense<[1, 7]> : tensor<2xi64>
// CHECK:         pyk.store %{{.*}}, %[[ARRAY]]
py.func @types(["a", "d", "r"]) kernel arguments [
    !pyk.array<?x!py.time<datetime, D>, c>, !py.time<timedelta, generic>,
    !pyk.array<?x!pyk.record<"day" : 2x!py.time<datetime, D> at 0, size 16>, c>] {
  %a = py.get "a" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %table = py.constant(#py.stored_array<
      dense<[[1, 0, 0, 0, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0, 0]]>
          : tensor<2x8xi8>, !py.time<datetime, D>>) : !py.object
  %i = py.get "d" : !py.object
  %n = py.attribute %a "size" : (!py.object) -> !py.object
  %first = py.subscript %table[%n] : (!py.object, !py.object) -> !py.object
  py.set_subscript %first, %a[%zero] : !py.object, !py.object, !py.object
}

// -----

// The coarser count is scaled; that of NaT is never looked at.
// CHECK-LABEL: pyk.func @sum(
// CHECK-SAME:    %{{.*}}: !pyk.array<?xi64, c>, %[[X:.*]]: i64, %[[D:.*]]: i64)
// CHECK-DAG:     %[[NAT:.*]] = arith.constant -9223372036854775808 : i64
// CHECK-DAG:     %[[HOURS:.*]] = arith.constant 24 : i64
// CHECK-DAG:     %[[NONE_X:.*]] = arith.cmpi eq, %[[X]], %[[NAT]]
// CHECK-DAG:     %[[NONE_D:.*]] = arith.cmpi eq, %[[D]], %[[NAT]]
// CHECK-DAG:     %[[LOST:.*]] = arith.ori %[[NONE_X]], %[[NONE_D]]
// CHECK-DAG:     %[[SCALED:.*]] = arith.muli %[[X]], %[[HOURS]]
// CHECK:         %[[SUM:.*]] = arith.addi %[[SCALED]], %[[D]]
// CHECK:         arith.select %[[LOST]], %[[NAT]], %[[SUM]]
py.func @sum(["a", "x", "d"]) kernel arguments [
    !pyk.array<?x!py.time<datetime, h>, c>, !py.time<datetime, D>,
    !py.time<timedelta, h>] {
  %a = py.get "a" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %x = py.get "x" : !py.object
  %d = py.get "d" : !py.object
  %sum = py.binary add %x, %d : (!py.object, !py.object) -> !py.object
  py.set_subscript %sum, %a[%zero] : !py.object, !py.object, !py.object
}
