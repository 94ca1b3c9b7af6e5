// Floats of 8 bits: every bit pattern at an edge as an f32, and f32 and f64 rounded once.
// Which bits stand for NaN in e5m2 is open; that there are some is seen after extending.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=16 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i8s = !pyk.array<?xi8, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// Subnormals, infinities and NaNs.
// REDEFINE: %{kernel} = extend_e5m2
// REDEFINE: %{args} = "--arg=u8[16]=0,128,1,3,4,131,60,188,123,251,124,252,125,127,255,66" \
// REDEFINE:   --arg=f32[16]=zeros --print=1
// RUN: %{test}
// extend_e5m2: 1: f32[16] = [0.0, -0.0, 1.5258789e-05, 4.5776367e-05, 6.1035156e-05, -4.5776367e-05, 1.0, -1.0, 57344.0, -57344.0, inf, -inf, nan, nan, nan, 3.0]
pyk.func @extend_e5m2(%a: !i8s, %x: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %0 = pyk.extend_float8 e5m2 %ai : f32
  pyk.store %0, %x[%i] : !f32s
  pyk.return
}

// No infinities: 0x78 and more are numbers but for 0x7f.
// REDEFINE: %{kernel} = extend_e4m3
// REDEFINE: %{args} = "--arg=u8[16]=0,128,1,7,8,135,56,184,126,254,127,255,120,248,59,16" \
// REDEFINE:   --arg=f32[16]=zeros --print=1
// RUN: %{test}
// extend_e4m3: 1: f32[16] = [0.0, -0.0, 0.001953125, 0.013671875, 0.015625, -0.013671875, 1.0, -1.0, 448.0, -448.0, nan, nan, 256.0, -256.0, 1.375, 0.03125]
pyk.func @extend_e4m3(%a: !i8s, %x: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %0 = pyk.extend_float8 e4m3 %ai : f32
  pyk.store %0, %x[%i] : !f32s
  pyk.return
}

// The low half of a byte, whatever is in the other; all bits are numbers.
// REDEFINE: %{kernel} = extend_e2m1
// REDEFINE: %{args} = "--arg=u8[16]=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,255" \
// REDEFINE:   --arg=f32[16]=zeros --print=1
// RUN: %{test}
// extend_e2m1: 1: f32[16] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0]
pyk.func @extend_e2m1(%a: !i8s, %x: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %0 = pyk.extend_float8 e2m1 %ai : f32
  pyk.store %0, %x[%i] : !f32s
  pyk.return
}

// Ties to even, from 0.25 on; the largest for what is larger, and for NaN.
// REDEFINE: %{kernel} = round_e2m1
// REDEFINE: %{args} = "--arg=f32[16]=0.25,0.2500001,0.75,0.7499999,-1.25,1.75,2.5,2.5000002,3.5,5,5.0000005,1e30,-inf,nan,-0.0,-1e-40" \
// REDEFINE:   --arg=u8[16]=zeros --arg=u8[16]=zeros --arg=u8[16]=zeros --print=1 --print=2 --print=3
// RUN: %{test}
// round_e2m1: 1: u8[16] = [0, 1, 2, 1, 10, 4, 4, 5, 6, 6, 7, 7, 15, 7, 8, 8]
// round_e2m1-NEXT: 2: u8[16] = [0, 1, 2, 1, 10, 4, 4, 5, 6, 6, 7, 7, 15, 7, 8, 8]
// round_e2m1-NEXT: 3: u8[16] = [0, 1, 2, 1, 10, 4, 4, 5, 6, 6, 7, 7, 15, 7, 8, 8]
pyk.func @round_e2m1(%a: !f32s, %s: !i8s, %e: !i8s, %d: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %0 = pyk.round_to_float8 e2m1 saturate nearest %ai : f32
  %1 = pyk.round_to_float8 e2m1 exceed nearest %ai : f32
  %wide = arith.extf %ai : f32 to f64
  %2 = pyk.round_to_float8 e2m1 saturate nearest %wide : f64
  pyk.store %0, %s[%i] : !i8s
  pyk.store %1, %e[%i] : !i8s
  pyk.store %2, %d[%i] : !i8s
  pyk.return
}

