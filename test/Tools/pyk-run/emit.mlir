// --emit prints a stage and does not run; -o writes it to a file.

// RUN: pyk-run %s --emit=pyk | FileCheck %s --check-prefix=PYK
// PYK: pyk.func @fill
// RUN: pyk-run %s --emit=gpu | FileCheck %s --check-prefix=GPU
// GPU: gpu.func @fill{{.*}} kernel
// RUN: pyk-run %s --emit=nvvm | FileCheck %s --check-prefix=NVVM
// NVVM: llvm.func @fill{{.*}}nvvm.kernel
// RUN: pyk-run %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define ptx_kernel void @fill
// RUN: pyk-run %s --emit=reference | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: define {{.*}}fill
// RUN: pyk-run %s --emit=ptx | FileCheck %s --check-prefixes=PTX,SM80
// RUN: pyk-run %s --emit=ptx --chip=sm_90 | FileCheck %s --check-prefixes=PTX,SM90
// SM80: .target sm_80
// SM90: .target sm_90
// PTX: .visible .entry fill

// RUN: pyk-run %s --emit=ptx > %t.1
// RUN: pyk-run %s --emit=ptx --target=cuda -o %t.2
// RUN: cmp %t.1 %t.2

// A later stage that cannot be does not matter.
// RUN: %exits 2 pyk-run %s --emit=ptx --chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: pyk-run: error: option --chip expects a chip of sm_75, {{.*}} but got 'sm_1'

// A stage that lies behind cannot be had.
// RUN: %exits 1 pyk-run %s --emit=py 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND: emit.mlir: error: expects a file of stage py or earlier but got one of stage pyk

// RUN: %exits 2 pyk-run %s --emit=ptx -o %t.no/where 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: pyk-run: error: cannot write '{{.*}}where': No such file or directory
// RUN: %exits 1 pyk-run %s --emit=ptx -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: pyk-run: error: cannot write '/dev/full': No space left on device

pyk.func @fill(%a: !pyk.array<?xf32, c>) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %x = arith.constant 1.0 : f32
  pyk.store %x, %a[%zero] : !pyk.array<?xf32, c>
  pyk.return
}
