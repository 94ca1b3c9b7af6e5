// RUN: pyk-opt %s --pyk-expand-numerics --canonicalize --cse | FileCheck %s

// Each result is rounded, and contraction, which would skip that, is off.
// CHECK-LABEL: pyk.func @arithmetic(
// CHECK-SAME:    %[[X:.*]]: bf16, %[[Y:.*]]: bf16)
pyk.func @arithmetic(%x: bf16, %y: bf16) -> (bf16, i1) {
  // CHECK-DAG: %[[XF:.*]] = arith.extf %[[X]] : bf16 to f32
  // CHECK-DAG: %[[YF:.*]] = arith.extf %[[Y]] : bf16 to f32
  // CHECK: %[[P:.*]] = arith.mulf %[[XF]], %[[YF]] : f32
  // CHECK: %[[PB:.*]] = arith.truncf %[[P]] : f32 to bf16
  // CHECK: %[[PF:.*]] = arith.extf %[[PB]] : bf16 to f32
  // CHECK: %[[S:.*]] = arith.addf %[[PF]], %[[YF]] : f32
  // CHECK: %[[SB:.*]] = arith.truncf %[[S]] : f32 to bf16
  %0 = arith.mulf %x, %y fastmath<contract> : bf16
  %1 = arith.addf %0, %y fastmath<contract> : bf16
  // CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[XF]], %[[YF]] : f32
  %2 = arith.cmpf olt, %x, %y : bf16
  // CHECK: pyk.return %[[SB]], %[[LESS]]
  pyk.return %1, %2 : bf16, i1
}

// CHECK-LABEL: pyk.func @functions(
pyk.func @functions(%x: bf16) -> (bf16, i16) {
  // CHECK: %[[ROOT:.*]] = math.sqrt %{{.*}} : f32
  // CHECK: arith.truncf %[[ROOT]] : f32 to bf16
  %0 = math.sqrt %x : bf16
  // CHECK: pyk.float_to_int %{{.*}} : f32 to i16
  %1 = pyk.float_to_int %x : bf16 to i16
  pyk.return %0, %1 : bf16, i16
}

// What targets round right, and what is no arithmetic, stays.
// CHECK-LABEL: pyk.func @left_alone(
pyk.func @left_alone(%x: bf16, %d: f64, %c: i1, %i: i16) -> (bf16, bf16, bf16, bf16, f64) {
  // CHECK-NEXT: math.fma %{{.*}} : bf16
  // CHECK-NEXT: arith.truncf %{{.*}} : f64 to bf16
  // CHECK-NEXT: arith.select %{{.*}} : bf16
  // CHECK-NEXT: arith.sitofp %{{.*}} : i16 to bf16
  // CHECK-NEXT: arith.extf %{{.*}} : bf16 to f64
  // CHECK-NEXT: pyk.return
  %0 = math.fma %x, %x, %x : bf16
  %1 = arith.truncf %d : f64 to bf16
  %2 = arith.select %c, %0, %1 : bf16
  %3 = arith.sitofp %i : i16 to bf16
  %4 = arith.extf %x : bf16 to f64
  pyk.return %0, %1, %2, %3, %4 : bf16, bf16, bf16, bf16, f64
}

// Of a long integer 24 digits are kept, so that it is not rounded twice.
// CHECK-LABEL: pyk.func @integers(
// CHECK-SAME:    %[[N:.*]]: i32)
pyk.func @integers(%n: i32) -> bf16 {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
  // CHECK: %[[LEADING:.*]] = math.ctlz %[[N]] : i32
  // CHECK: %[[MORE:.*]] = arith.subi %[[C8]], %[[LEADING]]
  // CHECK: %[[DROPPED:.*]] = arith.maxsi %[[MORE]], %[[C0]]
  // CHECK: %[[REST:.*]] = arith.andi %[[N]], %{{.*}}
  // CHECK: %[[KEPT:.*]] = arith.subi %[[N]], %[[REST]]
  // CHECK: %[[ODD:.*]] = arith.ori %[[KEPT]], %{{.*}}
  // CHECK: arith.uitofp %[[ODD]] : i32 to bf16
  %0 = arith.uitofp %n : i32 to bf16
  pyk.return %0 : bf16
}
