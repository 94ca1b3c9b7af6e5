// RUN: pyk-opt %s --split-input-file --py-infer-types --convert-py-to-pyk \
// RUN:   --canonicalize | FileCheck %s

// Memory holds a record of codes, and a value is as many integers.
// CHECK-LABEL: pyk.func @load(
// CHECK-SAME:    %[[TEXTS:.*]]: !pyk.array<?x!pyk.record<"codes" : 2xi32 at 0, size 8>, c>
// CHECK:         %[[RECORD:.*]] = pyk.view %[[TEXTS]]
// CHECK:         %[[CODES:.*]] = pyk.field %[[RECORD]] "codes"
// CHECK:         %[[FIRST:.*]] = pyk.load %[[CODES]]
// CHECK:         %[[TARGET:.*]] = pyk.field %{{.*}} "codes" {{.*}} to !pyk.array<1xi32
// CHECK:         pyk.store %[[FIRST]], %[[TARGET]]
// CHECK-NOT:     pyk.store
py.func @load(["a", "b"]) kernel arguments [
    !pyk.array<?x!py.chars<str, 2>, c>, !pyk.array<?x!py.chars<str, 1>, c>] {
  %a = py.get "a" : !py.object
  %b = py.get "b" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %text = py.subscript %a[%zero] : (!py.object, !py.object) -> !py.object
  py.set_subscript %text, %b[%zero] : !py.object, !py.object, !py.object
}

// -----

// The shorter text has zeros behind it.
// CHECK-LABEL: pyk.func @compare(
// CHECK-SAME:    %[[OUT:.*]]: !pyk.array<?xi1, c>, %[[A:.*]]: i8, %[[B:.*]]: i8)
// CHECK-DAG:     %[[LETTER:.*]] = arith.constant 97 : i8
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK-DAG:     %[[SAME_B:.*]] = arith.cmpi eq, %[[B]], %[[ZERO]]
// CHECK-DAG:     %[[SAME_A:.*]] = arith.cmpi eq, %[[A]], %[[LETTER]]
// CHECK:         %[[SAME:.*]] = arith.andi %[[SAME_A]], %[[SAME_B]]
// CHECK:         pyk.store %[[SAME]], %[[OUT]]
py.func @compare(["out", "s"]) kernel arguments [
    !pyk.array<?xi1, c>, !py.chars<bytes, 2>] {
  %out = py.get "out" : !py.object
  %s = py.get "s" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %a = py.constant(#py.bytes<"a">) : !py.object
  %same = py.compare eq %s, %a : (!py.object, !py.object) -> !py.object
  py.set_subscript %same, %out[%zero] : !py.object, !py.object, !py.object
}
