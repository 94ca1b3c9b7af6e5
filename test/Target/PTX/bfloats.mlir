// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx -o %t.80.ptx
// RUN: FileCheck %s --input-file %t.80.ptx --check-prefixes=CHECK,SM80
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_90 -o %t.90.ptx
// RUN: FileCheck %s --input-file %t.90.ptx --check-prefixes=CHECK,SM90
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.80.ptx --output-file %t.o %}
// RUN: %if ptxas %{ ptxas --gpu-name sm_90 %t.90.ptx --output-file %t.o %}

// What f32 and a rounding compute is an instruction of bf16 where there is one.
// CHECK-LABEL: .visible .entry bfloats(
pyk.func @bfloats(%out: !pyk.array<?xbf16, c>, %x: bf16, %y: bf16, %d: f64)
    attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  // The product plus -0, and the sum of one operand times 1.
  // SM80: mov.b16 %[[MINUS_ZERO:.*]], 0x8000;
  // SM80: fma.rn.bf16 %[[P:[^,]*]], %{{.*}}, %{{.*}}, %[[MINUS_ZERO]];
  // SM80: mov.b16 %[[ONE:.*]], 0x3F80;
  // SM80: fma.rn.bf16 %[[S:[^,]*]], %{{.*}}, %[[ONE]], %[[P]];
  // SM90: mul.rn.bf16 %[[P:[^,]*]], %
  // SM90: add.rn.bf16 %[[S:[^,]*]], %{{.*}}, %[[P]];
  // CHECK: st.global.b16 {{.*}}, %[[S]]
  %0 = arith.mulf %x, %y fastmath<contract> : bf16
  %1 = arith.addf %0, %y fastmath<contract> : bf16
  pyk.store %1, %out[%c0] : !pyk.array<?xbf16, c>
  // CHECK: fma.rn.bf16 %[[FMA:[^,]*]], %
  // CHECK: st.global.b16 {{.*}}, %[[FMA]]
  %2 = math.fma %x, %y, %x : bf16
  pyk.store %2, %out[%c1] : !pyk.array<?xbf16, c>
  // CHECK: div.rn.f32 %[[QUOTIENT:[^,]*]], %
  // CHECK: cvt.rn.bf16.f32 %{{.*}}, %[[QUOTIENT]]
  %3 = arith.divf %x, %y : bf16
  pyk.store %3, %out[%c2] : !pyk.array<?xbf16, c>
  // To a float with an odd last digit first, which no rounding takes for a tie.
  // SM80: cvt.rn.f32.f64
  // SM80: add.s32
  // SM80: cvt.rn.bf16.f32
  // SM90: cvt.rn.bf16.f64
  %4 = arith.truncf %d : f64 to bf16
  pyk.store %4, %out[%c3] : !pyk.array<?xbf16, c>
  pyk.return
}
