// --dump-stages writes one numbered file for each stage, and creates the
// folder. Without --grid nothing runs.
// RUN: rm -rf %t
// RUN: pyk-run %s --dump-stages=%t/deep/er
// RUN: ls %t/deep/er | FileCheck %s
//      CHECK: 10-threads.mlir
// CHECK-NEXT: 11-reference.ll
// CHECK-NEXT: 2-pyk.mlir
// CHECK-NEXT: 3-gpu.mlir
// CHECK-NEXT: 4-nvvm.mlir
// CHECK-NEXT: 5-llvm.ll
// CHECK-NEXT: 6-ptx.ptx
// CHECK-NEXT: 7-checked.mlir
// CHECK-NEXT: 8-simd.mlir
// CHECK-NEXT: 9-host.mlir

// Together with --emit all are written, and the one is printed.
// RUN: rm -rf %t
// RUN: pyk-run %s --dump-stages=%t --emit=gpu -o %t.gpu
// RUN: cmp %t.gpu %t/3-gpu.mlir
// RUN: pyk-run %t/3-gpu.mlir --emit=ptx | cmp - %t/6-ptx.ptx

// A folder that cannot be is a mistake of the command line.
// RUN: %exits 2 pyk-run %s --dump-stages=%s/no 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: pyk-run: error: option --dump-stages expects a folder to write to but got '{{.*}}/no': Not a directory

// A file that cannot be written is not, and has no place in the source.
// RUN: rm -rf %t && mkdir -p %t/3-gpu.mlir
// RUN: %exits 1 pyk-run %s --dump-stages=%t 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: {{^}}error: cannot write '{{.*}}3-gpu.mlir': Is a directory

pyk.func @nothing() attributes {kernel} {
  pyk.return
}