// Powers of two from 2 ** -127, of which f32 has a subnormal.
// REDEFINE: %{kernel} = extend_e8m0
// REDEFINE: %{args} = "--arg=u8[16]=0,1,126,127,128,254,255,128,22,23,24,100,149,150,200,253" \
// REDEFINE:   --arg=f32[16]=zeros --print=1
// RUN: %{test}
// extend_e8m0: 1: f32[16] = [5.877472e-39, 1.1754944e-38, 0.5, 1.0, 2.0, 1.7014118e+38, nan, 2.0, 2.4651903e-32, 4.9303807e-32, 9.8607613e-32, 7.450581e-09, 4194304.0, 8388608.0, 9.444733e+21, 8.507059e+37]
pyk.func @extend_e8m0(%a: !i8s, %x: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %0 = pyk.extend_float8 e8m0 %ai : f32
  pyk.store %0, %x[%i] : !f32s
  pyk.return
}

// To e5m2 from f32: ties to even, subnormals, and both ways to overflow.
// REDEFINE: %{kernel} = round_e5m2_f32
// REDEFINE: %{args} = "--arg=f32[16]=0.0,-0.0,57344.0,61439.0,61440.0,-1000000000.0,inf,-inf,7.6293945e-06,1.1444092e-05,-1.5258789e-05,1.125,1.375,1.1250001,2.2888184e-05,6.1035156e-05" \
// REDEFINE:   --arg=u8[16]=zeros --arg=u8[16]=zeros --print=1 --print=2
// RUN: %{test}
// round_e5m2_f32: 1: u8[16] = [0, 128, 123, 123, 123, 251, 123, 251, 0, 1, 129, 60, 62, 61, 2, 4]
// round_e5m2_f32-NEXT: 2: u8[16] = [0, 128, 123, 123, 124, 252, 124, 252, 0, 1, 129, 60, 62, 61, 2, 4]
pyk.func @round_e5m2_f32(%a: !f32s, %s: !i8s, %e: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %0 = pyk.round_to_float8 e5m2 saturate nearest %ai : f32
  %1 = pyk.round_to_float8 e5m2 exceed nearest %ai : f32
  pyk.store %0, %s[%i] : !i8s
  pyk.store %1, %e[%i] : !i8s
  pyk.return
}

// To e5m2 from f64: ties to even, subnormals, and both ways to overflow.
// REDEFINE: %{kernel} = round_e5m2_f64
// REDEFINE: %{args} = "--arg=f64[16]=0.0,-0.0,57344.0,61439.0,61440.0,-1000000000.0,inf,-inf,7.62939453125e-06,1.1444091796875e-05,-1.52587890625e-05,1.125,1.375,1.1250001,2.288818359375e-05,6.103515625e-05" \
// REDEFINE:   --arg=u8[16]=zeros --arg=u8[16]=zeros --print=1 --print=2
// RUN: %{test}
// round_e5m2_f64: 1: u8[16] = [0, 128, 123, 123, 123, 251, 123, 251, 0, 1, 129, 60, 62, 61, 2, 4]
// round_e5m2_f64-NEXT: 2: u8[16] = [0, 128, 123, 123, 124, 252, 124, 252, 0, 1, 129, 60, 62, 61, 2, 4]
pyk.func @round_e5m2_f64(%a: !f64s, %s: !i8s, %e: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %0 = pyk.round_to_float8 e5m2 saturate nearest %ai : f64
  %1 = pyk.round_to_float8 e5m2 exceed nearest %ai : f64
  pyk.store %0, %s[%i] : !i8s
  pyk.store %1, %e[%i] : !i8s
  pyk.return
}

