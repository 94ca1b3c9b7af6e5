// RUN: pyk-opt %s --pyk-assume-launch="block=16x16" --verify-diagnostics
// RUN: not pyk-opt %s --pyk-assume-launch="block=1024x2x1" 2>&1 | FileCheck %s

// CHECK: error: expects a block as 16x16x1, of at most 1024 threads, but got '1024x2x1'
// expected-error @below {{expects a block as 16x16x1, of at most 1024 threads, but got '16x16'}}
module {
  pyk.func @k() attributes {kernel} {
    pyk.return
  }
}
