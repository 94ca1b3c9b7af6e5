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

// Unsigned bytes have one end to limit: what is negative, or no number, is 0
// before.
// CHECK-LABEL: .visible .entry float_to_byte(
// CHECK: cvt.rzi.u32.f32 %[[INT:.*]], %{{.*}};
// CHECK: min.u32 %[[BYTE:.*]], %[[INT]], 255;
// CHECK: st.global.b8 {{.*}}, %[[BYTE]];
pyk.func @float_to_byte(%out: !pyk.array<i8, c>, %x: f32) attributes {kernel} {
  %n = pyk.float_to_int unsigned %x : f32 to i8
  pyk.store %n, %out[] : !pyk.array<i8, c>
  pyk.return
}

// CHECK-LABEL: .visible .entry double_to_short(
// CHECK: cvt.rzi.s32.f64
// CHECK: setp.num.f64
// CHECK: selp.b32 %[[RESULT:[a-z0-9]*]],
// CHECK: max.s32 %[[ABOVE:.*]], %[[RESULT]], -32768;
// CHECK: min.s32 %[[SHORT:.*]], %[[ABOVE]], 32767;
// CHECK: st.global.b16 {{.*}}, %[[SHORT]];
pyk.func @double_to_short(%out: !pyk.array<i16, c>, %x: f64) attributes {kernel} {
  %n = pyk.float_to_int %x : f64 to i16
  pyk.store %n, %out[] : !pyk.array<i16, c>
  pyk.return
}
