// RUN: pyk-opt %s --pyk-assume-launch=block=16x4x1 | FileCheck %s

// The shape of blocks stands on kernels, not on what they call.
// CHECK: pyk.func @k() attributes {kernel, pyk.block_shape = array<i32: 16, 4, 1>}
pyk.func @k() attributes {kernel} {
  pyk.call @f() : () -> ()
  pyk.return
}
// CHECK: pyk.func private @f() {
pyk.func private @f() {
  pyk.return
}
// Nor on kernels that kernels launch.
// CHECK: pyk.func @child() attributes {kernel, pyk.child} {
pyk.func @child() attributes {kernel, pyk.child} {
  pyk.return
}
