// RUN: pyk-run %s --emit=reference | FileCheck %s --check-prefix=REFERENCE
// RUN: pyk-run %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: pyk-run %s --emit=ptx --chip=sm_90 | FileCheck %s --check-prefix=PTX

// Threads of the CPU share a loop, in which nothing may move across.
// REFERENCE: cmpxchg {{.*}} acq_rel acquire
// REFERENCE: atomicrmw add {{.*}} acq_rel
// LLVM: cmpxchg {{.*}} monotonic monotonic
// LLVM: atomicrmw add {{.*}} monotonic
// PTX: atom.relaxed.gpu.global.cas.b32
// PTX: {{atom|red}}{{.*}}.global.add.{{[us]}}32
pyk.func @k(%a: !pyk.array<?xi32, c>, %x: i32) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %0 = pyk.atomic_cas %x, %x, %a[%c0] : !pyk.array<?xi32, c>
  %1 = pyk.atomic add %x, %a[%c0] : !pyk.array<?xi32, c>
  pyk.return
}
