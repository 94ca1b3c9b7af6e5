// RUN: pyk-opt %s --pyk-expand-numerics --canonicalize --cse | FileCheck %s

// CHECK-LABEL: pyk.func @distance(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?xf32, c>, %[[B:.*]]: !pyk.array<?xf32, any>)
pyk.func @distance(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, any>) -> i64 {
  // CHECK-DAG: %[[TO:.*]] = pyk.address %[[B]]
  // CHECK-DAG: %[[FROM:.*]] = pyk.address %[[A]]
  // CHECK: %[[R:.*]] = arith.subi %[[TO]], %[[FROM]]
  // CHECK-NEXT: pyk.return %[[R]]
  %r = pyk.distance %a to %b : !pyk.array<?xf32, c>, !pyk.array<?xf32, any>
  pyk.return %r : i64
}

// The address of a part is a sum.
// CHECK-LABEL: pyk.func @distance_of_a_part(
// CHECK-SAME:    %{{.*}}: !pyk.array<?xf32, c>, %[[FIRST:.*]]: i64, %{{.*}}: i64)
pyk.func @distance_of_a_part(%a: !pyk.array<?xf32, c>, %first: i64, %count: i64) -> i64 {
  // CHECK-DAG: %[[WHOLE:.*]] = pyk.address %
  // CHECK-DAG: %[[STRIDE:.*]] = pyk.stride %{{.*}}, 0
  // CHECK: %[[BYTES:.*]] = arith.muli %[[FIRST]], %[[STRIDE]]
  // CHECK-NEXT: %[[PART:.*]] = arith.addi %[[WHOLE]], %[[BYTES]]
  // CHECK-NEXT: %[[R:.*]] = arith.subi %[[PART]], %[[WHOLE]]
  // CHECK-NEXT: pyk.return %[[R]]
  %part = pyk.view %a[%first : %count] : !pyk.array<?xf32, c> to !pyk.array<?xf32, c>
  %r = pyk.distance %a to %part : !pyk.array<?xf32, c>, !pyk.array<?xf32, c>
  pyk.return %r : i64
}

// The stride may be negative, and one array without elements.
// CHECK-LABEL: pyk.func @overlaps(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<4xf32, c>, %[[B:.*]]: !pyk.array<?xf64, any>)
pyk.func @overlaps(%a: !pyk.array<4xf32, c>, %b: !pyk.array<?xf64, any>) -> i1 {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i64
  // CHECK: %[[A0:.*]] = pyk.address %[[A]]
  // CHECK: %[[A1:.*]] = arith.addi %[[A0]], %[[C4]]
  // CHECK: %[[LEAST_A:.*]] = arith.minsi %[[SPAN_A:.*]], %[[C0]]
  // CHECK: %[[LOW_A:.*]] = arith.addi %[[A0]], %[[LEAST_A]]
  // CHECK: %[[MOST_A:.*]] = arith.maxsi %[[SPAN_A]], %[[C0]]
  // CHECK: %[[HIGH_A:.*]] = arith.addi %[[A1]], %[[MOST_A]]
  // CHECK: %[[B0:.*]] = pyk.address %[[B]]
  // CHECK: %[[B1:.*]] = arith.addi %[[B0]], %[[C8]]
  // CHECK: %[[EXTENT:.*]] = pyk.dim %[[B]], 0
  // CHECK: %[[LEAST_B:.*]] = arith.minsi %[[SPAN_B:.*]], %[[C0]]
  // CHECK: %[[LOW_B:.*]] = arith.addi %[[B0]], %[[LEAST_B]]
  // CHECK: %[[MOST_B:.*]] = arith.maxsi %[[SPAN_B]], %[[C0]]
  // CHECK: %[[HIGH_B:.*]] = arith.addi %[[B1]], %[[MOST_B]]
  // CHECK: arith.cmpi sgt, %[[EXTENT]], %[[C0]]
  // CHECK: arith.cmpi slt, %[[LOW_A]], %[[HIGH_B]]
  // CHECK: arith.cmpi slt, %[[LOW_B]], %[[HIGH_A]]
  // CHECK: pyk.return
  %r = pyk.overlaps %a, %b : !pyk.array<4xf32, c>, !pyk.array<?xf64, any>
  pyk.return %r : i1
}
