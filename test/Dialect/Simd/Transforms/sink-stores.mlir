// RUN: pyk-opt %s --simd-sink-stores | FileCheck %s

gpu.module @pyk {
  // Both arms store to one element, the inner condition, too.
  // CHECK-LABEL: gpu.func @three(
  // CHECK:         %[[OUTER:.*]] = scf.if %[[C:.*]] -> (f32) {
  // CHECK-NEXT:      scf.yield %[[X:.*]] : f32
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      %[[INNER:.*]] = scf.if %[[D:.*]] -> (f32) {
  // CHECK-NEXT:        %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : f32
  // CHECK-NEXT:        scf.yield %[[SUM]] : f32
  // CHECK-NEXT:      } else {
  // CHECK-NEXT:        scf.yield %[[Y:.*]] : f32
  // CHECK-NEXT:      }
  // CHECK-NEXT:      scf.yield %[[INNER]] : f32
  // CHECK-NEXT:    }
  // CHECK-NEXT:    %[[E:.*]] = pyk.element %[[A:.*]] + %[[I:.*]] :
  // CHECK-NEXT:    pyk.store %[[OUTER]], %[[E]][] :
  // CHECK-NEXT:    pyk.return
  gpu.func @three(%p: !llvm.ptr<1>, %i: i64, %x: f32, %y: f32, %c: i1,
                  %d: i1) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    scf.if %c {
      %e = pyk.element %a + %i : !pyk.array<64xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    } else {
      scf.if %d {
        %s = arith.addf %x, %x : f32
        %e = pyk.element %a + %i : !pyk.array<64xf32, c>
        pyk.store %s, %e[] : !pyk.array<f32, c>
      } else {
        %e = pyk.element %a + %i : !pyk.array<64xf32, c>
        pyk.store %y, %e[] : !pyk.array<f32, c>
      }
    }
    pyk.return
  }

  // Several stores keep their order, and results of the condition their places.
  // CHECK-LABEL: gpu.func @two(
  // CHECK:         %[[IF:.*]]:3 = scf.if %{{.*}} -> (i64, f32, f32) {
  // CHECK-NEXT:      scf.yield %[[I:.*]], %[[Y:.*]], %[[X:.*]] : i64, f32, f32
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      scf.yield %[[J:.*]], %[[X]], %[[Y]] : i64, f32, f32
  // CHECK-NEXT:    }
  // CHECK-NEXT:    pyk.store %[[IF]]#2, %[[E:.*]][] :
  // CHECK-NEXT:    pyk.store %[[IF]]#1, %[[F:.*]][] :
  // CHECK-NEXT:    arith.sitofp %[[IF]]#0
  gpu.func @two(%p: !llvm.ptr<1>, %i: i64, %j: i64, %x: f32, %y: f32,
                %c: i1) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    %e = pyk.element %a + %i : !pyk.array<64xf32, c>
    %f = pyk.element %a + %j : !pyk.array<64xf32, c>
    %b = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf64, c>
    %k = scf.if %c -> (i64) {
      pyk.store %x, %e[] : !pyk.array<f32, c>
      pyk.store %y, %f[] : !pyk.array<f32, c>
      scf.yield %i : i64
    } else {
      pyk.store %y, %e[] : !pyk.array<f32, c>
      pyk.store %x, %f[] : !pyk.array<f32, c>
      scf.yield %j : i64
    }
    %f64 = arith.sitofp %k : i64 to f64
    %g = pyk.element %b + %i : !pyk.array<64xf64, c>
    pyk.store %f64, %g[] : !pyk.array<f64, c>
    pyk.return
  }

  // Another element, one arm alone, another hint, and what follows the store.
  // CHECK-LABEL: gpu.func @others(
  // CHECK-COUNT-7: pyk.store
  // CHECK-NOT:     pyk.store
  // CHECK:         pyk.return
  gpu.func @others(%p: !llvm.ptr<1>, %i: i64, %j: i64, %x: f32, %y: f32,
                   %c: i1) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    scf.if %c {
      %e = pyk.element %a + %i : !pyk.array<64xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    } else {
      %e = pyk.element %a + %j : !pyk.array<64xf32, c>
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    %e = pyk.element %a + %i : !pyk.array<64xf32, c>
    scf.if %c {
      pyk.store %x, %e[] : !pyk.array<f32, c>
    }
    scf.if %c {
      pyk.store cache wt %x, %e[] : !pyk.array<f32, c>
    } else {
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    scf.if %c {
      pyk.store %x, %e[] : !pyk.array<f32, c>
      pyk.fence block
    } else {
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }

  // An index that only the arm knows.
  // CHECK-LABEL: gpu.func @computed(
  // CHECK-COUNT-2: pyk.store
  // CHECK:         pyk.return
  gpu.func @computed(%p: !llvm.ptr<1>, %i: i64, %x: f32, %y: f32,
                     %c: i1) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
    scf.if %c {
      %j = arith.addi %i, %i : i64
      %e = pyk.element %a + %j : !pyk.array<64xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    } else {
      %j = arith.addi %i, %i : i64
      %e = pyk.element %a + %j : !pyk.array<64xf32, c>
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}
