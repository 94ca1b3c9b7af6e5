// Functions of one name in two modules, or in a module and one around it, are
// not taken for each other.
// RUN: pyk-opt %s --pyk-place-shared-arrays --pyk-mark-spins \
// RUN:   --pyk-extend-lifetimes | FileCheck %s

// CHECK:      module @outer {
// CHECK:        pyk.func @callee(%{{.*}}: i64, %{{.*}}: !pyk.array<?xf32, c, shared>)
// CHECK:        pyk.func @kernel(
// CHECK:          pyk.call @callee({{.*}}) : (i64, !pyk.array<?xf32, c, shared>) -> ()
// CHECK:        module @inner {
// CHECK:          pyk.func @callee() {
// CHECK:          pyk.call @callee() : () -> ()
module @outer {
  pyk.func @callee(%n: i64) {
    %s = pyk.launch_shared %n {alignment = 64} : !pyk.array<?xf32, c, shared>
    %x = arith.constant 1.0 : f32
    pyk.store %x, %s[%n] : !pyk.array<?xf32, c, shared>
    pyk.return
  }
  pyk.func @kernel(%n: i64) attributes {kernel} {
    pyk.call @callee(%n) : (i64) -> ()
    pyk.return
  }
  module @inner {
    pyk.func @callee() {
      pyk.return
    }
    pyk.func @caller() {
      pyk.call @callee() : () -> ()
      pyk.return
    }
  }
}
