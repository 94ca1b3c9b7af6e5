// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// The instruction makes the largest number of a NaN in float64, not 0.
// CHECK-LABEL: .visible .entry double_to_int(
// CHECK: cvt.rzi.s32.f64 %[[INT:.*]], %[[X:.*]];
// CHECK: setp.num.f64 %[[IS_NUMBER:.*]], %[[X]], %[[X]];
// CHECK: selp.b32 %[[RESULT:.*]], %[[INT]], 0, %[[IS_NUMBER]];
// CHECK: st.global.b32 {{.*}}, %[[RESULT]];
pyk.func @double_to_int(%out: !pyk.array<i32, c>, %x: f64) attributes {kernel} {
  %n = pyk.float_to_int %x : f64 to i32
  pyk.store %n, %out[] : !pyk.array<i32, c>
  pyk.return
}
