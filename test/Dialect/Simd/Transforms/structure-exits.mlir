// RUN: pyk-opt %s --simd-structure-exits | FileCheck %s

gpu.module @exits {
  // A loop that may end early carries whether it goes on.
  // CHECK-LABEL: gpu.func @break_of_a_count(
  // CHECK:         %[[TRUE:.*]] = arith.constant true
  // CHECK-NEXT:    %[[LOOP:.*]]:3 = scf.while (%[[GO:.*]] = %[[TRUE]], %[[I:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}) : (i1, i64, f32)
  // CHECK-NEXT:      %[[INSIDE:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : i64
  // CHECK-NEXT:      %[[BOTH:.*]] = arith.andi %[[GO]], %[[INSIDE]] : i1
  // CHECK-NEXT:      scf.condition(%[[BOTH]])
  // CHECK:         ^bb0(%{{.*}}: i1, %[[I:.*]]: i64, %[[X:.*]]: f32):
  // CHECK-NEXT:      %[[STOP:.*]] = arith.cmpf ogt, %[[X]]
  // CHECK-NEXT:      %[[WAY:.*]]:2 = scf.if %[[STOP]] -> (i1, f32) {
  // CHECK:             scf.yield %{{.*}}, %[[X]] : i1, f32
  // CHECK:           } else {
  // CHECK-NEXT:        %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f32
  // CHECK:             scf.yield %{{.*}}, %[[Y]] : i1, f32
  // CHECK:           %[[NEXT:.*]] = arith.xori %[[WAY]]#0
  // CHECK-NEXT:      %[[J:.*]] = arith.addi %[[I]], %{{.*}} overflow<nsw> : i64
  // CHECK-NEXT:      scf.yield %[[NEXT]], %[[J]], %[[WAY]]#1
  // CHECK:         pyk.store %[[LOOP]]#2
  gpu.func @break_of_a_count(%p: !llvm.ptr<1>, %n: i64, %limit: f32) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %one = arith.constant 1.0 : f32
    %r = pyk.for %i = %c0 to %n step %c1 carry(%x = %one) : i64, (f32) {
      %stop = arith.cmpf ogt, %x, %limit : f32
      pyk.if %stop {
        pyk.break %x : f32
      } else {
        pyk.yield
      }
      %y = arith.addf %x, %x : f32
      pyk.continue %y : f32
    }
    pyk.store %r, %a[] : !pyk.array<f32, c>
    pyk.return
  }

  // A count by more than 1 does not leave its type.
  // CHECK-LABEL: gpu.func @count_by_any_step(
  // CHECK:           %[[SUM:.*]] = arith.addi %[[I:.*]], %[[STEP:.*]] : i64
  // CHECK-NEXT:      %[[LEFT:.*]] = arith.subi %[[END:.*]], %[[I]] : i64
  // CHECK-NEXT:      %[[FITS:.*]] = arith.cmpi ugt, %[[LEFT]], %[[STEP]] : i64
  // CHECK-NEXT:      arith.select %[[FITS]], %[[SUM]], %[[END]] : i64
  gpu.func @count_by_any_step(%n: i64, %step: i64, %stop: i1) kernel {
    %c0 = arith.constant 0 : i64
    pyk.for %i = %c0 to %n step %step : i64 {
      pyk.if %stop {
        pyk.break
      } else {
        pyk.yield
      }
      pyk.continue
    }
    pyk.return
  }

  // Loops without exits stay counted.
  // CHECK-LABEL: gpu.func @continue_of_a_count(
  // CHECK:         scf.for %[[I:.*]] = %{{.*}} iter_args(%[[X:.*]] = %{{.*}})
  // CHECK-NEXT:      %[[NEXT:.*]] = scf.if %{{.*}} -> (f32) {
  // CHECK-NEXT:        scf.yield %[[X]] : f32
  // CHECK-NEXT:      } else {
  // CHECK-NEXT:        %[[Y:.*]] = arith.addf
  // CHECK-NEXT:        scf.yield %[[Y]] : f32
  // CHECK:           scf.yield %[[NEXT]] : f32
  gpu.func @continue_of_a_count(%p: !llvm.ptr<1>, %n: i64, %skip: i1, %one: f32) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %r = pyk.for %i = %c0 to %n step %c1 carry(%x = %one) : i64, (f32) {
      pyk.if %skip {
        pyk.continue %x : f32
      } else {
        pyk.yield
      }
      %y = arith.addf %x, %x : f32
      pyk.continue %y : f32
    }
    pyk.store %r, %a[] : !pyk.array<f32, c>
    pyk.return
  }

  // What stands behind a loop runs unless that was left by a return.
  // CHECK-LABEL: gpu.func @return_from_a_loop(
  // CHECK:         %[[LOOP:.*]]:2 = scf.while
  // CHECK:         scf.if %[[LOOP]]#1 {
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      pyk.store
  gpu.func @return_from_a_loop(%p: !llvm.ptr<1>, %stop: i1, %x: f32) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    pyk.loop {
      pyk.if %stop {
        pyk.return
      } else {
        pyk.yield
      }
      pyk.break
    }
    pyk.store %x, %a[] : !pyk.array<f32, c>
    pyk.return
  }

  // CHECK-LABEL: gpu.func @scope(
  // CHECK:         %[[R:.*]] = scf.if %{{.*}} -> (f32) {
  // CHECK-NEXT:      scf.yield %[[X:.*]] : f32
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      scf.yield %[[Y:.*]] : f32
  // CHECK:         pyk.store %[[R]]
  gpu.func @scope(%p: !llvm.ptr<1>, %c: i1, %x: f32, %y: f32) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %r = pyk.scope -> (f32) {
      pyk.if %c {
        pyk.return %x : f32
      } else {
        pyk.yield
      }
      pyk.return %y : f32
    }
    pyk.store %r, %a[] : !pyk.array<f32, c>
    pyk.return
  }

  // Where both arms may go on, they say which they do.
  // CHECK-LABEL: gpu.func @both_may_go_on(
  // CHECK:         %[[LEFT:.*]] = scf.if %{{.*}} -> (i1) {
  // CHECK:           %[[FIRST:.*]] = scf.if
  // CHECK:           scf.yield %[[FIRST]] : i1
  // CHECK:         } else {
  // CHECK:           %[[SECOND:.*]] = scf.if
  // CHECK:           scf.yield %[[SECOND]] : i1
  // CHECK:         scf.if %[[LEFT]] {
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      pyk.store
  gpu.func @both_may_go_on(%p: !llvm.ptr<1>, %c: i1, %d: i1, %e: i1, %x: f32) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    pyk.if %c {
      pyk.if %d {
        pyk.return
      } else {
        pyk.yield
      }
      pyk.yield
    } else {
      pyk.if %e {
        pyk.return
      } else {
        pyk.yield
      }
      pyk.yield
    }
    pyk.store %x, %a[] : !pyk.array<f32, c>
    pyk.return
  }

  // What all iterations count alike is one thing, and what a thread has counted that
  // leaves is another: the first does not depend on who leaves. The second has the
  // bits that somebody needs.
  // CHECK-LABEL: gpu.func @count_until_break(
  // CHECK:         %[[LOOP:.*]]:4 = scf.while (%{{.*}} = %true, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i1, i64, f32, i32)
  // CHECK:         ^bb0(%{{.*}}: i1, %[[N:.*]]: i64, %[[Y:.*]]: f32, %{{.*}}: i32):
  // CHECK:           %[[TURN:.*]]:4 = scf.if %{{.*}} -> (i1, i64, f32, i32) {
  // CHECK-DAG:         %[[COUNT:.*]] = arith.trunci %[[N]] : i64 to i32
  // CHECK-DAG:         %[[NONE:.*]] = ub.poison : i64
  // CHECK:             scf.yield %true{{.*}}, %[[NONE]], %[[Y]], %[[COUNT]] : i1, i64, f32, i32
  // CHECK:           } else {
  // CHECK-DAG:         %[[NEXT:.*]] = arith.addi %[[N]], %{{.*}} : i64
  // CHECK-DAG:         %[[SUM:.*]] = arith.addf %[[Y]]
  // CHECK-DAG:         %[[REST:.*]] = ub.poison : i32
  // CHECK:             scf.yield %false{{.*}}, %[[NEXT]], %[[SUM]], %[[REST]] : i1, i64, f32, i32
  // CHECK:         pyk.store %[[LOOP]]#3
  // CHECK:         pyk.store %[[LOOP]]#2
  gpu.func @count_until_break(%p: !llvm.ptr<1>, %x: f32, %limit: f32) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i32, c>
    %b = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %r:2 = pyk.loop carry(%n = %c0, %y = %x) : (i64, f32) {
      %over = arith.cmpf ogt, %y, %limit : f32
      pyk.if %over {
        pyk.break %n, %y : i64, f32
      } else {
        pyk.yield
      }
      %next = arith.addi %n, %c1 : i64
      %sum = arith.addf %y, %x : f32
      pyk.continue %next, %sum : i64, f32
    }
    %count = arith.trunci %r#0 : i64 to i32
    pyk.store %count, %a[] : !pyk.array<i32, c>
    pyk.store %r#1, %b[] : !pyk.array<f32, c>
    pyk.return
  }

  // No count: threads add what they like, or nothing in some iterations.
  // CHECK-LABEL: gpu.func @no_count(
  // CHECK:         scf.while {{.*}} : (i1, i64, i64) -> (i1, i64, i64)
  gpu.func @no_count(%p: !llvm.ptr<1>, %c: i1, %d: i1) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i64, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %r:2 = pyk.loop carry(%n = %c0, %m = %c1) : (i64, i64) {
      pyk.if %c {
        pyk.break %n, %m : i64, i64
      } else {
        pyk.yield
      }
      %more = pyk.load %a[] : !pyk.array<i64, c>
      %next = arith.addi %n, %more : i64
      %other = arith.addi %m, %c1 : i64
      pyk.if %d {
        pyk.continue %next, %m : i64, i64
      } else {
        pyk.yield
      }
      pyk.continue %next, %other : i64, i64
    }
    %sum = arith.addi %r#0, %r#1 : i64
    pyk.store %sum, %a[] : !pyk.array<i64, c>
    pyk.return
  }
}
