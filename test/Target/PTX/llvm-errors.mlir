// RUN: split-file %s %t
// RUN: not pyk-test-translate %t/module.mlir --pyk-to-ptx 2>&1 | FileCheck %s
// RUN: llvm-as %t/library.ll -o %t/library.bc
// RUN: env PYK_LIBDEVICE=%t/library.bc not pyk-test-translate %t/calls.mlir --pyk-to-ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LINK

// What LLVM reports while it makes PTX is an error like any other, not the end
// of the process.
// CHECK: error: cannot make PTX: {{.*}}constraint

// LINK: error: cannot link libdevice at '{{.*}}library.bc'

//--- module.mlir
gpu.module @pyk {
  llvm.func @register_that_is_not_there() attributes {nvvm.kernel} {
    %0 = llvm.inline_asm has_side_effects "mov.b32 $0, 1;", "={nowhere}" : () -> i32
    llvm.return
  }
}

//--- calls.mlir
gpu.module @pyk {
  llvm.func @__nv_sinf(f32) -> f32
  llvm.func @kernel(%x: f32) attributes {nvvm.kernel} {
    %0 = llvm.call @__nv_sinf(%x) : (f32) -> f32
    llvm.return
  }
}

//--- library.ll
define float @__nv_sinf(float %x) {
  ret float %x
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"Debug Info Version", i32 3}
