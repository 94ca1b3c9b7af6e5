// RUN: split-file %s %t
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=/nowhere \
// RUN:   pyk-test-translate %t/formula.mlir --pyk-to-ptx | FileCheck %t/formula.mlir
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=/nowhere \
// RUN:   not pyk-test-translate %t/type.mlir --pyk-to-ptx 2>&1 | FileCheck %t/type.mlir
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=/nowhere \
// RUN:   not pyk-test-translate %t/split.mlir --pyk-to-ptx 2>&1 | FileCheck %t/split.mlir
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=/nowhere \
// RUN:   not pyk-test-translate %t/unknown.mlir --pyk-to-ptx 2>&1 | FileCheck %t/unknown.mlir

// Without libdevice math functions are formulas, of large angles a function of
// its own; single instructions where the GPU has such.

//--- formula.mlir
// CHECK: .global .align 8 .b8 pyk_two_over_pi[160]
// CHECK: .entry kernel(
// CHECK-DAG: fma.rn.f32
// CHECK-DAG: call.uni (retval0), pyk_rare_$_sinf,
// CHECK-DAG: cvt.rpi.f32.f32
// CHECK-NOT: __nv
gpu.module @pyk {
  llvm.func @__nv_sinf(f32) -> f32
  llvm.func @__nv_ceilf(f32) -> f32
  llvm.func @kernel(%out: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %0 = llvm.call @__nv_sinf(%x) : (f32) -> f32
    %1 = llvm.call @__nv_ceilf(%0) : (f32) -> f32
    llvm.store %1, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}

//--- type.mlir
// CHECK: error: expects '__nv_sin' of type double (double) but got float (float)
gpu.module @pyk {
  llvm.func @__nv_sin(f32) -> f32
  llvm.func @kernel(%out: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %0 = llvm.call @__nv_sin(%x) : (f32) -> f32
    llvm.store %0, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}

//--- split.mlir
// CHECK: error: expects '__nv_sincosf' of type void (float, ptr, ptr) but got float (float)
gpu.module @pyk {
  llvm.func @__nv_sincosf(f32) -> f32
  llvm.func @kernel(%out: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %0 = llvm.call @__nv_sincosf(%x) : (f32) -> f32
    llvm.store %0, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}

//--- unknown.mlir
// CHECK: error: cannot find libdevice, which defines '__nv_other', and PyK does not know that function; install a CUDA toolkit and set CUDA_HOME to it, or set PYK_LIBDEVICE to a file libdevice.10.bc
gpu.module @pyk {
  llvm.func @__nv_other(f32) -> f32
  llvm.func @kernel(%out: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %0 = llvm.call @__nv_other(%x) : (f32) -> f32
    llvm.store %0, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
