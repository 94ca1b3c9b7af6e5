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

// A kernel that is launched stays with the one that launches it.
// CHECK-NOT: @of_first
pyk.func @of_first(%n: i64) attributes {kernel, pyk.child} {
  pyk.launch @of_first grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n (%n) : i64
  pyk.return
}

// CHECK: pyk.func @of_second(
pyk.func @of_second(%n: i64) attributes {kernel, pyk.child} {
  pyk.return
}

// CHECK: pyk.func @launches(
pyk.func @launches(%n: i64) {
  pyk.launch @of_second grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n (%n) : i64
  pyk.return
}
