// RUN: pyk-opt %s --split-input-file --py-infer-types --convert-py-to-pyk \
// RUN:   --canonicalize | FileCheck %s

// The items of a tuple are arguments of their own; an empty one is none.
// CHECK-LABEL: pyk.func @tuples(
// CHECK-SAME:    %[[ARRAY:.*]]: !pyk.array<?xf64, c>, %[[X:.*]]: f64,
// CHECK-SAME:    %{{.*}}: i64, %[[Y:.*]]: f64)
// CHECK:         %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK:         pyk.store %[[SUM]], %[[ARRAY]]
py.func @tuples(["a", "t", "e", "p"]) kernel arguments [
    !pyk.array<?xf64, c>, tuple<f64, si64>, tuple<>,
    !py.named_tuple<"m.P", ["y"], tuple<f64>>] {
  %t = py.get "t" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %x = py.subscript %t[%zero] : (!py.object, !py.object) -> !py.object
  %p = py.get "p" : !py.object
  %y = py.attribute %p "y" : (!py.object) -> !py.object
  %sum = py.binary add %x, %y : (!py.object, !py.object) -> !py.object
  %a = py.get "a" : !py.object
  py.set_subscript %sum, %a[%zero] : !py.object, !py.object, !py.object
}

// -----

// None ends the thread where a number is needed, and is a bit where not.
// CHECK-LABEL: pyk.func @optional(
// CHECK-SAME:    %[[ARRAY:.*]]: !pyk.array<?xf64, c>, %[[N:.*]]: i64)
// CHECK:         %[[PRESENT:.*]] = arith.cmpi ne, %[[N]]
// CHECK:         pyk.check %[[PRESENT]]
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
py.func @optional(["a", "n"]) kernel arguments [!pyk.array<?xf64, c>, si64] {
  %none = py.constant(#py.none) : !py.object
  py.set "x", %none : !py.object
  %n = py.get "n" : !py.object
  py.if %n : !py.object {
    %m = py.get "n" : !py.object
    py.set "x", %m : !py.object
  } else {
  }
  %x = py.get "x" : !py.object
  %one = py.constant(#py.int<1 : si64>) : !py.object
  %sum = py.binary add %x, %one : (!py.object, !py.object) -> !py.object
  %a = py.get "a" : !py.object
  py.set_subscript %sum, %a[%one] : !py.object, !py.object, !py.object
}

// -----

// A member of an integer enumeration is an index; another one is not.
// CHECK-LABEL: pyk.func @member(
// CHECK-SAME:    %[[ARRAY:.*]]: !pyk.array<?xf64, c>, %[[I:.*]]: i64)
// CHECK:         pyk.wrap_index %[[I]]
py.func @member(["a", "i"]) kernel arguments [
    !pyk.array<?xf64, c>, !py.enum<"m.E", si64, integer = true>] {
  %i = py.get "i" : !py.object
  %a = py.get "a" : !py.object
  py.set_subscript %i, %a[%i] : !py.object, !py.object, !py.object
}
