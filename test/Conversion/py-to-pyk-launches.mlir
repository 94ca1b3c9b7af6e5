// RUN: pyk-opt %s --py-infer-types --convert-py-to-pyk | FileCheck %s

// What `kernel[grid, block](...)` becomes in a kernel: a kernel of its own for
// each tuple of types, and the shape of the launch.

// CHECK-LABEL: pyk.func @parent(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?xf32, c>, %[[N:.*]]: i64)
py.func @parent(["a", "n"]) kernel arguments [!pyk.array<?xf32, c>, si64] {
  %k = py.constant(@child) : !py.object
  %a = py.get "a" : !py.object
  %n = py.get "n" : !py.object
  %two = py.constant(#py.int<2 : si64>) : !py.object
  %block = py.tuple(%n, %two) : (!py.object, !py.object) -> !py.object
  %stream = py.constant(#py.none) : !py.object
  %bytes = py.constant(#py.int<64 : si64>) : !py.object
  %shape = py.tuple(%two, %block, %stream, %bytes) : (!py.object, !py.object, !py.object, !py.object) -> !py.object
  %configured = py.subscript %k[%shape] : (!py.object, !py.object) -> !py.object
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[BYTES:.*]] = arith.constant 64 : i64
  // CHECK-DAG: %[[NO:.*]] = arith.constant 0 : i64
  // CHECK: pyk.launch @child grid(%[[TWO]], %{{[^)]*}})
  // CHECK-SAME: block(%[[N]], %[[TWO]], %{{.*}}) stream %[[NO]] shared %[[BYTES]](%[[A]], %[[N]]) : !pyk.array<?xf32, c>, i64
  %r = py.call %configured(%a, %n) : (!py.object, !py.object, !py.object) -> !py.object
}

// CHECK-LABEL: pyk.func @child(
// CHECK-SAME:    !pyk.array<?xf32, c>, %{{.*}}: i64) attributes {kernel, pyk.child}
py.func @child(["a", "n"]) {
  %a = py.get "a" : !py.object
}
