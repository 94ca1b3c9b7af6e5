// PTX goes to standard output as it is; the module stays what it was.

// RUN: pyk-opt %s --pyk-print-ptx -o %t.mlir \
// RUN:   | FileCheck %s --check-prefixes=PTX,SM80
// RUN: pyk-opt %s -o - | cmp - %t.mlir
// RUN: pyk-opt %s --pyk-print-ptx="chip=sm_90 ptx-version=81" -o /dev/null \
// RUN:   | FileCheck %s --check-prefixes=PTX,SM90

// PTX: {{^//$}}
// SM80: .version 7.0
// SM80-NEXT: .target sm_80
// SM90: .version 8.1
// SM90-NEXT: .target sm_90
// PTX: .visible .entry nothing()
// PTX: ret;

gpu.module @pyk {
  llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
