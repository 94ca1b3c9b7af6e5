// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// Of each width and sign the instruction of its own, and NaN as 0 where 64 bits
// are involved, on whichever side.

// CHECK-LABEL: .visible .entry double_to_unsigned(
// CHECK: cvt.rzi.u32.f64 %[[INT:.*]], %[[X:.*]];
// CHECK-NEXT: setp.num.f64 %[[IS_NUMBER:.*]], %[[X]], %[[X]];
// CHECK-NEXT: selp.b32 %[[RESULT:.*]], %[[INT]], 0, %[[IS_NUMBER]];
// CHECK: st.global.b32 {{.*}}, %[[RESULT]];
pyk.func @double_to_unsigned(%out: !pyk.array<i32, c>, %x: f64)
    attributes {kernel} {
  %n = pyk.float_to_int unsigned %x : f64 to i32
  pyk.store %n, %out[] : !pyk.array<i32, c>
  pyk.return
}

// CHECK-LABEL: .visible .entry double_to_unsigned_long(
// CHECK: cvt.rzi.u64.f64 %[[INT:.*]], %[[X:.*]];
// CHECK-NEXT: setp.num.f64 %[[IS_NUMBER:.*]], %[[X]], %[[X]];
// CHECK-NEXT: selp.b64 %[[RESULT:.*]], %[[INT]], 0, %[[IS_NUMBER]];
// CHECK: st.global.b64 {{.*}}, %[[RESULT]];
pyk.func @double_to_unsigned_long(%out: !pyk.array<i64, c>, %x: f64)
    attributes {kernel} {
  %n = pyk.float_to_int unsigned %x : f64 to i64
  pyk.store %n, %out[] : !pyk.array<i64, c>
  pyk.return
}

// CHECK-LABEL: .visible .entry float_to_long(
// CHECK: cvt.rzi.s64.f32 %[[INT:.*]], %[[X:.*]];
// CHECK-NEXT: setp.num.f32 %[[IS_NUMBER:.*]], %[[X]], %[[X]];
// CHECK-NEXT: selp.b64 %[[RESULT:.*]], %[[INT]], 0, %[[IS_NUMBER]];
// CHECK: st.global.b64 {{.*}}, %[[RESULT]];
pyk.func @float_to_long(%out: !pyk.array<i64, c>, %x: f32)
    attributes {kernel} {
  %n = pyk.float_to_int %x : f32 to i64
  pyk.store %n, %out[] : !pyk.array<i64, c>
  pyk.return
}

// CHECK-LABEL: .visible .entry float_to_unsigned_long(
// CHECK: cvt.rzi.u64.f32 %[[INT:.*]], %[[X:.*]];
// CHECK-NEXT: setp.num.f32 %[[IS_NUMBER:.*]], %[[X]], %[[X]];
// CHECK-NEXT: selp.b64 %[[RESULT:.*]], %[[INT]], 0, %[[IS_NUMBER]];
// CHECK: st.global.b64 {{.*}}, %[[RESULT]];
pyk.func @float_to_unsigned_long(%out: !pyk.array<i64, c>, %x: f32)
    attributes {kernel} {
  %n = pyk.float_to_int unsigned %x : f32 to i64
  pyk.store %n, %out[] : !pyk.array<i64, c>
  pyk.return
}

// CHECK-LABEL: .visible .entry double_to_unsigned_short(
// CHECK: cvt.rzi.u32.f64
// CHECK: selp.b32 %[[RESULT:[a-z0-9]*]],
// CHECK-NEXT: min.u32 %[[SHORT:.*]], %[[RESULT]], 65535;
// CHECK: st.global.b16 {{.*}}, %[[SHORT]];
pyk.func @double_to_unsigned_short(%out: !pyk.array<i16, c>, %x: f64)
    attributes {kernel} {
  %n = pyk.float_to_int unsigned %x : f64 to i16
  pyk.store %n, %out[] : !pyk.array<i16, c>
  pyk.return
}

// By way of f32, of which the instruction makes 0 of a NaN.
// CHECK-LABEL: .visible .entry half_to_byte(
// CHECK: cvt.f32.f16 %[[X:.*]], %
// CHECK-NEXT: cvt.rzi.s32.f32 %[[INT:.*]], %[[X]];
// CHECK-NEXT: max.s32 %[[ABOVE:.*]], %[[INT]], -128;
// CHECK-NEXT: min.s32 %[[BYTE:.*]], %[[ABOVE]], 127;
// CHECK: st.global.b8 {{.*}}, %[[BYTE]];
pyk.func @half_to_byte(%out: !pyk.array<i8, c>, %x: f16) attributes {kernel} {
  %n = pyk.float_to_int %x : f16 to i8
  pyk.store %n, %out[] : !pyk.array<i8, c>
  pyk.return
}
