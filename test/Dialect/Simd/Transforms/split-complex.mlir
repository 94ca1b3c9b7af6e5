// RUN: pyk-opt %s --simd-split-complex | FileCheck %s

gpu.module @pyk {
  // Loops and conditions carry two numbers.
  // CHECK-LABEL: gpu.func @flow(
  // CHECK-SAME:    %[[RE:.*]]: f64, %[[IM:.*]]: f64, %[[N:.*]]: i64, %[[P:.*]]: !llvm.ptr<1>
  // CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.0
  // CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.0
  // CHECK:         %[[Z:.*]]:2 = scf.for %{{.*}} iter_args(%[[X:.*]] = %[[ONE]], %[[Y:.*]] = %[[TWO]]) -> (f64, f64)
  // CHECK:           arith.mulf %[[X]], %[[Y]]
  // CHECK:           scf.yield %{{.*}}, %[[IM]] : f64, f64
  // CHECK:         %[[W:.*]]:2 = scf.if %{{.*}} -> (f64, f64)
  // CHECK:           scf.yield %[[Z]]#0, %[[Z]]#1
  // CHECK:           scf.yield %[[RE]], %[[IM]]
  // CHECK:         %[[S:.*]] = arith.select %{{.*}}, %[[W]]#0, %[[RE]]
  // CHECK:         %[[T:.*]] = arith.select %{{.*}}, %[[W]]#1, %[[IM]]
  // CHECK-NOT:     complex<f64>
  gpu.func @flow(%re: f64, %im: f64, %n: i64, %p: !llvm.ptr<1>, %c: i1) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xf64, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %start = complex.constant [1.0, 2.0] : complex<f64>
    %given = complex.create %re, %im : complex<f64>
    %z = scf.for %i = %c0 to %n step %c1 iter_args(%old = %start)
        -> (complex<f64>) : i64 {
      %x = complex.re %old : complex<f64>
      %y = complex.im %old : complex<f64>
      %xy = arith.mulf %x, %y : f64
      %new = complex.create %xy, %im : complex<f64>
      scf.yield %new : complex<f64>
    }
    %w = scf.if %c -> (complex<f64>) {
      scf.yield %z : complex<f64>
    } else {
      scf.yield %given : complex<f64>
    }
    %chosen = arith.select %c, %w, %given : complex<f64>
    %s = complex.re %chosen : complex<f64>
    %t = complex.im %chosen : complex<f64>
    %e = pyk.element %a + %c0 : !pyk.array<8xf64, c>
    pyk.store %s, %e[] : !pyk.array<f64, c>
    pyk.store %t, %e[] : !pyk.array<f64, c>
    pyk.return
  }

  // An element is two of an array over the same memory.
  // CHECK-LABEL: gpu.func @memory(
  // CHECK:         %[[A:.*]] = pyk.from_pointer %{{.*}} : !llvm.ptr<1> to !pyk.array<8xcomplex<f32>, c>
  // CHECK:         %[[R:.*]] = pyk.reinterpret %[[A]] : !pyk.array<8xcomplex<f32>, c> to !pyk.array<16xf32, c>
  // CHECK:         %[[FIRST:.*]] = arith.muli %[[I:.*]], %{{.*}} overflow<nsw> : i64
  // CHECK:         %[[SECOND:.*]] = arith.addi %[[FIRST]], %{{.*}} overflow<nsw> : i64
  // CHECK:         %[[E0:.*]] = pyk.element %[[R]] + %[[FIRST]]
  // CHECK:         %[[E1:.*]] = pyk.element %[[R]] + %[[SECOND]]
  // CHECK:         %[[X:.*]] = pyk.load %[[E0]][]
  // CHECK:         %[[Y:.*]] = pyk.load %[[E1]][]
  // CHECK:         pyk.store %[[Y]], %{{.*}}[] : !pyk.array<f32, c>
  // CHECK:         pyk.store %[[X]], %{{.*}}[] : !pyk.array<f32, c>
  gpu.func @memory(%p: !llvm.ptr<1>, %i: i64) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xcomplex<f32>, c>
    %e = pyk.element %a + %i : !pyk.array<8xcomplex<f32>, c>
    %z = pyk.load %e[] : !pyk.array<complex<f32>, c>
    %x = complex.re %z : complex<f32>
    %y = complex.im %z : complex<f32>
    %w = complex.create %y, %x : complex<f32>
    pyk.store %w, %e[] : !pyk.array<complex<f32>, c>
    pyk.return
  }

  // Whole ones are left where their parts have no place of their own.
  // CHECK-LABEL: gpu.func @others(
  // CHECK:         %[[Z:.*]] = pyk.load volatile %{{.*}} : !pyk.array<complex<f32>, c>
  // CHECK:         %[[X:.*]] = complex.re %[[Z]]
  // CHECK:         %[[Y:.*]] = complex.im %[[Z]]
  // CHECK:         %[[W:.*]] = complex.create %[[Y]], %[[X]]
  // CHECK:         pyk.store %[[W]]
  gpu.func @others(%p: !llvm.ptr<1>, %i: i64) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<complex<f32>, c>
    %z = pyk.load volatile %a[] : !pyk.array<complex<f32>, c>
    %x = complex.re %z : complex<f32>
    %y = complex.im %z : complex<f32>
    %w = complex.create %y, %x : complex<f32>
    pyk.store %w, %a[] : !pyk.array<complex<f32>, c>
    pyk.return
  }

  // Arrays of the kernel hold the real parts before the imaginary ones.
  // CHECK-LABEL: gpu.func @halves(
  // CHECK-SAME:    %[[P:.*]]: !llvm.ptr<1>, %[[I:.*]]: i64)
  // CHECK-DAG:     %[[EIGHT:.*]] = arith.constant 8 : i64
  // CHECK-DAG:     %[[A:.*]] = pyk.alloc : !pyk.array<16xf32, c, shared>
  // CHECK:         %[[SECOND:.*]] = arith.addi %[[I]], %[[EIGHT]] overflow<nsw> : i64
  // CHECK-DAG:     pyk.element %[[A]] + %[[I]] : !pyk.array<16xf32, c, shared>
  // CHECK-DAG:     pyk.element %[[A]] + %[[SECOND]] : !pyk.array<16xf32, c, shared>
  // CHECK-NOT:     complex
  gpu.func @halves(%p: !llvm.ptr<1>, %i: i64) kernel {
    %a = pyk.alloc : !pyk.array<8xcomplex<f32>, c, shared>
    %e = pyk.element %a + %i : !pyk.array<8xcomplex<f32>, c, shared>
    %z = pyk.load %e[] : !pyk.array<complex<f32>, c, shared>
    %x = complex.re %z : complex<f32>
    %y = complex.im %z : complex<f32>
    %w = complex.create %y, %x : complex<f32>
    pyk.store %w, %e[] : !pyk.array<complex<f32>, c, shared>
    pyk.return
  }

  // One that is also seen whole keeps its numbers together.
  // CHECK-LABEL: gpu.func @together(
  // CHECK-SAME:    %[[P:.*]]: !llvm.ptr<1>, %[[I:.*]]: i64)
  // CHECK:         pyk.alloc : !pyk.array<8xcomplex<f32>, c, shared>
  // CHECK:         arith.muli %[[I]]
  gpu.func @together(%p: !llvm.ptr<1>, %i: i64) kernel {
    %a = pyk.alloc : !pyk.array<8xcomplex<f32>, c, shared>
    %r = pyk.reinterpret %a : !pyk.array<8xcomplex<f32>, c, shared> to !pyk.array<16xf32, c, shared>
    %f = pyk.element %r + %i : !pyk.array<16xf32, c, shared>
    %o = pyk.load %f[] : !pyk.array<f32, c, shared>
    %e = pyk.element %a + %i : !pyk.array<8xcomplex<f32>, c, shared>
    %w = complex.create %o, %o : complex<f32>
    pyk.store %w, %e[] : !pyk.array<complex<f32>, c, shared>
    pyk.return
  }
}

// Lanes give each other the parts.
// CHECK-LABEL: gpu.func @exchange(
// CHECK-COUNT-2: pyk.shuffle down %{{.*}}, %{{.*}} mask %{{.*}} : f32
gpu.module @exchanges {
  gpu.func @exchange(%p: !llvm.ptr<1>, %x: f32, %by: i32) kernel {
    %all = arith.constant -1 : i32
    %number = complex.create %x, %x : complex<f32>
    %other = pyk.shuffle down %number, %by mask %all : complex<f32>
    %part = complex.im %other : complex<f32>
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    pyk.store %part, %a[] : !pyk.array<f32, c>
    pyk.return
  }
}
