// RUN: pyk-opt %s --split-input-file --verify-diagnostics --pyk-select-kernel
// RUN: not pyk-opt %s --split-input-file --pyk-select-kernel=kernel=c 2>&1 \
// RUN:   | FileCheck %s

// CHECK: error: expects a kernel named 'c' but got only 'a', 'b'
// expected-error @below {{expects one kernel but got 2: 'a', 'b'}}
module {
  pyk.func @a() attributes {kernel} {
    pyk.return
  }
  pyk.func @b() attributes {kernel} {
    pyk.return
  }
}

// -----

// CHECK: error: expects a kernel named 'c' but got none
// expected-error @below {{expects one kernel but got 0}}
module {
  pyk.func @device() {
    pyk.return
  }
}
