// RUN: pyk-opt %s --split-input-file --py-infer-types --convert-py-to-pyk \
// RUN:   | FileCheck %s

!o = !py.object

// The body for each item stands in the function; `break` and the copies that it
// passes by are conditions.
// CHECK-LABEL: pyk.func @conditions(
// CHECK-SAME:    %{{[^:]*}}: !pyk.array<?xf64, c>, %[[C:[^:]*]]: i1
// CHECK-NOT:   pyk.loop
// CHECK:       %[[GOES_ON:.*]] = scf.if %[[C]] -> (i1) {
// CHECK:         pyk.store
// CHECK:       scf.if %[[GOES_ON]] {
// CHECK:         %[[STAYS:.*]] = arith.xori %[[C]]
// CHECK:         scf.if %[[STAYS]] {
// CHECK:           pyk.store
// CHECK-NOT:   pyk.loop
py.func @conditions(["a", "c"]) kernel arguments [!pyk.array<?xf64, c>, i1] {
  %t = py.constant([#py.int<1 : si64>, 2.5]) : !o
  py.for in %t : !o {
  ^body(%element: !o):
    %c = py.get "c" : !o
    py.if %c : !o {
      py.break
    } else {
    }
    %a = py.get "a" : !o
    %zero = py.constant(#py.int<0 : si64>) : !o
    py.set_subscript %element, %a[%zero] : !o, !o, !o
  }
}

// -----

!o = !py.object

// Where control leaves the body from within a loop's else, a loop that ends
// after one iteration is left.
// CHECK-LABEL: pyk.func @loop(
// CHECK:       pyk.loop
// CHECK:         pyk.if
// CHECK:           pyk.break
// CHECK-NOT:   pyk.continue
py.func @loop(["c", "d"]) kernel arguments [i1, i1] {
  %t = py.constant([#py.int<1 : si64>, 2.5]) : !o
  py.for in %t : !o {
  ^body(%element: !o):
    %c = py.get "c" : !o
    py.if %c : !o {
      %d = py.get "d" : !o
      py.if %d : !o {
        py.continue
      } else {
      }
    } else {
    }
    py.set "x", %element : !o
    %x = py.get "x" : !o
  }
}
