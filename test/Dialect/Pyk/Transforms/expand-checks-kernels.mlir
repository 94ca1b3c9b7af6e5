// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(pyk-expand-checks))" | FileCheck %s

// Codes are those of the module, so that what kernels share has one body. What
// ends threads but records nothing takes no record.
// CHECK: gpu.module @pyk attributes {pyk.failures = [#pyk.failure<"IndexError", "", "first" at "a.py" : 4>, #pyk.failure<"ValueError", "", "second" at "a.py" : 3 exception 0>]}
gpu.module @pyk {
  // CHECK-LABEL: gpu.func @first(
  // CHECK:         %[[CODE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK:         llvm.call @__pyk_fail(%{{.*}}, %[[CODE]]
  gpu.func @first(%c: i1, %record: !llvm.ptr<1>) kernel
      attributes {pyk.abi = #pyk.abi<[<scalar, 0>, <failure, 0>]>} {
    pyk.check %c else #pyk.failure<"IndexError", "", "first" at "a.py" : 4>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @second(
  // CHECK:         call @quiet(%{{.*}}) : (i1) -> i1
  // CHECK:         %[[CODE:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK:         llvm.call @__pyk_fail(%{{.*}}, %[[CODE]]
  gpu.func @second(%c: i1, %record: !llvm.ptr<1>) kernel
      attributes {pyk.abi = #pyk.abi<[<scalar, 0>, <failure, 0>]>} {
    func.call @quiet(%c) : (i1) -> ()
    pyk.check %c else #pyk.failure<"ValueError", "", "second" at "a.py" : 3 exception 0>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @third(
  // CHECK-SAME:    %{{.*}}: i1) kernel
  // CHECK:         call @quiet(%{{.*}}) : (i1) -> i1
  // CHECK-NOT:     __pyk_fail
  // CHECK-LABEL: func.func private @quiet(
  gpu.func @third(%c: i1) kernel attributes {pyk.abi = #pyk.abi<[<scalar, 0>]>} {
    func.call @quiet(%c) : (i1) -> ()
    gpu.return
  }
  func.func private @quiet(%c: i1) {
    pyk.check %c
    func.return
  }
}
