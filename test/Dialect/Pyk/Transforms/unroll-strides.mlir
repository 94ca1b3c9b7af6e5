// RUN: pyk-opt %s --pyk-unroll-strides --canonicalize | FileCheck %s

// CHECK-LABEL: gpu.func @sum(
// CHECK-SAME:    %[[STOP:[^:]*]]: i64 {{.*}}, %[[GIVEN:[^:]*]]: i64,
// CHECK-SAME:    %{{[^:]*}}: !pyk.array<?xf32, c>, %[[X:[^:]*]]: f32)
gpu.module @kernels {
  gpu.func @sum(
      %stop: i64 {llvm.range = #llvm.constant_range<i64, -5, 2147483648>},
      %step: i64, %a: !pyk.array<?xf32, c>, %x: f32) -> f32 {
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
    // CHECK-DAG: %[[LAST:.*]] = arith.constant 2147483647 : i64
    // CHECK-DAG: %[[THIRD:.*]] = arith.constant 1431655765 : i32
    // CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
    // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i64
    // CHECK: %[[NO_LESS:.*]] = arith.maxsi %[[STOP]], %[[ZERO]] : i64
    // CHECK: %[[FIRST:.*]] = arith.minsi %{{.*}}, %[[NO_LESS]] : i64
    // CHECK: %[[STEP:.*]] = arith.minsi %[[GIVEN]], %[[LAST]] : i64
    // CHECK: %[[ONE_STEP:.*]] = arith.trunci %[[STEP]] : i64 to i32
    // CHECK: %[[WAY:.*]] = arith.extui %[[ONE_STEP]] : i32 to i64
    // CHECK: %[[STOP_32:.*]] = arith.trunci %[[NO_LESS]] : i64 to i32
    // CHECK: %[[START:.*]] = arith.trunci %[[FIRST]] : i64 to i32
    // CHECK: %[[SHORT:.*]] = arith.minui %[[ONE_STEP]], %[[THIRD]] : i32
    // CHECK: %[[OTHERS:.*]] = arith.muli %[[SHORT]], %[[THREE]] : i32
    // CHECK: %[[MORE:.*]] = arith.maxui %[[STOP_32]], %[[OTHERS]] : i32
    // CHECK: %[[BOUND:.*]] = arith.subi %[[MORE]], %[[OTHERS]] : i32
    // CHECK: %[[FOURFOLD:.*]] = arith.muli %[[WAY]], %[[FOUR]] : i64
    // CHECK: %[[FOUR_STEPS:.*]] = arith.trunci %[[FOURFOLD]] : i64 to i32
    // CHECK: %[[MANY:.*]]:2 = scf.while (%[[I:.*]] = %[[START]], %[[S:.*]] = %[[X]])
    // CHECK:   arith.cmpi ult, %[[I]], %[[BOUND]] : i32
    // CHECK: ^bb0(%[[I:.*]]: i32, %[[S:.*]]: f32):
    // CHECK:   %[[INDEX:.*]] = arith.extui %[[I]] : i32 to i64
    // CHECK:   %[[E:.*]] = pyk.element %{{.*}} + %[[INDEX]]
    // CHECK:   %[[S1:.*]] = arith.addf %[[S]],
    // CHECK:   %[[E1:.*]] = pyk.element %[[E]] + %[[WAY]]
    // CHECK:   pyk.load %[[E1]][]
    // CHECK:   %[[S2:.*]] = arith.addf %[[S1]],
    // CHECK:   %[[E2:.*]] = pyk.element %[[E1]] + %[[WAY]]
    // CHECK:   %[[S3:.*]] = arith.addf %[[S2]],
    // CHECK:   %[[E3:.*]] = pyk.element %[[E2]] + %[[WAY]]
    // CHECK:   pyk.load %[[E3]][]
    // CHECK:   %[[S4:.*]] = arith.addf %[[S3]],
    // CHECK:   %[[I4:.*]] = arith.addi %[[I]], %[[FOUR_STEPS]] : i32
    // CHECK:   scf.yield %[[I4]], %[[S4]] : i32, f32
    // CHECK: %[[REST:.*]]:2 = scf.while (%[[I:.*]] = %[[MANY]]#0, %[[S:.*]] = %[[MANY]]#1)
    // CHECK:   arith.cmpi ult, %[[I]], %[[STOP_32]] : i32
    // CHECK:   %[[NEXT:.*]] = arith.addi %{{.*}}, %[[ONE_STEP]] : i32
    // CHECK:   scf.yield %[[NEXT]],
    // CHECK: gpu.return %[[REST]]#1
    %t = gpu.thread_id x upper_bound 1024
    %start = arith.index_castui %t : index to i64
    %r = scf.for %i = %start to %stop step %step iter_args(%s = %x) -> (f32) : i64 {
      %element = pyk.element %a + %i : !pyk.array<?xf32, c>
      %y = pyk.load %element[] : !pyk.array<f32, c>
      %sum = arith.addf %s, %y : f32
      scf.yield %sum : f32
    }
    gpu.return %r : f32
  }

  // A counter of 32 bits stays what it is; as an index it has no sign.
  // CHECK-LABEL: gpu.func @counter_of_32_bits(
  gpu.func @counter_of_32_bits(%stop: i32, %step: i32, %a: !pyk.array<?xi32, c>) {
    // CHECK: ^bb0(%[[I:.*]]: i32):
    // CHECK:   %[[INDEX:.*]] = arith.extui %[[I]] : i32 to i64
    // CHECK:   %[[E:.*]] = pyk.element %{{.*}} + %[[INDEX]]
    // CHECK:   pyk.store %[[I]], %[[E]][]
    // CHECK-NOT: arith.extsi
    %c0 = arith.constant 0 : i32
    scf.for %i = %c0 to %stop step %step : i32 {
      %index = arith.extsi %i : i32 to i64
      %element = pyk.element %a + %index : !pyk.array<?xi32, c>
      pyk.store %i, %element[] : !pyk.array<i32, c>
    }
    gpu.return
  }

  // Atomic operations take longer than counting: one iteration at a time, and the
  // element is stepped.
  // CHECK-LABEL: gpu.func @atomic(
  // CHECK-SAME:    %[[STEP:[^:]*]]: i32, %[[A:[^:]*]]: !pyk.array<?xi32, c>, %[[SUM:[^:]*]]: !pyk.array<i32, c>, %[[FIXED:[^:]*]]: i64)
  gpu.func @atomic(%stop: i32, %step: i32, %a: !pyk.array<?xi32, c>, %sum: !pyk.array<i32, c>, %fixed: i64) {
    // CHECK: %[[OFFSET:.*]] = arith.addi %{{.*}}, %[[FIXED]] : i64
    // CHECK: %[[FIRST:.*]] = pyk.element %[[A]] + %[[OFFSET]]
    // CHECK: scf.while (%{{.*}} = %{{.*}}, %[[E:.*]] = %[[FIRST]])
    // CHECK: ^bb0(%[[I:.*]]: i32, %[[E:.*]]: !pyk.array<i32, c>):
    // CHECK:   %[[X:.*]] = pyk.load %[[E]][]
    // CHECK:   pyk.atomic add {{.*}}%[[X]]
    // CHECK:   %[[NEXT:.*]] = pyk.element %[[E]] + %{{.*}}
    // CHECK-NOT: pyk.atomic
    // CHECK:   scf.yield %{{.*}}, %[[NEXT]]
    // CHECK-NOT: scf.while
    // CHECK:   gpu.return
    %c0 = arith.constant 0 : i32
    scf.for %i = %c0 to %stop step %step : i32 {
      %index = arith.extsi %i : i32 to i64
      %behind = arith.addi %index, %fixed : i64
      %element = pyk.element %a + %behind : !pyk.array<?xi32, c>
      %x = pyk.load %element[] : !pyk.array<i32, c>
      %old = pyk.atomic add %x, %sum[] : !pyk.array<i32, c>
    }
    gpu.return
  }

  // LLVM unrolls loops with constant steps; a bound of 2^31 or a start below 0
  // does not fit; who waits for others must not do it in two places; and a large
  // body has other work to do.
  // CHECK-LABEL: gpu.func @loops_that_stay(
  // CHECK-COUNT-5: scf.for
  // CHECK-NOT:     scf.while
  // CHECK:         gpu.return
  gpu.func @loops_that_stay(
      %stop: i32, %far: i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483649>},
      %start: i32, %step: i32, %x: f32, %a: !pyk.array<f32, c>) {
    %c0 = arith.constant 0 : i32
    %c0_i64 = arith.constant 0 : i64
    %c2 = arith.constant 2 : i32
    %wide = arith.extsi %step : i32 to i64
    scf.for %i = %c0 to %stop step %c2 : i32 {
      pyk.store %x, %a[] : !pyk.array<f32, c>
    }
    scf.for %i = %c0_i64 to %far step %wide : i64 {
      pyk.store %x, %a[] : !pyk.array<f32, c>
    }
    scf.for %i = %start to %stop step %step : i32 {
      pyk.store %x, %a[] : !pyk.array<f32, c>
    }
    scf.for %i = %c0 to %stop step %step : i32 {
      pyk.barrier
    }
    scf.for %i = %c0 to %stop step %step : i32 {
      %0 = arith.mulf %x, %x : f32
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.mulf %1, %1 : f32
      %3 = arith.mulf %2, %2 : f32
      %4 = arith.mulf %3, %3 : f32
      %5 = arith.mulf %4, %4 : f32
      %6 = arith.mulf %5, %5 : f32
      %7 = arith.mulf %6, %6 : f32
      %8 = arith.mulf %7, %7 : f32
      %9 = arith.mulf %8, %8 : f32
      %10 = arith.mulf %9, %9 : f32
      %11 = arith.mulf %10, %10 : f32
      %12 = arith.mulf %11, %11 : f32
      %13 = arith.mulf %12, %12 : f32
      %14 = arith.mulf %13, %13 : f32
      %15 = arith.mulf %14, %14 : f32
      %16 = arith.mulf %15, %15 : f32
      %17 = arith.mulf %16, %16 : f32
      %18 = arith.mulf %17, %17 : f32
      %19 = arith.mulf %18, %18 : f32
      %20 = arith.mulf %19, %19 : f32
      %21 = arith.mulf %20, %20 : f32
      %22 = arith.mulf %21, %21 : f32
      pyk.store %22, %a[] : !pyk.array<f32, c>
    }
    gpu.return
  }
}
