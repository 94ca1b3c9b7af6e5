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
}
