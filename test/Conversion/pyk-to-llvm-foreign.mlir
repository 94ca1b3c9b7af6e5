// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" \
// RUN:   | FileCheck %s

gpu.module @pyk {
  // Where the CPU has the code stands on its declaration.
  // CHECK-DAG: llvm.func @sum(!llvm.ptr, i8) -> f32 attributes {passthrough = {{\[}}["pyk.host_address", "4096"]]}
  // CHECK-DAG: llvm.func @half(!llvm.ptr, f32) -> i32
  // CHECK-DAG: llvm.func @test(i64) -> i8
  // CHECK-LABEL: llvm.func @calls(
  // CHECK-SAME:    %[[P:.*]]: !llvm.ptr<1>, %[[C:.*]]: i1, %[[I:.*]]: i64)
  gpu.func @calls(%p: !llvm.ptr<1>, %c: i1, %i: i64) kernel {
    // CHECK:     %[[ROOM:.*]] = llvm.alloca %{{.*}} x f32
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xf32, c>
    // CHECK:     %[[ADDRESS:.*]] = llvm.addrspacecast %[[P]] : !llvm.ptr<1> to !llvm.ptr
    // CHECK:     %[[FLAG:.*]] = llvm.zext %[[C]] : i1 to i8
    // CHECK:     %[[SUM:.*]] = llvm.call @sum(%[[ADDRESS]], %[[FLAG]])
    %sum = pyk.foreign_call #pyk.foreign<c, "sum", [f32, none], at = 4096> (%a, %c)
        : (!pyk.array<8xf32, c>, i1) -> f32
    // CHECK:     llvm.call @half(%[[ROOM]], %[[SUM]])
    // CHECK:     %[[HALF:.*]] = llvm.load %[[ROOM]] : !llvm.ptr -> f32
    %half = pyk.foreign_call #pyk.foreign<numba, "half", [none]> (%sum) : (f32) -> f32
    // CHECK:     llvm.store %[[HALF]], %[[P]]
    %first = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    pyk.store %half, %first[] : !pyk.array<f32, c>
    // CHECK:     %[[BYTE:.*]] = llvm.call @test(%[[I]])
    // CHECK:     llvm.trunc %[[BYTE]] : i8 to i1
    %t = pyk.foreign_call #pyk.foreign<c, "test", [none]> (%i) : (i64) -> i1
    gpu.return
  }
}
