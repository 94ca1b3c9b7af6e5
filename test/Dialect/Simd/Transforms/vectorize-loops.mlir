// RUN: pyk-opt %s --simd-vectorize --cse | FileCheck %s

gpu.module @loops {
  // A loop that runs alike for all threads stays one, and carries a vector.
  // CHECK-LABEL: gpu.func @alike(
  // CHECK:         scf.for %{{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (vector<1x1x16xf32>)
  // CHECK-NEXT:      %[[Y:.*]] = arith.addf %[[X]], %{{.*}} : vector<1x1x16xf32>
  // CHECK-NEXT:      scf.yield %[[Y]] : vector<1x1x16xf32>
  gpu.func @alike(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<16xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> (f32) : i64 {
      %z = arith.addf %y, %x : f32
      scf.yield %z : f32
    }
    pyk.store %sum, %e[] : !pyk.array<f32, c>
    pyk.return
  }

  // One that runs more often for some goes on until no thread is left. The count
  // is one number; what threads have left with stays.
  // CHECK-LABEL: gpu.func @by_thread(
  // CHECK:         scf.while (%[[K:.*]] = %{{.*}}, %[[ON:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}) : (i64, vector<1x1x16xi1>, vector<1x1x16xf32>)
  // CHECK-NEXT:      %[[SOME:.*]] = simd.any %[[ON]]
  // CHECK-NEXT:      scf.condition(%[[SOME]])
  // CHECK:         ^bb0(%[[K:.*]]: i64, %[[ON:.*]]: vector<1x1x16xi1>, %[[X:.*]]: vector<1x1x16xf32>):
  // CHECK:           %[[Y:.*]] = arith.addf %[[X]]
  // CHECK:           %[[LEFT:.*]] = arith.subi
  // CHECK:           %[[MORE:.*]] = arith.cmpi ugt, %[[LEFT]]
  // CHECK:           %[[NEXT:.*]] = arith.addi %[[K]]
  // CHECK:           %[[STAY:.*]] = arith.select %[[ON]], %[[MORE]], %{{.*}} : vector<1x1x16xi1>
  // CHECK:           %[[KEPT:.*]] = arith.select %[[ON]], %[[Y]], %[[X]]
  // CHECK:           scf.yield %[[NEXT]], %[[STAY]], %[[KEPT]]
  gpu.func @by_thread(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<16xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %sum = scf.for %k = %c0 to %i step %c1 iter_args(%y = %x) -> (f32) : i64 {
      %z = arith.addf %y, %x : f32
      scf.yield %z : f32
    }
    pyk.store %sum, %e[] : !pyk.array<f32, c>
    pyk.return
  }

  // The condition of a loop may differ, too.
  // CHECK-LABEL: gpu.func @while(
  // CHECK:         scf.while (%[[X:.*]] = %{{.*}}, %[[ON:.*]] = %{{.*}}) : (vector<1x1x16xf32>, vector<1x1x16xi1>)
  // CHECK:           %[[LESS:.*]] = arith.cmpf olt, %[[X]]
  // CHECK:           %[[STAY:.*]] = arith.select %[[ON]], %[[LESS]], %{{.*}} : vector<1x1x16xi1>
  // CHECK:           %[[SOME:.*]] = simd.any %[[STAY]]
  // CHECK:           scf.condition(%[[SOME]]) %[[X]], %[[STAY]]
  // CHECK:         ^bb0(%[[X:.*]]: vector<1x1x16xf32>, %[[ON:.*]]: vector<1x1x16xi1>):
  // CHECK:           %[[Y:.*]] = arith.addf %[[X]], %[[X]]
  // CHECK:           %[[KEPT:.*]] = arith.select %[[ON]], %[[Y]], %[[X]]
  // CHECK:           scf.yield %[[KEPT]], %[[ON]]
  gpu.func @while(%p: !llvm.ptr<1>, %limit: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<16xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<16xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %r = scf.while (%y = %x) : (f32) -> f32 {
      %less = arith.cmpf olt, %y, %limit : f32
      scf.condition(%less) %y : f32
    } do {
    ^bb0(%y: f32):
      %z = arith.addf %y, %y : f32
      scf.yield %z : f32
    }
    pyk.store %r, %e[] : !pyk.array<f32, c>
    pyk.return
  }

  // Where threads begin at steps from each other, the iterations of all come first,
  // without masks: as long as the last thread is before the end. Iterations are as far
  // from each other as the block is wide, so one is left at most.
  // CHECK-LABEL: gpu.func @whole_iterations(
  // CHECK-SAME:      %{{.*}}: !llvm.ptr<1>, %[[N:.*]]: i64
  // CHECK-DAG:     %[[MOST:.*]] = arith.constant 15 : i64
  // CHECK-DAG:     %[[FIRST:.*]] = vector.extract %{{.*}}[0, 0, 0]
  // CHECK:         %[[SOME:.*]] = arith.cmpi slt, %[[FIRST]], %[[N]]
  // CHECK:         %[[LEFT:.*]] = arith.subi %[[N]], %[[FIRST]]
  // CHECK:         %[[ALL:.*]] = arith.cmpi ugt, %[[LEFT]], %[[MOST]]
  // CHECK:         %[[BOTH:.*]] = arith.andi %[[SOME]], %[[ALL]]
  // CHECK:         %[[LAST:.*]] = arith.subi %[[N]], %[[MOST]]
  // CHECK:         %[[END:.*]] = arith.select %[[BOTH]], %[[LAST]], %[[FIRST]]
  // CHECK:         %[[TURNS:.*]]:3 = scf.for %[[K:.*]] = %[[FIRST]] to %[[END]] step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %{{.*}} = %[[FIRST]], %{{.*}} = %[[SOME]])
  // CHECK:           simd.load contiguous %{{.*}} + %{{.*}} : !pyk.array<?xf32, c>
  // CHECK:           arith.addf %[[SUM]]
  // CHECK:         %[[ON:.*]] = arith.andi {{.*}} : vector<1x1x16xi1>
  // CHECK:         %[[ANY:.*]] = simd.any %[[ON]]
  // CHECK:         scf.if %[[ANY]] -> (vector<1x1x16xf32>)
  // CHECK:           simd.load contiguous %{{.*}} mask %[[ON]]
  // CHECK:           arith.select %[[ON]], %{{.*}}, %[[TURNS]]#0
  // CHECK-NOT:     scf.while
  // CHECK:         pyk.return
  gpu.func @whole_iterations(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %c16 = arith.constant 16 : i64
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %k = %i to %n step %c16 iter_args(%y = %zero) -> (f32) : i64 {
      %e = pyk.element %a + %k : !pyk.array<?xf32, c>
      %x = pyk.load %e[] : !pyk.array<f32, c>
      %z = arith.addf %y, %x : f32
      scf.yield %z : f32
    }
    %o = pyk.element %a + %i : !pyk.array<?xf32, c>
    pyk.store %sum, %o[] : !pyk.array<f32, c>
    pyk.return
  }

  // Smaller steps leave any number of iterations.
  // CHECK-LABEL: gpu.func @short_steps(
  // CHECK:         scf.for
  // CHECK:           simd.store contiguous %{{.*}} : vector<1x1x16xf32>, !pyk.array<?xf32, c>
  // CHECK:         scf.while
  // CHECK:           simd.store contiguous %{{.*}} mask
  gpu.func @short_steps(%p: !llvm.ptr<1>, %n: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %c15 = arith.constant 15 : i64
    scf.for %k = %i to %n step %c15 : i64 {
      %e = pyk.element %a + %k : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }

  // Under a mask, or where ends differ, there are none.
  // CHECK-LABEL: gpu.func @no_whole_iterations(
  // CHECK-NOT:     scf.for
  // CHECK:         scf.while
  // CHECK-NOT:     scf.for
  // CHECK:         scf.while
  // CHECK-NOT:     scf.for
  // CHECK:         pyk.return
  gpu.func @no_whole_iterations(%p: !llvm.ptr<1>, %n: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %c16 = arith.constant 16 : i64
    %own = pyk.element %a + %i : !pyk.array<?xf32, c>
    %v = pyk.load %own[] : !pyk.array<f32, c>
    %on = arith.cmpf olt, %v, %x : f32
    scf.if %on {
      scf.for %k = %i to %n step %c16 : i64 {
        %e = pyk.element %a + %k : !pyk.array<?xf32, c>
        pyk.store %x, %e[] : !pyk.array<f32, c>
      }
    }
    %end = arith.muli %i, %n : i64
    scf.for %k = %i to %end step %c16 : i64 {
      %e = pyk.element %a + %k : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}
