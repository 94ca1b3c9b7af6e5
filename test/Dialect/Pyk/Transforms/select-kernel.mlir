// RUN: pyk-opt %s --pyk-select-kernel=kernel=second | FileCheck %s
// RUN: pyk-opt %s --pyk-select-kernel=kernel=second --pyk-select-kernel \
// RUN:   | FileCheck %s

// Device functions stay, whether they are called or not.
// CHECK-NOT: @first
// CHECK: pyk.func @half
// CHECK: pyk.func @second
pyk.func @first() attributes {kernel} {
  pyk.return
}

pyk.func @half(%x: f32) -> f32 {
  pyk.return %x : f32
}

pyk.func @second() attributes {kernel} {
  pyk.return
}
