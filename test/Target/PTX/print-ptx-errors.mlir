// RUN: pyk-opt %s --split-input-file --verify-diagnostics --pyk-print-ptx
// RUN: not pyk-opt %s --split-input-file --pyk-print-ptx=chip=sm_1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIP
// RUN: not pyk-opt %s --split-input-file --pyk-print-ptx=ptx-version=42 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERSION

// CHIP: error: expects a chip of sm_75, {{.*}} but got 'sm_1'
// VERSION: error: expects PTX version 70 or later for sm_80 but got 42
gpu.module @pyk {
}

// -----

// expected-error @below {{expects one gpu.module but got 0}}
module {
}

// -----

gpu.module @pyk {
  // expected-error @below {{expects to be in a function}}
  nvvm.barrier
}