// To e4m3 from f32: ties to even, subnormals, and both ways to overflow.
// REDEFINE: %{kernel} = round_e4m3_f32
// REDEFINE: %{args} = "--arg=f32[16]=0.0,-0.0,448.0,460.0,464.0,-465.0,inf,-inf,0.0009765625,0.0014648438,-0.001953125,1.0625,1.1875,1.0625001,0.0029296875,0.015625" \
// REDEFINE:   --arg=u8[16]=zeros --arg=u8[16]=zeros --print=1 --print=2
// RUN: %{test}
// round_e4m3_f32: 1: u8[16] = [0, 128, 126, 126, 126, 254, 126, 254, 0, 1, 129, 56, 58, 57, 2, 8]
// round_e4m3_f32-NEXT: 2: u8[16] = [0, 128, 126, 126, 126, 255, 127, 255, 0, 1, 129, 56, 58, 57, 2, 8]
pyk.func @round_e4m3_f32(%a: !f32s, %s: !i8s, %e: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %0 = pyk.round_to_float8 e4m3 saturate nearest %ai : f32
  %1 = pyk.round_to_float8 e4m3 exceed nearest %ai : f32
  pyk.store %0, %s[%i] : !i8s
  pyk.store %1, %e[%i] : !i8s
  pyk.return
}

// To e4m3 from f64: ties to even, subnormals, and both ways to overflow.
// REDEFINE: %{kernel} = round_e4m3_f64
// REDEFINE: %{args} = "--arg=f64[16]=0.0,-0.0,448.0,460.0,464.0,-465.0,inf,-inf,0.0009765625,0.00146484375,-0.001953125,1.0625,1.1875,1.0625001,0.0029296875,0.015625" \
// REDEFINE:   --arg=u8[16]=zeros --arg=u8[16]=zeros --print=1 --print=2
// RUN: %{test}
// round_e4m3_f64: 1: u8[16] = [0, 128, 126, 126, 126, 254, 126, 254, 0, 1, 129, 56, 58, 57, 2, 8]
// round_e4m3_f64-NEXT: 2: u8[16] = [0, 128, 126, 126, 126, 255, 127, 255, 0, 1, 129, 56, 58, 57, 2, 8]
pyk.func @round_e4m3_f64(%a: !f64s, %s: !i8s, %e: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %0 = pyk.round_to_float8 e4m3 saturate nearest %ai : f64
  %1 = pyk.round_to_float8 e4m3 exceed nearest %ai : f64
  pyk.store %0, %s[%i] : !i8s
  pyk.store %1, %e[%i] : !i8s
  pyk.return
}

// To e8m0 from f32: the magnitude, at least 2 ** -127.
// REDEFINE: %{kernel} = round_e8m0_f32
// REDEFINE: %{args} = "--arg=f32[16]=0.0,-0.0,1.0,-1.0,1.5,-3.0,0.75,1.1754944e-38,5.877472e-39,8.816208e-39,7.34684e-40,1.7014118e+38,inf,-inf,nan,1e-10" \
// REDEFINE:   --arg=u8[16]=zeros --arg=u8[16]=zeros --arg=u8[16]=zeros \
// REDEFINE:   --arg=u8[16]=zeros --print=1 --print=2 --print=3 --print=4
// RUN: %{test}
// round_e8m0_f32: 1: u8[16] = [0, 0, 127, 127, 128, 129, 127, 1, 0, 1, 0, 254, 254, 254, 255, 94]
// round_e8m0_f32-NEXT: 2: u8[16] = [0, 0, 127, 127, 127, 128, 126, 1, 0, 0, 0, 254, 254, 254, 255, 93]
// round_e8m0_f32-NEXT: 3: u8[16] = [0, 0, 127, 127, 128, 129, 127, 1, 0, 1, 0, 254, 255, 255, 255, 94]
// round_e8m0_f32-NEXT: 4: u8[16] = [0, 0, 127, 127, 127, 128, 126, 1, 0, 0, 0, 254, 255, 255, 255, 93]
pyk.func @round_e8m0_f32(%a: !f32s, %su: !i8s, %st: !i8s, %eu: !i8s, %et: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %0 = pyk.round_to_float8 e8m0 saturate up %ai : f32
  %1 = pyk.round_to_float8 e8m0 saturate toward_zero %ai : f32
  %2 = pyk.round_to_float8 e8m0 exceed up %ai : f32
  %3 = pyk.round_to_float8 e8m0 exceed toward_zero %ai : f32
  pyk.store %0, %su[%i] : !i8s
  pyk.store %1, %st[%i] : !i8s
  pyk.store %2, %eu[%i] : !i8s
  pyk.store %3, %et[%i] : !i8s
  pyk.return
}

