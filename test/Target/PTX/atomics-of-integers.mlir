// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_75 -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_75 %t.ptx --output-file %t.o %}

// Each operation of another scope than the device's is the instruction of its
// own: sign, width and name.
// CHECK-LABEL: .visible .entry longs(
pyk.func @longs(%a: !pyk.array<i64, c>, %n: i64) attributes {kernel} {
  // CHECK: atom.relaxed.sys.global.add.u64 %rd
  %0 = pyk.atomic add scope system %n, %a[] : !pyk.array<i64, c>
  // CHECK: atom.relaxed.sys.global.and.b64 %rd
  %1 = pyk.atomic and scope system %n, %a[] : !pyk.array<i64, c>
  // CHECK: atom.relaxed.sys.global.or.b64 %rd
  %2 = pyk.atomic or scope system %n, %a[] : !pyk.array<i64, c>
  // CHECK: atom.relaxed.sys.global.xor.b64 %rd
  %3 = pyk.atomic xor scope system %n, %a[] : !pyk.array<i64, c>
  // CHECK: atom.relaxed.sys.global.max.s64 %rd
  %4 = pyk.atomic max scope system %n, %a[] : !pyk.array<i64, c>
  // CHECK: atom.relaxed.sys.global.min.s64 %rd
  %5 = pyk.atomic min scope system %n, %a[] : !pyk.array<i64, c>
  // CHECK: atom.relaxed.sys.global.max.u64 %rd
  %6 = pyk.atomic max unsigned scope system %n, %a[] : !pyk.array<i64, c>
  // There is none of 64 bits.
  // CHECK: atom.relaxed.sys.global.cas.b64
  %7 = pyk.atomic dec unsigned scope system %n, %a[] : !pyk.array<i64, c>
  // CHECK: ret;
  pyk.return
}

// CHECK-LABEL: .visible .entry words(
pyk.func @words(%a: !pyk.array<i32, c>, %f: !pyk.array<f32, c>, %n: i32,
                %x: f32) attributes {kernel} {
  // CHECK: atom.relaxed.cta.global.min.s32 %r
  %0 = pyk.atomic min scope block %n, %a[] : !pyk.array<i32, c>
  // CHECK: atom.relaxed.cta.global.max.u32 %r
  %1 = pyk.atomic max unsigned scope block %n, %a[] : !pyk.array<i32, c>
  // CHECK: atom.relaxed.cta.global.dec.u32 %r
  %2 = pyk.atomic dec unsigned scope block %n, %a[] : !pyk.array<i32, c>
  // Floats are exchanged as the bits that they are.
  // CHECK: fence.acq_rel.cta;
  // CHECK: atom.relaxed.cta.global.exch.b32 %r
  // CHECK: fence.acq_rel.cta;
  %3 = pyk.atomic exch order acq_rel scope block %x, %f[] : !pyk.array<f32, c>
  // CHECK: fence.sc.cta;
  // CHECK-NEXT: atom.acquire.cta.global.cas.b32
  %4 = pyk.atomic_cas order seq_cst scope block %n, %n, %a[]
    : !pyk.array<i32, c>
  // CHECK-NEXT: ret;
  pyk.return
}

// Nobody else sees what is a thread's own.
// CHECK-LABEL: .visible .entry own(
// CHECK-NOT: atom
// CHECK: ret;
pyk.func @own(%out: !pyk.array<i32, c>, %i: i64, %n: i32) attributes {kernel} {
  %a = pyk.alloc : !pyk.array<4xi32, c, local>
  pyk.store %n, %a[%i] : !pyk.array<4xi32, c, local>
  %0 = pyk.atomic add %n, %a[%i] : !pyk.array<4xi32, c, local>
  %1 = pyk.atomic_cas %n, %0, %a[%i] : !pyk.array<4xi32, c, local>
  %2 = pyk.load %a[%i] : !pyk.array<4xi32, c, local>
  %sum = arith.addi %1, %2 : i32
  pyk.store %sum, %out[] : !pyk.array<i32, c>
  pyk.return
}
