// RUN: pyk-opt %s --convert-pyk-to-gpu | FileCheck %s

// Names that LLVM or PTX claim have a prefix, those of kernels among them.
// CHECK:      gpu.func @pyk_WARP_SZ() kernel
// CHECK:      func.func private @pyk__()
// CHECK:      func.func private @pyk___()
// CHECK:      func.func private @_a()
// CHECK:      func.func private @pyk_llvm_sin()
// Names that become the same are told apart; a byte that is no UTF-8 stands for
// itself.
// CHECK:      func.func private @a_b()
// CHECK:      func.func private @a_b_1()
// CHECK:      func.func private @a_b_1_1()
// CHECK:      func.func private @_uFFx()
// What a linker knows by its name keeps it.
// CHECK:      func.func private @foreign_1()
// CHECK:        pyk.foreign_call #pyk.foreign<c, "foreign"
pyk.func @WARP_SZ() attributes {kernel} {
  pyk.return
}
pyk.func @_() {
  pyk.return
}
pyk.func @__() {
  pyk.return
}
pyk.func @_a() {
  pyk.return
}
pyk.func @llvm.sin() {
  pyk.return
}
pyk.func @"a.b"() {
  pyk.return
}
pyk.func @"a-b"() {
  pyk.return
}
pyk.func @a_b_1() {
  pyk.return
}
pyk.func @"\FFx"() {
  pyk.return
}
pyk.func @foreign() {
  pyk.foreign_call #pyk.foreign<c, "foreign", []> () : () -> ()
  pyk.return
}
