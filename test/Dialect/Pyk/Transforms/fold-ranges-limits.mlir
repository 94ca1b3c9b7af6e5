// RUN: pyk-opt %s --pyk-fold-ranges --canonicalize | FileCheck %s

// The places of a thread reach CUDA's limits: the comparison with the last place
// says something, that with the number of them does not.

// CHECK-LABEL: pyk.func @last_threads(
pyk.func @last_threads() -> (i1, i1, i1, i1, i1, i1) {
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c1023 = arith.constant 1023 : i32
  %c1024 = arith.constant 1024 : i32
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[X:.*]] = pyk.thread_id x : i32
  // CHECK-DAG: %[[Y:.*]] = pyk.thread_id y : i32
  // CHECK-DAG: %[[Z:.*]] = pyk.thread_id z : i32
  %x = pyk.thread_id x : i32
  %y = pyk.thread_id y : i32
  %z = pyk.thread_id z : i32
  // CHECK-DAG: %[[XLESS:.*]] = arith.cmpi slt, %[[X]], %{{.*}} : i32
  // CHECK-DAG: %[[YLESS:.*]] = arith.cmpi slt, %[[Y]], %{{.*}} : i32
  // CHECK-DAG: %[[ZLESS:.*]] = arith.cmpi slt, %[[Z]], %{{.*}} : i32
  %0 = arith.cmpi slt, %x, %c1023 : i32
  %1 = arith.cmpi slt, %x, %c1024 : i32
  %2 = arith.cmpi slt, %y, %c1023 : i32
  %3 = arith.cmpi slt, %y, %c1024 : i32
  %4 = arith.cmpi slt, %z, %c63 : i32
  %5 = arith.cmpi slt, %z, %c64 : i32
  // CHECK: pyk.return %[[XLESS]], %[[TRUE]], %[[YLESS]], %[[TRUE]], %[[ZLESS]], %[[TRUE]]
  pyk.return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// Blocks and their threads together: 65535 * 1024 of them along y.
// CHECK-LABEL: pyk.func @last_places(
pyk.func @last_places() -> (i1, i1, i1, i1) {
  %blocks = arith.constant 65535 : i64
  %last = arith.constant 67107839 : i64
  %places = arith.constant 67107840 : i64
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[PLACE:.*]] = pyk.grid y : i64
  // CHECK-DAG: %[[SIZE:.*]] = pyk.grid_size y : i64
  %i = pyk.grid y : i64
  %n = pyk.grid_size y : i64
  // CHECK-DAG: arith.trunci %[[PLACE]]
  // CHECK-DAG: arith.trunci %[[SIZE]]
  // CHECK-DAG: %[[A:.*]] = arith.cmpi slt, %{{.*}}, %c65535_i32 : i32
  // CHECK-DAG: %[[B:.*]] = arith.cmpi slt, %{{.*}}, %c67107839_i32 : i32
  // CHECK-DAG: %[[C:.*]] = arith.cmpi slt, %{{.*}}, %c67107840_i32 : i32
  %0 = arith.cmpi slt, %i, %blocks : i64
  %1 = arith.cmpi slt, %i, %last : i64
  %2 = arith.cmpi slt, %i, %places : i64
  %3 = arith.cmpi slt, %n, %places : i64
  // CHECK: pyk.return %[[A]], %[[B]], %[[TRUE]], %[[C]] : i1, i1, i1, i1
  pyk.return %0, %1, %2, %3 : i1, i1, i1, i1
}

// In 32 bits there is room for the threads of some blocks more.
// CHECK-LABEL: pyk.func @narrow_grids(
pyk.func @narrow_grids() -> (i1, i1) {
  // CHECK: %[[TRUE:.*]] = arith.constant true
  %zero = arith.constant 0 : i32
  %more = arith.constant 65536 : i32
  %i = pyk.grid x : i32
  %n = pyk.grid_size x : i32
  %next = arith.addi %i, %more : i32
  %beyond = arith.addi %n, %more : i32
  %0 = arith.cmpi sge, %next, %zero : i32
  %1 = arith.cmpi sge, %beyond, %zero : i32
  // CHECK: pyk.return %[[TRUE]], %[[TRUE]]
  pyk.return %0, %1 : i1, i1
}
