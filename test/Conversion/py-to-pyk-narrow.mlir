// RUN: pyk-opt %s --py-infer-types --convert-py-to-pyk | FileCheck %s

!o = !py.object

// A kernel of narrow typing counts elements in 32 bits, and says so of its
// arrays; a function that it calls is its own affair.
// CHECK-LABEL: pyk.func @sizes(
// CHECK-SAME:    %{{.*}}: !pyk.array<?x4xf32, c> {pyk.facts = #pyk.facts<narrow>},
// CHECK-SAME:    %{{.*}}: !pyk.array<f32, c>, %{{[a-z0-9]*}}: i32)
py.func @sizes(["a", "scalar", "n"]) kernel
    arguments [!pyk.array<?x4xf32, c>, !pyk.array<f32, c>, si32] narrow {
  %rows = py.constant(@rows) : !o
  %a = py.get "a" : !o
  // CHECK: %[[ROWS:.*]] = pyk.dim %{{.*}}, 0 : !pyk.array<?x4xf32, c> -> i32
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
  %size = py.attribute %a "size" : (!o) -> !o
  // CHECK: pyk.call @rows
  %r = py.call %rows(%a) : (!o, !o) -> !o
}

// CHECK-LABEL: pyk.func @rows(
// CHECK-NOT:     pyk.facts
py.func @rows(["a"]) narrow {
  %len = py.constant(#py.intrinsic<"builtins.len">) : !o
  %a = py.get "a" : !o
  // CHECK: pyk.dim %{{.*}}, 0 : !pyk.array<?x4xf32, c> -> i32
  %n = py.call %len(%a) : (!o, !o) -> !o
  py.return %n : !o
}
