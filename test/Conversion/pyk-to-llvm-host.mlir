// RUN: pyk-opt %s --convert-pyk-to-nvvm | FileCheck %s

gpu.module @printing {
  // CHECK-DAG: llvm.mlir.global internal constant @[[TEXT:pyk_text_[0-9]]]("%lld %s\0A\00") {addr_space = 1
  // CHECK-DAG: llvm.mlir.global internal constant @[[TRUE:pyk_text_[0-9]]]("True\00")
  // CHECK-DAG: llvm.mlir.global internal constant @[[FALSE:pyk_text_[0-9]]]("False\00")
  // CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  // CHECK-LABEL: llvm.func @printing(
  // CHECK-SAME:    %[[I:.*]]: i64, %[[FLAG:.*]]: i1)
  gpu.func @printing(%i: i64, %flag: i1) kernel {
    // The values have one slot each, eight bytes wide, in the first block.
    // CHECK: %[[SLOTS:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x i64>
    // CHECK: llvm.store %[[I]], %{{.*}} : i64, !llvm.ptr
    // CHECK: %[[WORD:.*]] = llvm.select %[[FLAG]], %{{.*}}, %{{.*}} : i1, !llvm.ptr
    // CHECK: llvm.store %[[WORD]], %{{.*}} : !llvm.ptr, !llvm.ptr
    // CHECK: llvm.call @vprintf(%{{.*}}, %[[SLOTS]])
    pyk.print "%lld %s\0A"(%i, %flag) : i64, i1
    // CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
    // CHECK: llvm.call @vprintf(%{{.*}}, %[[NULL]])
    pyk.print "done\0A"
    gpu.return
  }
}

// What is reported is a text of the file, the line and the access. Of several lanes a
// number of 64 bits says what is in memory, byte by byte.
gpu.module @reporting {
  // CHECK-DAG: llvm.mlir.global internal constant @[[ONE:pyk_text_[0-9]]]("a.py\0A3\0Areads x[{{.}}0}]\00")
  // CHECK-DAG: llvm.mlir.global internal constant @[[SOME:pyk_text_[0-9]]]("a.py\0A4\0Areads y[{{.}}0}]\00")
  // CHECK-DAG: llvm.mlir.global internal constant @[[ALL:pyk_text_[0-9]]]("a.py\0A5\0Areads z\00")
  // CHECK-LABEL: llvm.func @reporting(
  // CHECK-SAME:    %[[VALUES:.*]]: !llvm.ptr, %[[T:.*]]: i32, %[[I:.*]]: i64)
  gpu.func @reporting(%values: !llvm.ptr, %t: i32, %i: i64) kernel {
    // CHECK: llvm.mlir.addressof @[[ONE]]
    // CHECK: llvm.call @pyk.outside(%{{.*}}, %[[T]], %[[I]], %{{.*}}, %{{.*}})
    pyk.outside "reads x[{0}]" at "a.py" : 3 thread %t (%i)
    // CHECK: llvm.mlir.addressof @[[SOME]]
    // CHECK: %[[FORMS:.*]] = llvm.mlir.constant(3307142643714 : i64)
    // CHECK: llvm.call @pyk.outside_lanes(%{{.*}}, %[[FORMS]], %[[VALUES]])
    pyk.outside_lanes "reads y[{0}]" at "a.py" : 4 in 2 x 16 lanes masked forms [2, 3] of %values : !llvm.ptr
    // CHECK: llvm.mlir.addressof @[[ALL]]
    // CHECK: %[[FEW:.*]] = llvm.mlir.constant(4295229697 : i64)
    // CHECK: llvm.call @pyk.outside_lanes(%{{.*}}, %[[FEW]], %[[VALUES]])
    pyk.outside_lanes "reads z" at "a.py" : 5 in 257 x 4 lanes forms [1] of %values : !llvm.ptr
    gpu.return
  }
}
