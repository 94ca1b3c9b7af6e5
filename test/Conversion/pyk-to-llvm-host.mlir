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
