// RUN: pyk-opt %s --pyk-hoist-guards --canonicalize --split-input-file | FileCheck %s

// Loops and accesses that look nearly as those that `hoist-guards.mlir` has.

// A sum in 32 bits that may wrap is no counter and number: each access asks.
// CHECK-LABEL: gpu.func @sums_that_wrap(
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK-LABEL: gpu.func @sums_without_sign(
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @sums_that_wrap(%p: !llvm.ptr<1>, %to: i32, %by: i32, %count: i64) {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %x = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for %i = %zero to %to step %one : i32 {
      %sum = arith.addi %i, %by : i32
      %offset = arith.extsi %sum : i32 to i64
      %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
      %inside = arith.cmpi ult, %offset, %count : i64
      scf.if %inside {
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %zero(%offset)
      }
    }
    gpu.return
  }
  // That the sum has no sign is not what `nsw` says.
  gpu.func @sums_without_sign(%p: !llvm.ptr<1>, %to: i32, %by: i32, %count: i64) {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %x = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for %i = %zero to %to step %one : i32 {
      %sum = arith.addi %i, %by overflow<nsw> : i32
      %offset = arith.extui %sum : i32 to i64
      %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
      %inside = arith.cmpi ult, %offset, %count : i64
      scf.if %inside {
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %zero(%offset)
      }
    }
    gpu.return
  }
}

// -----

// What is added is widened as the sum is.
// CHECK-LABEL: gpu.func @summand_without_sign(
// CHECK-SAME:      %{{.*}}: !llvm.ptr<1>, %[[TO:.*]]: i32, %[[BY:.*]]: i32, %[[COUNT:[^:]*]]: i64)
// CHECK-DAG:     %[[MORE:.*]] = arith.extui %[[BY]] : i32 to i64
// CHECK-DAG:     %[[END:.*]] = arith.extsi %[[TO]] : i32 to i64
// CHECK-DAG:     %[[LAST:.*]] = arith.subi %[[END]], %c1_i64 : i64
// CHECK:         %[[B:.*]] = arith.addi %[[LAST]], %[[MORE]] : i64
// CHECK:         arith.cmpi ult, %[[B]], %[[COUNT]] : i64
// CHECK:         scf.if
// CHECK-NEXT:      scf.for
// CHECK-LABEL: gpu.func @summand_with_sign(
// CHECK-SAME:      %[[BY:[^:]*]]: i32, %[[COUNT:[^:]*]]: i64)
// CHECK:         arith.extsi %[[BY]] : i32 to i64
// CHECK:         scf.if
// CHECK-NEXT:      scf.for
gpu.module @pyk {
  gpu.func @summand_without_sign(%p: !llvm.ptr<1>, %to: i32, %by: i32, %count: i64) {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %x = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for %i = %zero to %to step %one : i32 {
      %sum = arith.addi %i, %by overflow<nuw> : i32
      %offset = arith.extui %sum : i32 to i64
      %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
      %inside = arith.cmpi ult, %offset, %count : i64
      scf.if %inside {
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %zero(%offset)
      }
    }
    gpu.return
  }
  gpu.func @summand_with_sign(%p: !llvm.ptr<1>, %to: i32, %by: i32, %count: i64) {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %x = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for %i = %zero to %to step %one : i32 {
      %sum = arith.addi %by, %i overflow<nsw> : i32
      %offset = arith.extsi %sum : i32 to i64
      %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
      %inside = arith.cmpi ult, %offset, %count : i64
      scf.if %inside {
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %zero(%offset)
      }
    }
    gpu.return
  }
}

// -----

// Loops that count without a sign or that others are in: one version.
// CHECK-LABEL: gpu.func @other_loops(
// CHECK:         scf.for unsigned
// CHECK-NOT:     scf.for unsigned
// CHECK:         scf.for %
// CHECK:           scf.while
// CHECK-NOT:     scf.for
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @other_loops(%p: !llvm.ptr<1>, %to: i64, %count: i64, %c: i1) {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %t = arith.constant 0 : i32
    %x = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for unsigned %i = %zero to %to step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      %inside = arith.cmpi ult, %i, %count : i64
      scf.if %inside {
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %t(%i)
      }
    }
    scf.for %i = %zero to %to step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      %inside = arith.cmpi ult, %i, %count : i64
      scf.if %inside {
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %t(%i)
      }
      scf.while : () -> () {
        scf.condition(%c)
      } do {
        pyk.barrier
        scf.yield
      }
    }
    gpu.return
  }
}

// -----

// Memory whose begin or length the loop reads is asked for in the loop.
// CHECK-LABEL: gpu.func @changing_memory(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @changing_memory(%p: !llvm.ptr<1>, %to: i64, %count: i64) {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %t = arith.constant 0 : i32
    %x = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %numbers = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i64, c>
    scf.for %i = %zero to %to step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      %length = pyk.load %numbers[] : !pyk.array<i64, c>
      %inside = arith.cmpi ult, %i, %length : i64
      scf.if %inside {
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %t(%i)
      }
    }
    scf.for %i = %zero to %to step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      %first = pyk.load %numbers[] : !pyk.array<i64, c>
      %place = arith.subi %i, %first : i64
      %inside = arith.cmpi ult, %place, %count : i64
      scf.if %inside {
        pyk.store %x, %e[] : !pyk.array<f32, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %t(%i)
      }
    }
    gpu.return
  }
}

