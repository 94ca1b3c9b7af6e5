// RUN: pyk-opt %s --simd-unroll-trips --cse | FileCheck %s

gpu.module @trips {
  // As many iterations as the threads of a block say: 4, 2 and 1 threads take part.
  // CHECK-LABEL: gpu.func @halves(
  // CHECK-NOT:     scf.while
  // CHECK:         arith.cmpi slt, %{{.*}}, %c4_i64
  // CHECK:         pyk.barrier
  // CHECK:         arith.cmpi slt, %{{.*}}, %c2_i64
  // CHECK:         pyk.barrier
  // CHECK:         arith.cmpi slt, %{{.*}}, %c1_i64
  // CHECK:         pyk.barrier
  // CHECK-NOT:     pyk.barrier
  // CHECK:         pyk.return
  gpu.func @halves() kernel
      attributes {pyk.block_shape = array<i32: 8, 1, 1>} {
    %a = pyk.alloc : !pyk.array<8xi64, c, shared>
    %thread = gpu.thread_id x
    %t = arith.index_castui %thread : index to i64
    %threads = gpu.block_dim x
    %n = arith.index_castui %threads : index to i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %half = arith.shrsi %n, %one : i64
    %last = scf.while (%s = %half) : (i64) -> i64 {
      %goes_on = arith.cmpi sgt, %s, %zero : i64
      scf.condition(%goes_on) %s : i64
    } do {
    ^bb0(%s: i64):
      %some = arith.cmpi slt, %t, %s : i64
      scf.if %some {
        %i = arith.addi %t, %s : i64
        %from = pyk.element %a + %i : !pyk.array<8xi64, c, shared>
        %x = pyk.load %from[] : !pyk.array<i64, c, shared>
        %to = pyk.element %a + %t : !pyk.array<8xi64, c, shared>
        pyk.store %x, %to[] : !pyk.array<i64, c, shared>
      }
      pyk.barrier
      %next = arith.shrsi %s, %one : i64
      scf.yield %next : i64
    }
    pyk.return
  }

  // The inner loop's iterations are known as soon as the outer one's are.
  // CHECK-LABEL: gpu.func @nested(
  // CHECK-NOT:     scf.for
  // CHECK-COUNT-6: pyk.barrier
  // CHECK-NOT:     pyk.barrier
  // CHECK:         pyk.return
  gpu.func @nested() kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %four = arith.constant 4 : i64
    scf.for %i = %one to %four step %one : i64 {
      scf.for %j = %zero to %i step %one : i64 {
        pyk.barrier
      }
    }
    pyk.return
  }

  // What an argument decides stays, and so do loops in which nobody waits.
  // CHECK-LABEL: gpu.func @loops(
  // CHECK:         scf.for
  // CHECK-NEXT:      pyk.barrier
  // CHECK:         scf.for
  // CHECK-NEXT:      pyk.store
  // CHECK:         scf.for
  // CHECK-COUNT-2:   pyk.barrier
  // CHECK-NOT:       pyk.barrier
  // CHECK:         pyk.return
  gpu.func @loops(%n: i64, %p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i64, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    scf.for %i = %zero to %n step %one : i64 {
      pyk.barrier
    }
    scf.for %i = %zero to %two step %one : i64 {
      pyk.store %i, %a[] : !pyk.array<i64, c>
    }
    scf.for %i = %zero to %n step %one : i64 {
      scf.for %j = %zero to %two step %one : i64 {
        pyk.barrier
      }
    }
    pyk.return
  }

  // 1000 iterations are too many.
  // CHECK-LABEL: gpu.func @many(
  // CHECK:         scf.for
  // CHECK-NEXT:      pyk.barrier
  // CHECK-NOT:     pyk.barrier
  // CHECK:         pyk.return
  gpu.func @many() kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %end = arith.constant 1000 : i64
    scf.for %i = %zero to %end step %one : i64 {
      pyk.barrier
    }
    pyk.return
  }

  // So are 40 of a block of 1,024 threads.
  // CHECK-LABEL: gpu.func @large(
  // CHECK:         scf.for
  // CHECK:           pyk.barrier
  // CHECK-NOT:     pyk.barrier
  // CHECK:         pyk.return
  gpu.func @large(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 1024, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<1024xi64, c>
    %thread = gpu.thread_id x
    %t = arith.index_castui %thread : index to i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %end = arith.constant 40 : i64
    scf.for %i = %zero to %end step %one : i64 {
      %e = pyk.element %a + %t : !pyk.array<1024xi64, c>
      %x = pyk.load %e[] : !pyk.array<i64, c>
      %y = arith.addi %x, %t : i64
      pyk.store %y, %e[] : !pyk.array<i64, c>
      pyk.barrier
    }
    pyk.return
  }

  // All indices of a local array are constants then, what is chosen by the
  // counter is, too, and conditions on it are gone.
  // CHECK-LABEL: gpu.func @items(
  // CHECK:         %[[A:.*]] = pyk.alloc
  // CHECK-NOT:     scf.for
  // CHECK-NOT:     scf.if
  // CHECK:         pyk.element %[[A]] + %{{c0.*}} :
  // CHECK:         pyk.store %[[X:arg[0-9]+]], %{{.*}}[]
  // CHECK:         pyk.element %[[A]] + %{{c1.*}} :
  // CHECK:         pyk.store %[[Y:arg[0-9]+]], %{{.*}}[]
  // CHECK:         pyk.load
  // CHECK:         pyk.load
  // CHECK-NOT:     pyk.load
  // CHECK:         pyk.return
  gpu.func @items(%p: !llvm.ptr<1>, %x: f32, %y: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %o = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %none = arith.constant 0.0 : f32
    %a = pyk.alloc : !pyk.array<2xf32, c, local>
    scf.for %i = %zero to %two step %one : i64 {
      %is_first = arith.cmpi eq, %i, %zero : i64
      %v = scf.if %is_first -> (f32) {
        scf.yield %x : f32
      } else {
        scf.yield %y : f32
      }
      %e = pyk.element %a + %i : !pyk.array<2xf32, c, local>
      pyk.store %v, %e[] : !pyk.array<f32, c, local>
    }
    %sum = scf.for %i = %zero to %two step %one iter_args(%s = %none)
        -> (f32) : i64 {
      %e = pyk.element %a + %i : !pyk.array<2xf32, c, local>
      %v = pyk.load %e[] : !pyk.array<f32, c, local>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    pyk.store %sum, %o[] : !pyk.array<f32, c>
    pyk.return
  }

  // Another access has an index that is no constant: the array stays in memory,
  // and so do the loops.
  // CHECK-LABEL: gpu.func @indexed(
  // CHECK:         scf.for
  // CHECK:         pyk.return
  gpu.func @indexed(%p: !llvm.ptr<1>, %x: f32, %j: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %o = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %a = pyk.alloc : !pyk.array<2xf32, c, local>
    scf.for %i = %zero to %two step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<2xf32, c, local>
      pyk.store %x, %e[] : !pyk.array<f32, c, local>
    }
    %e = pyk.element %a + %j : !pyk.array<2xf32, c, local>
    %v = pyk.load %e[] : !pyk.array<f32, c, local>
    pyk.store %v, %o[] : !pyk.array<f32, c>
    pyk.return
  }

  // 17 iterations are too many.
  // CHECK-LABEL: gpu.func @longer(
  // CHECK:         scf.for
  // CHECK:         pyk.return
  gpu.func @longer(%x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %end = arith.constant 17 : i64
    %a = pyk.alloc : !pyk.array<17xf32, c, local>
    scf.for %i = %zero to %end step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<17xf32, c, local>
      pyk.store %x, %e[] : !pyk.array<f32, c, local>
    }
    pyk.return
  }

  // Items of a tuple, one of which the counter chooses.
  // CHECK-LABEL: gpu.func @tuple(
  // CHECK-NOT:     scf.for
  // CHECK:         pyk.return
  gpu.func @tuple(%p: !llvm.ptr<1>, %x: f32, %y: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %o = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %sum = scf.for %i = %zero to %two step %one iter_args(%s = %x)
        -> (f32) : i64 {
      %is_second = arith.cmpi eq, %i, %one : i64
      %v = arith.select %is_second, %y, %x : f32
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    pyk.store %sum, %o[] : !pyk.array<f32, c>
    pyk.return
  }

  // Nor are indices of threads constants.
  // CHECK-LABEL: gpu.func @of_threads(
  // CHECK:         scf.for
  // CHECK:         pyk.return
  gpu.func @of_threads(%p: !llvm.ptr<1>, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %o = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %thread = gpu.thread_id x
    %t = arith.index_castui %thread : index to i64
    %j = arith.andi %t, %one : i64
    %a = pyk.alloc : !pyk.array<2xf32, c, local>
    scf.for %i = %zero to %two step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<2xf32, c, local>
      pyk.store %x, %e[] : !pyk.array<f32, c, local>
    }
    %e = pyk.element %a + %j : !pyk.array<2xf32, c, local>
    %v = pyk.load %e[] : !pyk.array<f32, c, local>
    pyk.store %v, %o[] : !pyk.array<f32, c>
    pyk.return
  }

  // Each iteration would have an array of its own.
  // CHECK-LABEL: gpu.func @array_in_loop(
  // CHECK:         scf.for
  // CHECK-COUNT-1: pyk.alloc
  // CHECK-NOT:     pyk.alloc
  // CHECK:         pyk.return
  gpu.func @array_in_loop(%x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    scf.for %i = %zero to %two step %one : i64 {
      %a = pyk.alloc : !pyk.array<2xf32, c, local>
      %e = pyk.element %a + %i : !pyk.array<2xf32, c, local>
      pyk.store %x, %e[] : !pyk.array<f32, c, local>
    }
    pyk.return
  }

  // A loop behind a condition in a loop.
  // CHECK-LABEL: gpu.func @behind_a_condition(
  // CHECK-NOT:     scf.for
  // CHECK-COUNT-6: pyk.store
  // CHECK-NOT:     pyk.store
  // CHECK:         pyk.return
  gpu.func @behind_a_condition(%x: f32, %c: i1) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %a = pyk.alloc : !pyk.array<2xf32, c, local>
    scf.for %i = %zero to %two step %one : i64 {
      %e = pyk.element %a + %i : !pyk.array<2xf32, c, local>
      pyk.store %x, %e[] : !pyk.array<f32, c, local>
      scf.if %c {
        scf.for %j = %zero to %two step %one : i64 {
          %f = pyk.element %a + %j : !pyk.array<2xf32, c, local>
          pyk.store %x, %f[] : !pyk.array<f32, c, local>
        }
      }
    }
    pyk.return
  }
}
