// RUN: pyk-opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(pyk-expand-checks))" | FileCheck %s

// One code for each failure; a device function passes record and flag on.
// CHECK: gpu.module @pyk attributes {pyk.failures = [#pyk.failure<"IndexError", "{0} of {1}", "f" at "a.py" : 4>, #pyk.failure<"ValueError", "", "f" at "a.py" : 3 exception 2>]}
gpu.module @pyk {
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-SAME:    %[[C:.*]]: i1, %[[I:.*]]: i64, %[[RECORD:.*]]: !llvm.ptr<1>)
  // CHECK:         cf.cond_br %[[C]], ^[[NEXT:bb[0-9]+]], ^[[FAIL:bb[0-9]+]]
  // CHECK:       ^[[NEXT]]:
  // CHECK:         %[[RESULTS:.*]]:2 = func.call @device(%[[C]], %[[RECORD]])
  // CHECK:         cf.cond_br %[[RESULTS]]#1, ^[[EXIT:bb[0-9]+]], ^[[REST:bb[0-9]+]]
  // CHECK:       ^[[REST]]:
  // CHECK-NEXT:    gpu.return
  // CHECK:       ^[[FAIL]]:
  // CHECK:         %[[CODE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK:         llvm.call @__pyk_fail(%[[RECORD]], %[[CODE]], %[[I]], %[[I]])
  // CHECK-NEXT:    cf.br ^[[EXIT]]
  // CHECK:       ^[[EXIT]]:
  // CHECK-NEXT:    gpu.return
  gpu.func @kernel(%c: i1, %i: i64, %record: !llvm.ptr<1>) kernel
      attributes {pyk.abi = #pyk.abi<[<scalar, 0>, <scalar, 1>, <failure, 0>]>} {
    pyk.check %c else #pyk.failure<"IndexError", "{0} of {1}", "f" at "a.py" : 4> (%i, %i)
    %x = func.call @device(%c) : (i1) -> f32
    gpu.return
  }
  // CHECK-LABEL: func.func private @device(
  // CHECK-SAME:    %[[D:.*]]: i1, %[[RECORD:.*]]: !llvm.ptr<1>) -> (f32, i1)
  // CHECK:         cf.cond_br %[[D]]
  // CHECK:         return %{{.*}}, %false{{.*}} : f32, i1
  // CHECK:         %[[CODE:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK:         %[[POISON:.*]] = ub.poison : f32
  // CHECK:         return %[[POISON]], %true{{.*}} : f32, i1
  func.func private @device(%d: i1) -> f32 {
    pyk.check %d else #pyk.failure<"ValueError", "", "f" at "a.py" : 3 exception 2>
    %x = arith.constant 1.0 : f32
    func.return %x : f32
  }
  // What cannot fail stays as it is.
  // CHECK-LABEL: func.func private @safe() {
  func.func private @safe() {
    func.return
  }
}
// CHECK-LABEL: llvm.func internal @__pyk_fail(
// CHECK:         llvm.cmpxchg
// CHECK-COUNT-8: llvm.store

// -----

// Without anything to tell, a thread just ends.
// CHECK: gpu.module @pyk {
// CHECK-LABEL: gpu.func @quiet(
// CHECK:         cf.cond_br %{{.*}}, ^{{.*}}, ^{{.*}}
// CHECK-NOT:     __pyk_fail
gpu.module @pyk {
  gpu.func @quiet(%c: i1) kernel attributes {pyk.abi = #pyk.abi<[<scalar, 0>]>} {
    pyk.check %c
    gpu.return
  }
}

// -----

// Other code gets no flag, but may get a status.
gpu.module @pyk {
  // CHECK-LABEL: func.func @without_status(
  // CHECK-SAME:    %{{[^:]*}}: i1) -> f32
  // CHECK:         %[[RESULTS:.*]]:2 = call @device
  // CHECK:         cf.cond_br %[[RESULTS]]#1
  // CHECK:         return %[[RESULTS]]#0 : f32
  // CHECK:         %[[POISON:.*]] = ub.poison : f32
  // CHECK:         return %[[POISON]] : f32
  func.func @without_status(%c: i1) -> f32
      attributes {pyk.export = #pyk.export<c>} {
    %x = func.call @device(%c) : (i1) -> f32
    func.return %x : f32
  }
  // CHECK-LABEL: func.func @with_status(
  // CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK:         return %[[ONE]] : i32
  func.func @with_status(%c: i1) -> i32
      attributes {pyk.export = #pyk.export<numba>} {
    %x = func.call @device(%c) : (i1) -> f32
    %zero = arith.constant 0 : i32
    func.return %zero : i32
  }
  func.func private @device(%c: i1) -> f32 {
    pyk.check %c
    %x = arith.constant 1.0 : f32
    func.return %x : f32
  }
}
