// Kernels of one file are one module in every stage; --kernel leaves one.

// RUN: pyk-run %s --emit=pyk | FileCheck %s --check-prefix=PYK
// PYK-COUNT-2: attributes {kernel}
// RUN: pyk-run %s --emit=gpu | FileCheck %s --check-prefix=GPU
// GPU:         gpu.module
// GPU-COUNT-2: gpu.func
// GPU-NOT:     gpu.module
// RUN: pyk-run %s --emit=nvvm | FileCheck %s --check-prefix=NVVM
// NVVM-COUNT-2: nvvm.kernel
// RUN: pyk-run %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// LLVM-COUNT-2: define ptx_kernel void
// RUN: pyk-run %s --emit=ptx | FileCheck %s --check-prefix=PTX
// PTX:         .version
// PTX-NOT:     .version
// PTX:         .visible .entry store(
// PTX:         .visible .entry twice(
// RUN: pyk-run %s --emit=reference | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: void @pyk_cpu_thread.store(
// REFERENCE: void @pyk_cpu_thread.twice(

// RUN: pyk-run %s --emit=ptx --kernel=twice | FileCheck %s --check-prefix=ONE
// ONE-NOT: @store
// ONE:     .visible .entry twice(
// RUN: pyk-run %s --emit=gpu -o %t.mlir
// RUN: pyk-run %t.mlir --emit=ptx --kernel=twice | FileCheck %s --check-prefix=ONE

// RUN: pyk-run %s --kernel=store --grid=1 --block=3 --arg=i32[3]=zeros \
// RUN:   --arg=i32:7 --print=0 | FileCheck %s --check-prefix=STORE
// STORE: 0: i32[3] = [7, 7, 7]
// RUN: pyk-run %s --kernel=twice --grid=1 --block=3 --arg=i32[3]=iota \
// RUN:   --print=0 | FileCheck %s --check-prefix=TWICE
// TWICE: 0: i32[3] = [0, 2, 4]
pyk.func @store(%a: !pyk.array<?xi32, c>, %x: i32) attributes {kernel} {
  %i = pyk.grid x : i64
  pyk.store %x, %a[%i] : !pyk.array<?xi32, c>
  pyk.return
}

pyk.func @twice(%a: !pyk.array<?xi32, c>) attributes {kernel} {
  %i = pyk.grid x : i64
  %x = pyk.load %a[%i] : !pyk.array<?xi32, c>
  %y = arith.addi %x, %x : i32
  pyk.store %y, %a[%i] : !pyk.array<?xi32, c>
  pyk.return
}
