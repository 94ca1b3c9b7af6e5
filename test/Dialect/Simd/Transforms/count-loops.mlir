// RUN: pyk-opt %s --simd-count-loops | FileCheck %s

// Loops that count, and others that look like it.

gpu.module @pyk {
  // What the condition is made of comes first, then a loop that counts. Nobody
  // asks where the counter ends.
  // CHECK-LABEL: gpu.func @strides(
  // CHECK:         %[[A:.*]] = pyk.from_pointer
  // CHECK:         %[[STEP:.*]] = arith.muli
  // CHECK-NEXT:    %[[N:.*]] = pyk.dim %[[A]], 0
  // CHECK-NEXT:    scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %[[STEP]] : i64 {
  // CHECK-NEXT:      %[[E:.*]] = pyk.element %[[A]] + %[[I]]
  // CHECK-NEXT:      pyk.store %{{.*}}, %[[E]][]
  // CHECK-NEXT:    }
  // CHECK-NEXT:    pyk.return
  gpu.func @strides(%p: !llvm.ptr<1>, %n: i32 {llvm.range = #llvm.constant_range<i32, 0, -2147483648>}, %x: f32) kernel {
    %m = arith.extui %n : i32 to i64
    %a = pyk.from_pointer %p extents(%m) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %first = arith.index_castui %thread : index to i64
    %dim = gpu.grid_dim x
    %grid = arith.index_castui %dim : index to i32
    %wide = arith.extui %grid : i32 to i64
    %c64 = arith.constant 64 : i64
    %step = arith.muli %wide, %c64 : i64
    %end = scf.while (%i = %first) : (i64) -> i64 {
      %size = pyk.dim %a, 0 : !pyk.array<?xf32, c>
      %less = arith.cmpi slt, %i, %size : i64
      scf.condition(%less) %i : i64
    } do {
    ^bb0(%i: i64):
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
      %next = arith.addi %step, %i : i64
      scf.yield %next : i64
    }
    pyk.return
  }

  // The other way round, and with a sum.
  // CHECK-LABEL: gpu.func @carried(
  // CHECK:         %[[END:.*]] = scf.for %{{.*}} = %c0_i32 to %{{.*}} step %c2_i32 iter_args(%[[SUM:.*]] = %{{.*}}) -> (f32)
  // CHECK-NEXT:      %[[NEXT:.*]] = arith.addf %[[SUM]]
  // CHECK-NEXT:      scf.yield %[[NEXT]]
  // CHECK:         pyk.store %[[END]]
  gpu.func @carried(%p: !llvm.ptr<1>, %x: f32, %n: i16) kernel {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %o = arith.constant 0 : i64
    %bound = arith.extui %n : i16 to i32
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<1xf32, c>
    %end:2 = scf.while (%i = %c0, %sum = %x) : (i32, f32) -> (i32, f32) {
      %more = arith.cmpi sgt, %bound, %i : i32
      scf.condition(%more) %i, %sum : i32, f32
    } do {
    ^bb0(%i: i32, %sum: f32):
      %next = arith.addf %sum, %x : f32
      %after = arith.addi %i, %c2 : i32
      scf.yield %after, %next : i32, f32
    }
    %e = pyk.element %a + %o : !pyk.array<1xf32, c>
    pyk.store %end#1, %e[] : !pyk.array<f32, c>
    pyk.return
  }

  // A step that may be 0, one that may lead beyond the last number, a counter
  // that somebody asks for; another step in each iteration, another bound, no sum.
  // CHECK-LABEL: gpu.func @others(
  // CHECK-COUNT-6: scf.while
  gpu.func @others(%p: !llvm.ptr<1>, %m: i16, %any: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %o = arith.constant 0 : i64
    %n = arith.extui %m : i16 to i32
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<1xi32, c>
    %e = pyk.element %a + %o : !pyk.array<1xi32, c>
    %0 = scf.while (%i = %c0) : (i32) -> i32 {
      %less = arith.cmpi slt, %i, %n : i32
      scf.condition(%less) %i : i32
    } do {
    ^bb0(%i: i32):
      pyk.store %i, %e[] : !pyk.array<i32, c>
      %next = arith.addi %i, %any : i32
      scf.yield %next : i32
    }
    %1 = scf.while (%i = %c0) : (i32) -> i32 {
      %less = arith.cmpi slt, %i, %any : i32
      scf.condition(%less) %i : i32
    } do {
    ^bb0(%i: i32):
      pyk.store %i, %e[] : !pyk.array<i32, c>
      %next = arith.addi %i, %c2 : i32
      scf.yield %next : i32
    }
    %2 = scf.while (%i = %c0) : (i32) -> i32 {
      %less = arith.cmpi slt, %i, %n : i32
      scf.condition(%less) %i : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.addi %i, %c2 : i32
      scf.yield %next : i32
    }
    pyk.store %2, %e[] : !pyk.array<i32, c>
    %3:2 = scf.while (%i = %c0, %s = %c1) : (i32, i32) -> (i32, i32) {
      %less = arith.cmpi slt, %i, %n : i32
      scf.condition(%less) %i, %s : i32, i32
    } do {
    ^bb0(%i: i32, %s: i32):
      pyk.store %i, %e[] : !pyk.array<i32, c>
      %next = arith.addi %i, %s : i32
      %longer = arith.addi %s, %c1 : i32
      scf.yield %next, %longer : i32, i32
    }
    %4:2 = scf.while (%i = %c0, %b = %n) : (i32, i32) -> (i32, i32) {
      %less = arith.cmpi slt, %i, %b : i32
      scf.condition(%less) %i, %b : i32, i32
    } do {
    ^bb0(%i: i32, %b: i32):
      pyk.store %i, %e[] : !pyk.array<i32, c>
      %next = arith.addi %i, %c1 : i32
      %shorter = arith.subi %b, %c1 : i32
      scf.yield %next, %shorter : i32, i32
    }
    %5 = scf.while (%i = %c1) : (i32) -> i32 {
      %less = arith.cmpi slt, %i, %n : i32
      scf.condition(%less) %i : i32
    } do {
    ^bb0(%i: i32):
      pyk.store %i, %e[] : !pyk.array<i32, c>
      %next = arith.muli %i, %n : i32
      scf.yield %next : i32
    }
    pyk.return
  }
}