// -----

// What another comparison, or one with another number, decides is no index that
// counts from the end; nor is a choice of another number. `<=` is no guard.
// CHECK-LABEL: gpu.func @other_choices(
// CHECK-COUNT-4: scf.if
// CHECK-NOT:     scf.if
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @other_choices(%p: !llvm.ptr<1>, %i: i32, %j: i32, %count: i64) {
    %n = arith.constant 8 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %x = arith.constant 0.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %wide = arith.extsi %i : i32 to i64
    %other = arith.extsi %j : i32 to i64
    %fromEnd = arith.addi %wide, %n : i64
    %isPositive = arith.cmpi sgt, %i, %zero : i32
    %f0 = arith.select %isPositive, %fromEnd, %wide : i64
    %e0 = pyk.element %a + %f0 : !pyk.array<?xf32, c>
    %in0 = arith.cmpi ult, %f0, %count : i64
    scf.if %in0 {
      pyk.store %x, %e0[] : !pyk.array<f32, c>
    } else {
      pyk.outside "writes a[{0}]" at "a.py" : 7 thread %zero(%f0)
    }
    %isBelowOne = arith.cmpi slt, %i, %one : i32
    %f1 = arith.select %isBelowOne, %fromEnd, %wide : i64
    %e1 = pyk.element %a + %f1 : !pyk.array<?xf32, c>
    %in1 = arith.cmpi ult, %f1, %count : i64
    scf.if %in1 {
      pyk.store %x, %e1[] : !pyk.array<f32, c>
    } else {
      pyk.outside "writes a[{0}]" at "a.py" : 8 thread %zero(%f1)
    }
    %isNegative = arith.cmpi slt, %i, %zero : i32
    %f2 = arith.select %isNegative, %fromEnd, %other : i64
    %e2 = pyk.element %a + %f2 : !pyk.array<?xf32, c>
    %in2 = arith.cmpi ult, %f2, %count : i64
    scf.if %in2 {
      pyk.store %x, %e2[] : !pyk.array<f32, c>
    } else {
      pyk.outside "writes a[{0}]" at "a.py" : 9 thread %zero(%f2)
    }
    %f3 = arith.select %isNegative, %fromEnd, %wide : i64
    %e3 = pyk.element %a + %f3 : !pyk.array<?xf32, c>
    %in3 = arith.cmpi ule, %f3, %count : i64
    scf.if %in3 {
      pyk.store %x, %e3[] : !pyk.array<f32, c>
    } else {
      pyk.outside "writes a[{0}]" at "a.py" : 10 thread %zero(%f3)
    }
    gpu.return
  }
}

// -----

// The version without guards compares indices with the end alone, so it asks
// before the loop whether that says enough.
// CHECK-LABEL: gpu.func @indices_in_a_loop(
// CHECK-SAME:      %[[FIRST:[^:]*]]: i64, %[[COUNT:[^:]*]]: i64)
// CHECK:         %[[END:.*]] = arith.addi %[[FIRST]], %[[COUNT]] : i64
// CHECK:         %[[BEGINS:.*]] = arith.cmpi sle, %[[FIRST]], %{{.*}} : i64
// CHECK:         %[[ENDS:.*]] = arith.cmpi sge, %[[END]], %{{.*}} : i64
// CHECK:         %[[USABLE:.*]] = arith.andi %[[BEGINS]], %[[ENDS]] : i1
// CHECK:         %[[BOTH:.*]] = arith.andi %{{.*}}, %[[USABLE]] : i1
// CHECK:         %[[FROZEN:.*]] = llvm.freeze %[[BOTH]] : i1
// CHECK:         %[[LIKELY:.*]] = llvm.intr.expect %[[FROZEN]], %true : i1
// CHECK:         scf.if %[[LIKELY]] {
gpu.module @pyk {
  gpu.func @indices_in_a_loop(%p: !llvm.ptr<1>, %to: i64, %first: i64, %count: i64) {
    %n = arith.constant 8 : i64
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %t = arith.constant 0 : i32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    scf.for %i = %zero to %to step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<?xi64, c>
      %inside = arith.cmpi ult, %i, %count : i64
      %index = scf.if %inside -> (i64) {
        %read = pyk.load %e[] : !pyk.array<i64, c>
        scf.yield %read : i64
      } else {
        pyk.outside "reads a[{0}]" at "a.py" : 7 thread %t(%i)
        scf.yield %zero : i64
      }
      %isNegative = arith.cmpi slt, %index, %zero : i64
      %fromEnd = arith.addi %index, %n : i64
      %offset = arith.select %isNegative, %fromEnd, %index : i64
      %f = pyk.element %a + %offset : !pyk.array<?xi64, c>
      %place = arith.subi %offset, %first : i64
      %isInside = arith.cmpi ult, %place, %count : i64
      scf.if %isInside {
        pyk.store %zero, %f[] : !pyk.array<i64, c>
      } else {
        pyk.outside "writes a[{0}]" at "a.py" : 7 thread %t(%offset)
      }
    }
    gpu.return
  }
}
