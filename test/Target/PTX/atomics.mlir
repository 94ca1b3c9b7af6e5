// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_75 -o %t.75.ptx
// RUN: FileCheck %s --input-file %t.75.ptx --check-prefixes=CHECK,SM75
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_90 -o %t.90.ptx
// RUN: FileCheck %s --input-file %t.90.ptx --check-prefixes=CHECK,SM90
// RUN: %if ptxas %{ ptxas --gpu-name sm_75 %t.75.ptx --output-file %t.o %}
// RUN: %if ptxas %{ ptxas --gpu-name sm_90 %t.90.ptx --output-file %t.o %}

// CHECK-LABEL: .visible .entry orders(
pyk.func @orders(%a: !pyk.array<i32, c>, %x: i32) attributes {kernel} {
  // CHECK-NOT: fence
  // CHECK: atom.global.add.u32
  %0 = pyk.atomic add %x, %a[] : !pyk.array<i32, c>
  // CHECK-NEXT: atom.global.xor.b32
  // CHECK-NEXT: fence.acq_rel.gpu;
  %1 = pyk.atomic xor order acquire %x, %a[] : !pyk.array<i32, c>
  // CHECK-NEXT: fence.acq_rel.gpu;
  // CHECK-NEXT: atom.global.and.b32
  %2 = pyk.atomic and order release %x, %a[] : !pyk.array<i32, c>
  // CHECK-NEXT: fence.acq_rel.cta;
  // CHECK: atom.relaxed.cta.global.max.s32
  // CHECK: fence.acq_rel.cta;
  %3 = pyk.atomic max order acq_rel scope block %x, %a[] : !pyk.array<i32, c>
  // CHECK: fence.sc.sys;
  // CHECK: atom.relaxed.sys.global.inc.u32
  // CHECK: fence.acq_rel.sys;
  %4 = pyk.atomic inc order seq_cst scope system %x, %a[]
    : !pyk.array<i32, c>
  // CHECK: atom.acquire.sys.global.cas.b32
  %5 = pyk.atomic_cas order acquire scope system %x, %x, %a[]
    : !pyk.array<i32, c>
  // CHECK: ret;
  pyk.return
}

// CHECK-LABEL: .visible .entry scopes(
pyk.func @scopes(%f: !pyk.array<f32, c>, %d: !pyk.array<f64, c>,
                 %l: !pyk.array<i64, c>, %x: f32, %y: f64, %n: i64)
    attributes {kernel} {
  %s = pyk.alloc : !pyk.array<i32, c, shared>
  %k = arith.trunci %n : i64 to i32
  // CHECK: atom.relaxed.sys.global.add.f32
  %0 = pyk.atomic add scope system %x, %f[] : !pyk.array<f32, c>
  // CHECK: atom.relaxed.cta.global.add.f64
  %1 = pyk.atomic add scope block %y, %d[] : !pyk.array<f64, c>
  // CHECK: atom.relaxed.sys.global.exch.b64
  %2 = pyk.atomic exch scope system %y, %d[] : !pyk.array<f64, c>
  // CHECK: atom.relaxed.sys.global.min.u64
  %3 = pyk.atomic min unsigned scope system %n, %l[] : !pyk.array<i64, c>
  // CHECK: atom.relaxed.cta.shared.or.b32
  %4 = pyk.atomic or scope block %k, %s[] : !pyk.array<i32, c, shared>
  // A loop, whose steps have the scope.
  // CHECK: atom.relaxed.sys.global.cas.b64
  %5 = pyk.atomic inc unsigned scope system %n, %l[] : !pyk.array<i64, c>
  // CHECK: ret;
  pyk.return
}

// CHECK-LABEL: .visible .entry short_floats(
pyk.func @short_floats(%h: !pyk.array<f16, c>, %b: !pyk.array<bf16, c>,
                       %x: f16, %y: bf16) attributes {kernel} {
  // CHECK: atom.global.add.noftz.f16
  %0 = pyk.atomic add %x, %h[] : !pyk.array<f16, c>
  // SM75: atom.relaxed.gpu.global.cas.b32
  // SM90: atom.global.add.noftz.bf16
  %1 = pyk.atomic add %y, %b[] : !pyk.array<bf16, c>
  // SM75: atom.relaxed.sys.global.cas.b32
  // SM90: atom.relaxed.sys.global.add.noftz.bf16
  %2 = pyk.atomic add scope system %y, %b[] : !pyk.array<bf16, c>
  // CHECK: setp.num.f16
  // CHECK: atom.relaxed.gpu.global.cas.b32
  %3 = pyk.atomic nanmax %x, %h[] : !pyk.array<f16, c>
  // CHECK: ret;
  pyk.return
}

// As nvcc writes CUDA's functions.
// CHECK-LABEL: .visible .entry fences(
pyk.func @fences() attributes {kernel} {
  // CHECK: membar.cta;
  pyk.fence block
  // CHECK-NEXT: membar.gl;
  pyk.fence device
  // CHECK-NEXT: membar.sys;
  pyk.fence system
  pyk.return
}

// Local memory is the thread's own: its updates are loads and stores.
// CHECK-LABEL: .visible .entry own(
pyk.func @own(%out: !pyk.array<i32, c>, %i: i64, %x: i32) attributes {kernel} {
  %a = pyk.alloc : !pyk.array<4xi32, c, local>
  // CHECK-NOT: atom
  %0 = pyk.atomic add scope system %x, %a[%i] : !pyk.array<4xi32, c, local>
  %1 = pyk.atomic exch scope block %x, %a[%i] : !pyk.array<4xi32, c, local>
  %y = arith.addi %0, %1 : i32
  // CHECK: st.global.{{.}}32
  pyk.store %y, %out[] : !pyk.array<i32, c>
  // CHECK: ret;
  pyk.return
}
