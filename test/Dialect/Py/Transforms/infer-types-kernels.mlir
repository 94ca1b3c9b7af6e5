// RUN: pyk-opt %s --split-input-file --py-infer-types | FileCheck %s

!o = !py.object

// Each kernel is inferred; what two of them call with the same types is there
// once.
// CHECK-LABEL: py.func @ints(["n"]) kernel arguments [si64] returns none
// CHECK:         py.call %{{.*}} target @twice : {{.*}} -> si64
// CHECK-LABEL: py.func @both(["n", "f"]) kernel arguments [si64, f32] returns none
// CHECK:         py.call %{{.*}} target @twice : {{.*}} -> si64
// CHECK:         py.call %{{.*}} target @[[OTHER:.*]] : {{.*}} -> f32
// CHECK-DAG:   py.func @twice(["x"]) arguments [si64] returns si64
// CHECK-DAG:   py.func @[[OTHER]](["x"]) arguments [f32] returns f32
// CHECK-NOT:   py.func
py.func @ints(["n"]) kernel arguments [si64] {
  %twice = py.constant(@twice) : !o
  %n = py.get "n" : !o
  %r = py.call %twice(%n) : (!o, !o) -> !o
}

py.func @both(["n", "f"]) kernel arguments [si64, f32] {
  %twice = py.constant(@twice) : !o
  %n = py.get "n" : !o
  %f = py.get "f" : !o
  %r = py.call %twice(%n) : (!o, !o) -> !o
  %s = py.call %twice(%f) : (!o, !o) -> !o
}

py.func @twice(["x"]) {
  %x = py.get "x" : !o
  %sum = py.binary add %x, %x : (!o, !o) -> !o
  py.return %sum : !o
}

// -----

!o = !py.object

// What other code calls stands beside kernels; what has types but is called from
// nowhere is gone.
// CHECK-LABEL: py.func @launched(["n"]) kernel arguments [si64] returns none
// CHECK-LABEL: py.func @called(["x"]) arguments [f32] returns f32
// CHECK-NOT:   py.func
py.func @launched(["n"]) kernel arguments [si64] {
}

py.func @called(["x"]) arguments [f32] attributes {pyk.export = #pyk.export<c, "f">} {
  %x = py.get "x" : !o
  py.return %x : !o
}

py.func @left_over(["x"]) arguments [f32] {
}