// To e8m0 from f64: the magnitude, at least 2 ** -127.
// REDEFINE: %{kernel} = round_e8m0_f64
// REDEFINE: %{args} = "--arg=f64[16]=0.0,-0.0,1.0,-1.0,1.5,-3.0,0.75,1.1754943508222875e-38,5.877471754111438e-39,8.816207631167156e-39,1e-300,1.7014118346046923e+38,inf,-inf,nan,1e+300" \
// REDEFINE:   --arg=u8[16]=zeros --arg=u8[16]=zeros --arg=u8[16]=zeros \
// REDEFINE:   --arg=u8[16]=zeros --print=1 --print=2 --print=3 --print=4
// RUN: %{test}
// round_e8m0_f64: 1: u8[16] = [0, 0, 127, 127, 128, 129, 127, 1, 0, 1, 0, 254, 254, 254, 255, 254]
// round_e8m0_f64-NEXT: 2: u8[16] = [0, 0, 127, 127, 127, 128, 126, 1, 0, 0, 0, 254, 254, 254, 255, 254]
// round_e8m0_f64-NEXT: 3: u8[16] = [0, 0, 127, 127, 128, 129, 127, 1, 0, 1, 0, 254, 255, 255, 255, 255]
// round_e8m0_f64-NEXT: 4: u8[16] = [0, 0, 127, 127, 127, 128, 126, 1, 0, 0, 0, 254, 255, 255, 255, 255]
pyk.func @round_e8m0_f64(%a: !f64s, %su: !i8s, %st: !i8s, %eu: !i8s, %et: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %0 = pyk.round_to_float8 e8m0 saturate up %ai : f64
  %1 = pyk.round_to_float8 e8m0 saturate toward_zero %ai : f64
  %2 = pyk.round_to_float8 e8m0 exceed up %ai : f64
  %3 = pyk.round_to_float8 e8m0 exceed toward_zero %ai : f64
  pyk.store %0, %su[%i] : !i8s
  pyk.store %1, %st[%i] : !i8s
  pyk.store %2, %eu[%i] : !i8s
  pyk.store %3, %et[%i] : !i8s
  pyk.return
}

// NaN stays one in each format.
// REDEFINE: %{kernel} = round_nan
// REDEFINE: %{args} = "--arg=f32[16]=nan,nan,1.0,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,2.0" \
// REDEFINE:   --arg=f32[16]=zeros --arg=f32[16]=zeros --arg=f32[16]=zeros --print=1 \
// REDEFINE:   --print=2 --print=3
// RUN: %{test}
// round_nan: 1: f32[16] = [nan, nan, 1.0, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, 2.0]
// round_nan-NEXT: 2: f32[16] = [nan, nan, 1.0, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, 2.0]
// round_nan-NEXT: 3: f32[16] = [nan, nan, 1.0, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, 2.0]
pyk.func @round_nan(%a: !f32s, %e5m2: !f32s, %e4m3: !f32s, %e8m0: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %b0 = pyk.round_to_float8 e5m2 saturate nearest %ai : f32
  %x0 = pyk.extend_float8 e5m2 %b0 : f32
  %b1 = pyk.round_to_float8 e4m3 saturate nearest %ai : f32
  %x1 = pyk.extend_float8 e4m3 %b1 : f32
  %b2 = pyk.round_to_float8 e8m0 saturate up %ai : f32
  %x2 = pyk.extend_float8 e8m0 %b2 : f32
  pyk.store %x0, %e5m2[%i] : !f32s
  pyk.store %x1, %e4m3[%i] : !f32s
  pyk.store %x2, %e8m0[%i] : !f32s
  pyk.return
}
