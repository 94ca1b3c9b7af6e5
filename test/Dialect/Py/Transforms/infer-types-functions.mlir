// RUN: pyk-opt %s --py-infer-types | FileCheck %s

// Functions stand where they did, specialized.
// CHECK: py.func @apply(["f", "x"]) arguments [!py.closure<@inner, tuple<si64>, ["n"], tuple<f64>>, si64] returns f64
// CHECK: py.func @inner(["v", "by", "n"]) captures 1 arguments [si64, si64, f64] returns f64
// CHECK: py.func @rest(["first", "others"]) variadic arguments [f64, tuple<f64, si64>]

// A closure has the names of what it captures; a call completes it.

py.func @apply(["f", "x"]) {
  %f = py.get "f" : !py.object
  %x = py.get "x" : !py.object
  %r = py.call %f(%x) : (!py.object, !py.object) -> !py.object
  py.return %r : !py.object
}

py.func @inner(["v", "by", "n"]) captures 1 {
  %v = py.get "v" : !py.object
  %n = py.get "n" : !py.object
  %sum = py.binary add %v, %n : (!py.object, !py.object) -> !py.object
  py.return %sum : !py.object
}

py.func @rest(["first", "others"]) variadic {
  %others = py.get "others" : !py.object
  py.return %others : !py.object
}

// CHECK-LABEL: py.func @k(
py.func @k(["n"]) kernel arguments [f64] {
  %by = py.constant(#py.int<2 : si64>) : !py.object
  // CHECK: py.closure @inner(%{{.*}}) : (si64) -> [[OWN:!py.closure<@inner, tuple<si64>, \["n"\]>]]
  %f = py.closure @inner(%by) : (!py.object) -> !py.object
  py.set "f", %f : !py.object
  %own = py.get "f" : !py.object
  // CHECK: py.call %{{.*}}(%{{.*}}) target @inner : ([[OWN]], si64) -> f64
  %r = py.call %own(%by) : (!py.object, !py.object) -> !py.object
  %apply = py.constant(@apply) : !py.object
  // CHECK: target @apply : (!py.static<@apply>, [[OWN]], si64) -> f64
  %s = py.call %apply(%own, %by) : (!py.object, !py.object, !py.object) -> !py.object

  // A star is replaced by the items.
  %t = py.tuple(%r, %by) : (!py.object, !py.object) -> !py.object
  %call = py.constant(@rest) : !py.object
  // CHECK: %[[ITEMS:.*]]:2 = py.unpack %{{.*}} : (tuple<f64, si64>) -> (f64, si64)
  // CHECK: py.call %{{.*}}(%{{.*}}, %[[ITEMS]]#0, %[[ITEMS]]#1) target @rest : (!py.static<@rest>, f64, f64, si64) -> tuple<f64, si64>
  %u = py.call %call(%s, %t) starred [1] : (!py.object, !py.object, !py.object) -> !py.object
  // CHECK: %[[ALL:.*]]:2 = py.unpack
  // CHECK: py.tuple(%[[ALL]]#1) : (si64) -> tuple<si64>
  %first, %others = py.unpack %u starred 1 : (!py.object) -> (!py.object, !py.object)
  py.set "others", %others : !py.object
}
