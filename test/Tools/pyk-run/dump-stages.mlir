// --dump-stages writes one numbered file for each stage, and creates the
// folder. Without --grid nothing runs.
// RUN: rm -rf %t
// RUN: pyk-run %s --dump-stages=%t/deep/er
// RUN: ls %t/deep/er | FileCheck %s
//      CHECK: 2-pyk.mlir
// CHECK-NEXT: 3-gpu.mlir
// CHECK-NEXT: 4-nvvm.mlir
// CHECK-NEXT: 5-llvm.ll
// CHECK-NEXT: 6-ptx.ptx
// CHECK-NEXT: 7-reference.ll

// Together with --emit all are written, and the one is printed.
// RUN: rm -rf %t
// RUN: pyk-run %s --dump-stages=%t --emit=gpu -o %t.gpu
// RUN: cmp %t.gpu %t/3-gpu.mlir
// RUN: pyk-run %t/3-gpu.mlir --emit=ptx | cmp - %t/6-ptx.ptx

// RUN: %exits 1 pyk-run %s --dump-stages=%s/no 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: cannot write '{{.*}}2-pyk.mlir': Not a directory

pyk.func @nothing() attributes {kernel} {
  pyk.return
}
