// RUN: pyk-opt %s --split-input-file --py-infer-types --convert-py-to-pyk \
// RUN:   --canonicalize | FileCheck %s

// Memory holds a record that is aligned as a whole, and a value is as many
// numbers.
// CHECK-LABEL: pyk.func @load(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?x!pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8, align 8>, c>
// CHECK:         %[[RECORD:.*]] = pyk.view %[[A]]
// CHECK:         %[[FIELD:.*]] = pyk.field %[[RECORD]] "x" {{.*}} to !pyk.array<f32, c, align 8>
// CHECK:         %[[X:.*]] = pyk.load %[[FIELD]]
// CHECK:         %[[FIELD:.*]] = pyk.field %[[RECORD]] "y" {{.*}} to !pyk.array<f32, c>
// CHECK:         %[[Y:.*]] = pyk.load %[[FIELD]]
// CHECK:         %[[FIELD:.*]] = pyk.field %{{.*}} "x" {{.*}} to !pyk.array<f32, c, align 8>
// CHECK:         pyk.store %[[X]], %[[FIELD]]
// CHECK:         pyk.store %[[Y]],
// CHECK-NOT:     pyk.store
py.func @load(["a"]) kernel arguments [!pyk.array<?x!py.vector<f32, 2>, c>] {
  %a = py.get "a" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %one = py.constant(#py.int<1 : si64>) : !py.object
  %v = py.subscript %a[%one] : (!py.object, !py.object) -> !py.object
  py.set_subscript %v, %a[%zero] : !py.object, !py.object, !py.object
}

// -----

// Three numbers are aligned as one is.
// CHECK-LABEL: pyk.func @three(
// CHECK-SAME:    !pyk.array<?x!pyk.record<"x" : i16 at 0, "y" : i16 at 2, "z" : i16 at 4, size 6>, c>
py.func @three(["a"]) kernel arguments [!pyk.array<?x!py.vector<si16, 3>, c>] {
}

// -----

// Integers are computed with as such, in the width of the vector.
// CHECK-LABEL: pyk.func @arithmetic(
// CHECK-SAME:    %[[OUT:.*]]: !pyk.array<?xi8, c>, %[[X:.*]]: i8, %[[Y:.*]]: i8)
// CHECK:         %[[SUM:.*]] = arith.addi %[[X]], %[[Y]] : i8
// CHECK:         pyk.store %[[SUM]], %[[OUT]]
py.func @arithmetic(["out", "v"]) kernel
    arguments [!pyk.array<?xui8, c>, !py.vector<ui8, 2>] {
  %out = py.get "out" : !py.object
  %v = py.get "v" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %y = py.attribute %v "y" : (!py.object) -> !py.object
  %sum = py.binary add %v, %y : (!py.object, !py.object) -> !py.object
  %x = py.attribute %sum "x" : (!py.object) -> !py.object
  py.set_subscript %x, %out[%zero] : !py.object, !py.object, !py.object
}
