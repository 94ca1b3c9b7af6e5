// RUN: pyk-opt %s --pyk-split-loops | FileCheck %s
// RUN: pyk-opt %s --pyk-split-loops --pyk-fold-ranges --canonicalize \
// RUN: | FileCheck %s --check-prefix=FOLDED

// The first loop, which hardly ever runs, is not unrolled.
// CHECK: #[[NO_UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[ANNOTATION:.*]] = #llvm.loop_annotation<unroll = #[[NO_UNROLL]]>
// CHECK-LABEL: pyk.func @index_from_data(
// CHECK-SAME:    %[[START:.*]]: i32, %[[STOP:.*]]: i32, %{{.*}}: !pyk.array<?xf32, c>,
// CHECK-SAME:    %[[X:.*]]: f32)
// FOLDED-LABEL: pyk.func @index_from_data(
pyk.func @index_from_data(%start: i32, %stop: i32, %a: !pyk.array<?xf32, c>,
                          %x: f32) -> f32 {
  %c1 = arith.constant 1 : i32
  %c0_i64 = arith.constant 0 : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  // CHECK: %[[END:.*]] = arith.minsi %[[STOP]], %[[ZERO:.*]] : i32
  // CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %[[START]] to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[X]])
  // CHECK:   pyk.load
  // CHECK: } {loop_annotation = #[[ANNOTATION]]}
  // CHECK: %[[FIRST:.*]] = arith.maxsi %[[START]], %[[ZERO]] : i32
  // CHECK: %[[R:.*]] = scf.for %{{.*}} = %[[FIRST]] to %[[STOP]] step %{{.*}} iter_args(%{{.*}} = %[[SUM]])
  // CHECK:   pyk.load
  // CHECK: pyk.return %[[R]]

  // FOLDED: scf.for
  // FOLDED: %[[K:.*]] = arith.addi
  // FOLDED-NEXT: pyk.load %{{.*}}[%[[K]]]
  // FOLDED: scf.for
  // FOLDED-NOT: arith.addi
  // FOLDED: pyk.load
  // FOLDED: pyk.return
  %r = scf.for %k = %start to %stop step %c1 iter_args(%s = %x) -> (f32) : i32 {
    %wide = arith.extsi %k : i32 to i64
    %wrapped = arith.addi %wide, %n : i64
    %is_negative = arith.cmpi slt, %wide, %c0_i64 : i64
    %index = arith.select %is_negative, %wrapped, %wide : i64
    %y = pyk.load %a[%index] : !pyk.array<?xf32, c>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  pyk.return %r : f32
}

// Nothing is gained where the start is known, or the counter is no index; and a
// step of 2 may leave out 0.
// CHECK-LABEL: pyk.func @nothing_to_gain(
// CHECK-COUNT-3: scf.for
// CHECK-NOT:     scf.for
// CHECK:         pyk.return
pyk.func @nothing_to_gain(%start: i64, %stop: i64, %a: !pyk.array<?xi64, c>) {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : i64
  %t = pyk.thread_id x : i32
  %first = arith.extsi %t : i32 to i64
  scf.for %k = %first to %stop step %c1 : i64 {
    %is_negative = arith.cmpi slt, %k, %c0 : i64
    %index = arith.select %is_negative, %stop, %k : i64
    pyk.store %k, %a[%index] : !pyk.array<?xi64, c>
  }
  scf.for %k = %start to %stop step %c1 : i64 {
    pyk.store %k, %a[%c0] : !pyk.array<?xi64, c>
  }
  scf.for %k = %start to %stop step %c2 : i64 {
    %is_negative = arith.cmpi slt, %k, %c0 : i64
    %index = arith.select %is_negative, %stop, %k : i64
    pyk.store %k, %a[%index] : !pyk.array<?xi64, c>
  }
  pyk.return
}

// All threads come to one barrier, one call and one inner loop.
// CHECK-LABEL: pyk.func @bodies_that_stand_once(
// CHECK-COUNT-5: scf.for
// CHECK-NOT:     scf.for
// CHECK:         pyk.return
pyk.func @bodies_that_stand_once(%start: i64, %stop: i64,
                                 %a: !pyk.array<?xi64, c>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  scf.for %k = %start to %stop step %c1 : i64 {
    %is_negative = arith.cmpi slt, %k, %c0 : i64
    %index = arith.select %is_negative, %stop, %k : i64
    pyk.store %k, %a[%index] : !pyk.array<?xi64, c>
    pyk.barrier
  }
  scf.for %k = %start to %stop step %c1 : i64 {
    %is_negative = arith.cmpi slt, %k, %c0 : i64
    %index = arith.select %is_negative, %stop, %k : i64
    pyk.call @callee(%index) : (i64) -> ()
  }
  scf.for %k = %start to %stop step %c1 : i64 {
    %is_negative = arith.cmpi slt, %k, %c0 : i64
    %index = arith.select %is_negative, %stop, %k : i64
    scf.for %j = %c0 to %index step %c1 : i64 {
      pyk.store %k, %a[%j] : !pyk.array<?xi64, c>
    }
  }
  // Shared memory is one array for all iterations.
  scf.for %k = %start to %stop step %c1 : i64 {
    %shared = pyk.alloc : !pyk.array<8xi64, c, shared>
    %is_negative = arith.cmpi slt, %k, %c0 : i64
    %index = arith.select %is_negative, %stop, %k : i64
    pyk.store %k, %shared[%index] : !pyk.array<8xi64, c, shared>
  }
  pyk.return
}

pyk.func @callee(%i: i64) {
  pyk.return
}
