// RUN: pyk-opt %s --pyk-hoist-guards --canonicalize --split-input-file | FileCheck %s

// The first and the last offset are compared before the loop.
// CHECK-LABEL: gpu.func @sum(
// CHECK-SAME:      %{{.*}}: !llvm.ptr<1>, %[[FROM:.*]]: i32, %[[TO:.*]]: i32, %[[FIRST:.*]]: i64, %[[COUNT:[^:]*]]: i64)
// CHECK-DAG:     %[[BEGIN:.*]] = arith.extsi %[[FROM]] : i32 to i64
// CHECK-DAG:     %[[END:.*]] = arith.extsi %[[TO]] : i32 to i64
// CHECK:         %[[LAST:.*]] = arith.subi %[[END]], %{{.*}} : i64
// CHECK:         %[[A:.*]] = arith.subi %[[BEGIN]], %[[FIRST]] : i64
// CHECK:         %[[B:.*]] = arith.subi %[[LAST]], %[[FIRST]] : i64
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %[[B]], %[[COUNT]] : i64
// CHECK:         %[[ORDER:.*]] = arith.cmpi ule, %[[A]], %[[B]] : i64
// CHECK:         %[[BOTH:.*]] = arith.andi %[[INSIDE]], %[[ORDER]] : i1
// CHECK:         %[[FROZEN:.*]] = llvm.freeze %[[BOTH]] : i1
// CHECK:         %[[LIKELY:.*]] = llvm.intr.expect %[[FROZEN]], %true : i1
// CHECK:         scf.if %[[LIKELY]] -> (f32) {
// CHECK:           scf.for %{{.*}} = %[[FROM]] to %[[TO]]
// CHECK-NOT:         scf.if
// CHECK:             pyk.load
// CHECK:           } {loop_annotation
// CHECK:         } else {
// CHECK:           scf.for %{{.*}} = %[[FROM]] to %[[TO]]
// CHECK:             scf.if
// CHECK:               pyk.load
// CHECK:             } else {
// CHECK:               pyk.outside
#unroll = #llvm.loop_unroll<disable = true>
gpu.module @pyk {
  gpu.func @sum(%p: !llvm.ptr<1>, %from: i32, %to: i32, %first: i64, %count: i64) -> f32 {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %t = arith.constant 0 : i32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %sum = scf.for %i = %from to %to step %one iter_args(%s = %zero) -> (f32) : i32 {
      %offset = arith.extsi %i : i32 to i64
      %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
      %place = arith.subi %offset, %first : i64
      %inside = arith.cmpi ult, %place, %count : i64
      %x = scf.if %inside -> (f32) {
        %y = pyk.load %e[] : !pyk.array<f32, c>
        scf.yield %y : f32
      } else {
        pyk.outside "reads a[{0}]" at "a.py" : 7 thread %t(%offset)
        scf.yield %zero : f32
      }
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    } {loop_annotation = #llvm.loop_annotation<unroll = #unroll>}
    gpu.return %sum : f32
  }
}

// -----

// What is added to the counter is added to both ends. A counter that is widened
// without its sign must not be negative.
// CHECK-LABEL: gpu.func @fill(
// CHECK-SAME:      %{{.*}}: !llvm.ptr<1>, %[[FROM:.*]]: i32, %[[TO:.*]]: i32, %[[BY:.*]]: i64, %[[COUNT:[^:]*]]: i64)
// CHECK-DAG:     %[[BEGIN:.*]] = arith.extsi %[[FROM]] : i32 to i64
// CHECK-DAG:     %[[END:.*]] = arith.extsi %[[TO]] : i32 to i64
// CHECK:         %[[LAST:.*]] = arith.subi %[[END]], %{{.*}} : i64
// CHECK:         arith.addi %[[BEGIN]], %[[BY]] : i64
// CHECK:         arith.addi %[[LAST]], %[[BY]] : i64
// CHECK:         arith.cmpi sge, %[[BEGIN]], %{{.*}} : i64
// CHECK:         scf.if
// CHECK-NEXT:      scf.for
// CHECK-NOT:         scf.if
// CHECK:             pyk.store
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             scf.if
gpu.module @pyk {
  gpu.func @fill(%p: !llvm.ptr<1>, %from: i32, %to: i32, %by: i64, %count: i64) {
    %n = arith.constant 8 : i64
    %two = arith.constant 2 : i32
    %zero = arith.constant 0.0 : f32
    %t = arith.constant 0 : i32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for %i = %from to %to step %two : i32 {
      %wide = arith.extui %i : i32 to i64
      %offset = arith.addi %wide, %by : i64
      %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
      %inside = arith.cmpi ult, %offset, %count : i64
      scf.if %inside {
        pyk.store %zero, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %t(%offset)
      }
    }
    gpu.return
  }
}

// -----

// Data may be any index: it is compared with the end first. Where it is not
// below, its sign counts, as before.
// CHECK-LABEL: gpu.func @gather(
// CHECK-SAME:      %{{.*}}: !llvm.ptr<1>, %[[I:.*]]: i32, %[[FIRST:.*]]: i64, %[[COUNT:[^:]*]]: i64)
// CHECK:         %[[END:.*]] = arith.addi %[[FIRST]], %[[COUNT]] : i64
// CHECK:         %[[BEGINS:.*]] = arith.cmpi sle, %[[FIRST]], %{{.*}} : i64
// CHECK:         %[[ENDS:.*]] = arith.cmpi sge, %[[END]], %{{.*}} : i64
// CHECK:         %[[HOLDS:.*]] = arith.andi %[[BEGINS]], %[[ENDS]] : i1
// CHECK:         %[[LEAST:.*]] = arith.minui %[[END]], %c2147483647_i64 : i64
// CHECK:         %[[LIMIT:.*]] = arith.trunci %[[LEAST]] : i64 to i32
// CHECK:         %[[BELOW:.*]] = arith.cmpi ult, %[[I]], %[[LIMIT]] : i32
// CHECK:         %[[QUICK:.*]] = arith.andi %[[BELOW]], %[[HOLDS]] : i1
// CHECK:         %[[LIKELY:.*]] = llvm.intr.expect %[[QUICK]], %true : i1
// CHECK:         scf.if %[[LIKELY]] -> (f32) {
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extui %[[I]] : i32 to i64
// CHECK-NEXT:      %[[E:.*]] = pyk.element %{{.*}} + %[[WIDE]]
// CHECK-NEXT:      pyk.load %[[E]][]
// CHECK:         } else {
// CHECK:           arith.cmpi slt, %[[I]]
// CHECK:           arith.select
// CHECK:           arith.cmpi ult, %{{.*}}, %[[COUNT]] : i64
// CHECK:           scf.if
// CHECK:             pyk.load
// CHECK:           } else {
// CHECK:             pyk.outside
gpu.module @pyk {
  gpu.func @gather(%p: !llvm.ptr<1>, %i: i32, %first: i64, %count: i64) -> f32 {
    %n = arith.constant 8 : i64
    %nought = arith.constant 0 : i32
    %zero = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %wide = arith.extsi %i : i32 to i64
    %fromEnd = arith.addi %wide, %n : i64
    %isNegative = arith.cmpi slt, %i, %nought : i32
    %offset = arith.select %isNegative, %fromEnd, %wide : i64
    %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
    %place = arith.subi %offset, %first : i64
    %inside = arith.cmpi ult, %place, %count : i64
    %x = scf.if %inside -> (f32) {
      %y = pyk.load %e[] : !pyk.array<f32, c>
      scf.yield %y : f32
    } else {
      pyk.outside "reads a[{0}]" at "a.py" : 7 thread %nought(%offset)
      scf.yield %zero : f32
    }
    gpu.return %x : f32
  }
}

// -----

// Conditions of the program, offsets that data decide and arrays that change in
// the loop stay.
// CHECK-LABEL: gpu.func @others(
// CHECK:         scf.for
// CHECK-COUNT-2:   scf.if
// CHECK-NOT:     scf.for
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @others(%p: !llvm.ptr<1>, %to: i32, %count: i64) {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %number = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for %i = %zero to %to step %one : i32 {
      %offset = arith.extsi %i : i32 to i64
      %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
      %inside = arith.cmpi ult, %offset, %count : i64
      scf.if %inside {
        pyk.store %number, %e[] : !pyk.array<f32, c>
      }
      %square = arith.muli %offset, %offset : i64
      %f = pyk.element %a + %square : !pyk.array<?xf32, c>
      %isInside = arith.cmpi ult, %square, %count : i64
      scf.if %isInside {
        pyk.store %number, %f[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %zero(%square)
      }
    }
    gpu.return
  }
}
