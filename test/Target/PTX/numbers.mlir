// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: pyk-test-translate %t.mlir --pyk-to-llvmir | FileCheck %s --check-prefix=LLVM
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// CHECK-LABEL: .visible .entry numbers(
pyk.func @numbers(%ints: !pyk.array<?xi32, c>, %longs: !pyk.array<?xi64, c>,
                  %floats: !pyk.array<?xf32, c>, %x: f32, %y: f32, %d: f64)
    attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // The instruction saturates by itself and makes NaN 0.
  // CHECK: cvt.rzi.s32.f32 %[[INT:.*]], %
  // CHECK-NOT: selp
  // LLVM: call i32 @llvm.fptosi.sat.i32.f32
  %0 = pyk.float_to_int %x : f32 to i32
  // CHECK: st.global.b32 {{.*}}, %[[INT]]
  pyk.store %0, %ints[%c0] : !pyk.array<?xi32, c>
  // Not so where 64 bits are involved.
  // CHECK: cvt.rzi.s64.f64
  // CHECK: selp.b64
  // LLVM: call i64 @llvm.fptosi.sat.i64.f64
  %1 = pyk.float_to_int %d : f64 to i64
  pyk.store %1, %longs[%c0] : !pyk.array<?xi64, c>
  // Contracted where the ops allow it, and only there: `.rn` keeps ptxas from it.
  // CHECK: fma.rn.f32
  %2 = arith.mulf %x, %x fastmath<contract> : f32
  %3 = arith.addf %2, %y fastmath<contract> : f32
  pyk.store %3, %floats[%c0] : !pyk.array<?xf32, c>
  // CHECK: mul.rn.f32
  // CHECK: add.rn.f32
  %4 = arith.mulf %y, %y : f32
  %5 = arith.addf %4, %x : f32
  pyk.store %5, %floats[%c1] : !pyk.array<?xf32, c>
  // CHECK: sqrt.rn.f32
  %c2 = arith.constant 2 : i64
  %6 = math.sqrt %x : f32
  pyk.store %6, %floats[%c2] : !pyk.array<?xf32, c>
  pyk.return
}
