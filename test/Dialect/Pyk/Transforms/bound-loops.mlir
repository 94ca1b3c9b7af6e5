// RUN: pyk-opt %s --pyk-bound-loops | FileCheck %s

// CHECK-LABEL: pyk.func @step_that_could_wrap(
// CHECK-SAME:    %[[A:.*]]: i32, %[[N:.*]]: i32, %[[S:.*]]: i32, %[[X:.*]]: f32)
pyk.func @step_that_could_wrap(%a: i32, %n: i32, %s: i32, %x: f32) -> f32 {
  // CHECK-NEXT: %[[R:.*]] = pyk.for %{{.*}} = %[[A]] to %[[N]] step %[[S]] carry(%[[Y:.*]] = %[[X]]) : i32, (f32) {
  // CHECK-NEXT:   %[[Z:.*]] = arith.addf %[[Y]], %[[Y]]
  // CHECK-NEXT:   pyk.continue %[[Z]] : f32
  // CHECK-NEXT: }
  // CHECK-NEXT: pyk.return %[[R]]
  %r = scf.for %i = %a to %n step %s iter_args(%y = %x) -> (f32) : i32 {
    %z = arith.addf %y, %y : f32
    scf.yield %z : f32
  }
  pyk.return %r : f32
}

// A step of 1 stops at the bound before it could wrap.
// CHECK-LABEL: pyk.func @step_of_one(
pyk.func @step_of_one(%a: i32, %n: i32) {
  // CHECK: scf.for
  %c1 = arith.constant 1 : i32
  scf.for %i = %a to %n step %c1 : i32 {
  }
  pyk.return
}

// Where ranges say that the sum stays within the type, the loop stays.
// CHECK-LABEL: gpu.func @sums_that_fit(
gpu.module @kernels {
  gpu.func @sums_that_fit(
      %n: i64 {llvm.range = #llvm.constant_range<i64, 0, 281474976710656>},
      %any: i64) kernel {
    %c0 = arith.constant 0 : i64
    %threads = gpu.block_dim x upper_bound 1024
    %step = arith.index_cast %threads : index to i64
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %step : i64 {
    }
    // CHECK: pyk.for
    scf.for %i = %c0 to %any step %step : i64 {
    }
    gpu.return
  }
}

// pyk.for has no comparison without a sign, and a loop of that kind stays.
// CHECK-LABEL: pyk.func @without_sign(
pyk.func @without_sign(%a: i32, %n: i32, %s: i32) {
  // CHECK: scf.for unsigned
  // CHECK-NOT: pyk.for
  scf.for unsigned %i = %a to %n step %s : i32 {
  }
  pyk.return
}
