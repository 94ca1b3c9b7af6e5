// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" | FileCheck %s

gpu.module @atomics {
  // CHECK-LABEL: llvm.func @kinds
  func.func @kinds(%a: !pyk.array<f32, c>, %n: !pyk.array<i32, c, shared>,
                   %x: f32, %k: i32) {
    // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, f32
    %0 = pyk.atomic add %x, %a[] : !pyk.array<f32, c>
    // CHECK: llvm.atomicrmw fmin
    %1 = pyk.atomic nanmin %x, %a[] : !pyk.array<f32, c>
    // CHECK: llvm.atomicrmw xchg
    %2 = pyk.atomic exch %x, %a[] : !pyk.array<f32, c>
    // CHECK: llvm.atomicrmw umax %{{.*}} : !llvm.ptr<3>, i32
    %3 = pyk.atomic max unsigned %k, %n[] : !pyk.array<i32, c, shared>
    // CHECK: llvm.atomicrmw max
    %4 = pyk.atomic max %k, %n[] : !pyk.array<i32, c, shared>
    // CHECK: llvm.atomicrmw uinc_wrap
    %5 = pyk.atomic inc unsigned %k, %n[] : !pyk.array<i32, c, shared>
    // CHECK: llvm.atomicrmw udec_wrap
    %6 = pyk.atomic dec unsigned %k, %n[] : !pyk.array<i32, c, shared>
    return
  }
  // CHECK-LABEL: llvm.func @orders
  func.func @orders(%n: !pyk.array<i32, c>, %h: !pyk.array<f16, c>, %k: i32,
                    %x: f16) {
    // CHECK: llvm.atomicrmw add %{{.*}} syncscope("block") acquire
    %0 = pyk.atomic add order acquire scope block %k, %n[] : !pyk.array<i32, c>
    // CHECK: llvm.atomicrmw _or %{{.*}}, %{{.*}} release
    %1 = pyk.atomic or order release scope system %k, %n[] : !pyk.array<i32, c>
    // CHECK: llvm.atomicrmw fadd %{{.*}} syncscope("device") seq_cst {alignment = 2 : i64} : !llvm.ptr<1>, f16
    %2 = pyk.atomic add order seq_cst %x, %h[] : !pyk.array<f16, c>
    // CHECK: llvm.cmpxchg %{{.*}} syncscope("device") acq_rel acquire
    %3 = pyk.atomic_cas order acq_rel %k, %k, %n[] : !pyk.array<i32, c>
    // CHECK: llvm.cmpxchg %{{.*}} syncscope("block") release monotonic
    %4 = pyk.atomic_cas order release scope block %k, %k, %n[]
      : !pyk.array<i32, c>
    return
  }
  // Bits are compared, not numbers.
  // CHECK-LABEL: llvm.func @compare
  func.func @compare(%a: !pyk.array<f64, c>, %x: f64) -> f64 {
    // CHECK: llvm.bitcast %{{.*}} : f64 to i64
    // CHECK: llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic
    // CHECK: llvm.extractvalue %{{.*}}[0]
    // CHECK: llvm.bitcast %{{.*}} : i64 to f64
    %0 = pyk.atomic_cas %x, %x, %a[] : !pyk.array<f64, c>
    return %0 : f64
  }
  // CHECK-LABEL: llvm.func @fences
  func.func @fences() {
    // CHECK: llvm.fence syncscope("block") seq_cst
    pyk.fence block
    // CHECK: llvm.fence syncscope("device") seq_cst
    pyk.fence device
    // CHECK: llvm.fence seq_cst
    pyk.fence system
    return
  }
}
