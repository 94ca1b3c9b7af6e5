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

// What launches a kernel that may fail hands on the record.
// CHECK: gpu.module @launching
gpu.module @launching {
  // CHECK-LABEL: gpu.func @parent(
  // CHECK-SAME:    %{{.*}}: i64, %[[RECORD:.*]]: !llvm.ptr<1>)
  // CHECK:         call @between(%{{.*}}, %[[RECORD]])
  gpu.func @parent(%n: i64, %record: !llvm.ptr<1>) kernel
      attributes {pyk.abi = #pyk.abi<[<scalar, 0>, <failure, 0>]>} {
    func.call @between(%n) : (i64) -> ()
    gpu.return
  }
  // CHECK-LABEL: func.func private @between(
  // CHECK-SAME:    %{{.*}}: i64, %[[RECORD:.*]]: !llvm.ptr<1>)
  // CHECK:         pyk.launch @child {{.*}} record %[[RECORD]] : !llvm.ptr<1>
  func.func private @between(%n: i64) {
    pyk.launch @child grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n (%n) : i64
    func.return
  }
  gpu.func @child(%n: i64, %record: !llvm.ptr<1>) kernel
      attributes {pyk.child, pyk.abi = #pyk.abi<[<scalar, 0>, <failure, 0>]>} {
    %zero = arith.constant 0 : i64
    %c = arith.cmpi eq, %n, %zero : i64
    pyk.check %c else #pyk.failure<"IndexError", "", "child" at "a.py" : 4>
    gpu.return
  }
}
