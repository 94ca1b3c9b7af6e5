// RUN: split-file %s %t
// RUN: mkdir -p %t/first/nvvm/libdevice %t/second/nvvm/libdevice
// RUN: llvm-as %t/one.ll -o %t/first/nvvm/libdevice/libdevice.10.bc
// RUN: llvm-as %t/two.ll -o %t/second/nvvm/libdevice/libdevice.10.bc
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=%t/first CUDA_PATH=%t/second \
// RUN:   pyk-test-translate %t/calls.mlir --pyk-to-ptx | FileCheck %s --check-prefix=ONE
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=%t CUDA_PATH=%t/second \
// RUN:   pyk-test-translate %t/calls.mlir --pyk-to-ptx | FileCheck %s --check-prefix=TWO
// RUN: env -u PYK_LIBDEVICE -u CUDA_HOME CUDA_PATH=%t/second \
// RUN:   pyk-test-translate %t/calls.mlir --pyk-to-ptx | FileCheck %s --check-prefix=TWO
// RUN: env PYK_LIBDEVICE=%t/second/nvvm/libdevice/libdevice.10.bc CUDA_HOME=%t/first \
// RUN:   pyk-test-translate %t/calls.mlir --pyk-to-ptx | FileCheck %s --check-prefix=TWO
// RUN: env CUDA_HOME=%t/first PYK_LIBDEVICE=/nowhere \
// RUN:   not pyk-test-translate %t/calls.mlir --pyk-to-ptx 2>&1 | FileCheck %s --check-prefix=NAMED

// Of several toolkits the first that has the library, but before all the file
// that is named; if that is not there, no other is looked for.
// ONE: st.global.b32 {{.*}}, 1;
// TWO: st.global.b32 {{.*}}, 2;
// NAMED: cannot read '/nowhere', which PYK_LIBDEVICE names as libdevice

//--- calls.mlir
gpu.module @pyk {
  llvm.func @__nv_ffs(i32) -> i32
  llvm.func @kernel(%out: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
    %0 = llvm.call @__nv_ffs(%x) : (i32) -> i32
    llvm.store %0, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}

//--- one.ll
define i32 @__nv_ffs(i32 %x) {
  ret i32 1
}

//--- two.ll
define i32 @__nv_ffs(i32 %x) {
  ret i32 2
}
