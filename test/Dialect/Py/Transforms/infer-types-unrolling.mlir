// RUN: pyk-opt %s --split-input-file --py-infer-types | FileCheck %s

!o = !py.object

// Each copy has the type of its item; a variable that the body assigns has it
// from one copy to the next.
// CHECK-LABEL: py.func @sum(
// CHECK:       py.for in %{{.*}} item 0 {{.*}}: tuple<si64> {
// CHECK:         py.get "x" : si64
// CHECK:         py.set "s", %{{.*}} : si64 as si64
// CHECK:       py.for in %{{.*}} item 1 {{.*}}: tuple<f64> {
// CHECK:         py.get "x" : f64
// CHECK:         py.set "s", %{{.*}} : f64 as f64
// CHECK-NOT:   py.for
// CHECK:       py.get "s" : f64
py.func @sum([]) kernel arguments [] {
  %zero = py.constant(#py.int<0 : si64>) : !o
  py.set "s", %zero : !o
  %t = py.constant([#py.int<1 : si64>, 2.5]) : !o
  py.for in %t : !o {
  ^body(%element: !o):
    py.set "x", %element : !o
    %s = py.get "s" : !o
    %x = py.get "x" : !o
    %sum = py.binary add %s, %x : (!o, !o) -> !o
    py.set "s", %sum : !o
  }
  %after = py.get "s" : !o
}

// -----

!o = !py.object

// A break passes the other copies and the loop's own else by.
// CHECK-LABEL: py.func @leaves(
// CHECK:       py.for in %{{.*}} item 0 {{.*}}: tuple<si64> {
// CHECK:           py.break
// CHECK:       } else {
// CHECK:         py.for in %{{.*}} item 1 {{.*}}: tuple<f32> {
// CHECK:             py.break
// CHECK:         } else {
// CHECK:           py.set "found"
py.func @leaves(["c", "y"]) kernel arguments [i1, f32] {
  %one = py.constant(#py.int<1 : si64>) : !o
  %y = py.get "y" : !o
  %t = py.tuple(%one, %y) : (!o, !o) -> !o
  py.for in %t : !o {
  ^body(%element: !o):
    %c = py.get "c" : !o
    py.if %c : !o {
      py.break
    } else {
    }
  } else {
    py.set "found", %one : !o
  }
}

// -----

!o = !py.object

// A loop over a tuple of one type stays a loop, unless literal_unroll asks for
// copies; the condition on the item of a copy is decided.
// CHECK-LABEL: py.func @asked(
// CHECK:       py.for in %{{.*}}: tuple<si64, si64> {
// CHECK-NOT:   numba.literal_unroll">) named
// CHECK:       py.for in %{{.*}} item 0 {{.*}}: tuple<si64>
// CHECK:         py.if %{{.*}} taken false
// CHECK:       py.for in %{{.*}} item 1 {{.*}}: tuple<si64>
// CHECK:         py.if %{{.*}} taken true
py.func @asked([]) kernel arguments [] {
  %t = py.constant([#py.int<1 : si64>, #py.int<2 : si64>]) : !o
  py.for in %t : !o {
  ^body(%element: !o):
  }
  %unroll = py.constant(#py.intrinsic<"numba.literal_unroll">) : !o
  %all = py.call %unroll(%t) : (!o, !o) -> !o
  py.for in %all : !o {
  ^body(%element: !o):
    py.set "x", %element : !o
    %x = py.get "x" : !o
    %two = py.constant(#py.int<2 : si64>) : !o
    %is = py.compare eq %x, %two : (!o, !o) -> !o
    py.if %is : !o {
    } else {
    }
  }
}
