// A complex number is one parameter of two parts, and its parts lie side by side
// in memory, aligned as they are.
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: pyk-test-translate %t.mlir --pyk-to-llvmir | FileCheck %s --check-prefix=LLVM
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// LLVM: @pyk_constant_0 = internal addrspace(4) constant [4 x float] [float 1.000000e+00, float 2.000000e+00, float 0.000000e+00, float -1.000000e+00]
// LLVM: define ptx_kernel void @scale(ptr addrspace(1) %{{[^,]*}}, { double, double } %
// CHECK-LABEL: .visible .entry scale(
// CHECK: .param .align 8 .b8 scale_param_1[16]
pyk.func @scale(%a: !pyk.array<?xcomplex<f64>, c>, %z: complex<f64>,
                %out: !pyk.array<?xcomplex<f32>, c>)
    attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %i = pyk.thread_id x : i32
  %j = arith.extui %i : i32 to i64
  // LLVM: getelementptr <2 x double>
  // LLVM: load <2 x double>, {{.*}}, align 8
  // CHECK: ld.global.b64
  %x = pyk.load %a[%j] : !pyk.array<?xcomplex<f64>, c>
  %re = complex.re %x : complex<f64>
  %im = complex.im %z : complex<f64>
  %y = complex.create %im, %re : complex<f64>
  // LLVM: store <2 x double> {{.*}}, align 8
  pyk.store %y, %a[%j] : !pyk.array<?xcomplex<f64>, c>
  // CHECK: st.global.b64
  // CHECK: st.global.b64
  // In memory of the kernel's own, whose alignment is known, one access is enough.
  // CHECK: st.shared.v2.b32
  %table = pyk.constant_array dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
      : !pyk.array<2xcomplex<f32>, c, constant>
  %tile = pyk.alloc : !pyk.array<8xcomplex<f32>, c, shared>
  %w = pyk.load %table[%j] : !pyk.array<2xcomplex<f32>, c, constant>
  pyk.store %w, %tile[%j] : !pyk.array<8xcomplex<f32>, c, shared>
  pyk.barrier
  // CHECK: ld.shared.v2.b32
  %last = arith.constant 7 : i64
  %v = pyk.load %tile[%last] : !pyk.array<8xcomplex<f32>, c, shared>
  pyk.store %v, %out[%j] : !pyk.array<?xcomplex<f32>, c>
  pyk.return
}
