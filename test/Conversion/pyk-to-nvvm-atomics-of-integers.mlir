// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" | FileCheck %s

gpu.module @atomics {
  // CHECK-LABEL: llvm.func @kinds
  func.func @kinds(%a: !pyk.array<i64, c>, %x: i64, %f: !pyk.array<f64, c>,
                   %y: f64) {
    // CHECK: llvm.atomicrmw add %{{.*}} syncscope("device") monotonic {alignment = 8 : i64} : !llvm.ptr<1>, i64
    %0 = pyk.atomic add %x, %a[] : !pyk.array<i64, c>
    // CHECK-NEXT: llvm.atomicrmw _and
    %1 = pyk.atomic and %x, %a[] : !pyk.array<i64, c>
    // CHECK-NEXT: llvm.atomicrmw _xor
    %2 = pyk.atomic xor %x, %a[] : !pyk.array<i64, c>
    // CHECK-NEXT: llvm.atomicrmw min
    %3 = pyk.atomic min %x, %a[] : !pyk.array<i64, c>
    // CHECK-NEXT: llvm.atomicrmw umin
    %4 = pyk.atomic min unsigned %x, %a[] : !pyk.array<i64, c>
    // CHECK-NEXT: llvm.atomicrmw xchg {{.*}} : !llvm.ptr<1>, i64
    %5 = pyk.atomic exch %x, %a[] : !pyk.array<i64, c>
    // CHECK-NEXT: llvm.atomicrmw fmax {{.*}} {alignment = 8 : i64} : !llvm.ptr<1>, f64
    %6 = pyk.atomic nanmax %y, %f[] : !pyk.array<f64, c>
    return
  }

  // Where the comparison fails nothing is released, but all else holds.
  // CHECK-LABEL: llvm.func @orders
  func.func @orders(%a: !pyk.array<i32, c>, %x: i32) {
    // CHECK: llvm.cmpxchg %{{.*}} seq_cst seq_cst {alignment = 4 : i64}
    %0 = pyk.atomic_cas order seq_cst scope system %x, %x, %a[]
      : !pyk.array<i32, c>
    // CHECK: llvm.cmpxchg %{{.*}} acquire acquire {alignment = 4 : i64}
    %1 = pyk.atomic_cas order acquire scope system %x, %x, %a[]
      : !pyk.array<i32, c>
    // CHECK: llvm.atomicrmw add %{{.*}} acq_rel
    %2 = pyk.atomic add order acq_rel scope system %x, %a[] : !pyk.array<i32, c>
    return
  }

  // Nobody else sees local memory, and NVPTX exchanges nothing there.
  // CHECK-LABEL: llvm.func @own(
  // CHECK-SAME:    %[[EXPECTED:.*]]: f32, %[[NEW:.*]]: f32)
  func.func @own(%expected: f32, %new: f32) -> f32 {
    // CHECK: %[[A:.*]] = llvm.alloca
    // CHECK: %[[E:.*]] = llvm.bitcast %[[EXPECTED]] : f32 to i32
    // CHECK: %[[N:.*]] = llvm.bitcast %[[NEW]] : f32 to i32
    // CHECK: %[[OLD:.*]] = llvm.load %[[A]] : !llvm.ptr -> i32
    // CHECK: %[[IS:.*]] = llvm.icmp "eq" %[[OLD]], %[[E]] : i32
    // CHECK: %[[STORED:.*]] = llvm.select %[[IS]], %[[N]], %[[OLD]] : i1, i32
    // CHECK: llvm.store %[[STORED]], %[[A]] : i32, !llvm.ptr
    // CHECK: %[[RESULT:.*]] = llvm.bitcast %[[OLD]] : i32 to f32
    // CHECK: llvm.return %[[RESULT]]
    %a = pyk.alloc : !pyk.array<f32, c, local>
    %0 = pyk.atomic_cas %expected, %new, %a[] : !pyk.array<f32, c, local>
    return %0 : f32
  }

  // CHECK-LABEL: llvm.func @masks_of_lanes
  func.func @masks_of_lanes() -> (i32, i32, i32) {
    // CHECK: nvvm.read.ptx.sreg.lanemask.eq : i32
    %0 = pyk.lane_mask eq
    // CHECK: nvvm.read.ptx.sreg.lanemask.le : i32
    %1 = pyk.lane_mask le
    // CHECK: nvvm.read.ptx.sreg.lanemask.gt : i32
    %2 = pyk.lane_mask gt
    return %0, %1, %2 : i32, i32, i32
  }

  // A short sleep between two looks.
  // CHECK-LABEL: llvm.func @spins
  func.func @spins() {
    // CHECK: %[[N:.*]] = llvm.mlir.constant(20 : i32) : i32
    // CHECK: nvvm.nanosleep %[[N]]
    pyk.spin_hint
    return
  }
}
