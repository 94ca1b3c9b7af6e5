// RUN: split-file %s %t
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=/nowhere \
// RUN:   pyk-test-translate %t/formula.mlir --pyk-to-ptx | FileCheck %t/formula.mlir
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=/nowhere \
// RUN:   pyk-test-translate %t/flushing.mlir --pyk-to-ptx | FileCheck %t/flushing.mlir
// RUN: env -u PYK_LIBDEVICE CUDA_HOME=/nowhere \
// RUN:   pyk-test-translate %t/some-flush.mlir --pyk-to-ptx | FileCheck %t/some-flush.mlir
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

//--- flushing.mlir
// CHECK: sub.rm.ftz.f32
// CHECK: add.rp.ftz.f32
// CHECK: cvt.rni.ftz.s64.f32
// CHECK: ex2.approx.ftz.f32
// CHECK: sin.approx.ftz.f32
// CHECK: cos.approx.ftz.f32
// CHECK: div.approx.ftz.f32
// CHECK: ex2.approx.ftz.f32
// CHECK: rsqrt.approx.ftz.f32
gpu.module @pyk {
  llvm.func @__nv_fsub_rd(f32, f32) -> f32
  llvm.func @__nv_fadd_ru(f32, f32) -> f32
  llvm.func @__nv_llrintf(f32) -> i64
  llvm.func @__nv_fast_exp10f(f32) -> f32
  llvm.func @__nv_fast_tanf(f32) -> f32
  llvm.func @__nv_exp2f(f32) -> f32
  llvm.func @__nv_rsqrtf(f32) -> f32
  llvm.func @kernel(%out: !llvm.ptr<1>, %n: !llvm.ptr<1>, %x: f32)
      attributes {nvvm.kernel, denormal_fp_math_f32 = "preserve-sign"} {
    %0 = llvm.call @__nv_fsub_rd(%x, %x) : (f32, f32) -> f32
    llvm.store volatile %0, %out : f32, !llvm.ptr<1>
    %1 = llvm.call @__nv_fadd_ru(%x, %x) : (f32, f32) -> f32
    llvm.store volatile %1, %out : f32, !llvm.ptr<1>
    %2 = llvm.call @__nv_llrintf(%x) : (f32) -> i64
    llvm.store volatile %2, %n : i64, !llvm.ptr<1>
    %3 = llvm.call @__nv_fast_exp10f(%x) : (f32) -> f32
    llvm.store volatile %3, %out : f32, !llvm.ptr<1>
    %4 = llvm.call @__nv_fast_tanf(%x) : (f32) -> f32
    llvm.store volatile %4, %out : f32, !llvm.ptr<1>
    %5 = llvm.call @__nv_exp2f(%x) : (f32) -> f32
    llvm.store volatile %5, %out : f32, !llvm.ptr<1>
    %6 = llvm.call @__nv_rsqrtf(%x) : (f32) -> f32
    llvm.store volatile %6, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}

//--- some-flush.mlir
// One kernel does not flush, so functions that both might call do not.
// CHECK: .entry flushes(
// CHECK: ex2.approx.f32
// CHECK: .entry exact(
// CHECK: add.rp.f32
gpu.module @pyk {
  llvm.func @__nv_fadd_ru(f32, f32) -> f32
  llvm.func @__nv_fast_expf(f32) -> f32
  llvm.func @flushes(%out: !llvm.ptr<1>, %x: f32)
      attributes {nvvm.kernel, denormal_fp_math_f32 = "preserve-sign"} {
    %0 = llvm.call @__nv_fast_expf(%x) : (f32) -> f32
    llvm.store %0, %out : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @exact(%out: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %0 = llvm.call @__nv_fadd_ru(%x, %x) : (f32, f32) -> f32
    llvm.store %0, %out : f32, !llvm.ptr<1>
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
