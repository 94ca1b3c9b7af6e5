// What an atomic operation stores of an element `x` and a value `v`, floats: NaN and the
// sign of zero. `ok` says that every operation has yielded `x`, bit by bit.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i1s = !pyk.array<?xi1, c>
!f16s = !pyk.array<?xf16, c>
!bf16s = !pyk.array<?xbf16, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// A value that is not greater, or not less, changes nothing: so NaN, and zeros of the other
// sign. nanmax and nanmin replace NaN.
// REDEFINE: %{kernel} = floats_f32
// REDEFINE: %{args} = "--arg=f32[12]=1.5,-2.0,0.0,-0.0,nan,1.0,nan,inf,-inf,3e+38,-0.0,2.0" \
// REDEFINE:   "--arg=f32[12]=2.25,-3.0,-0.0,0.0,1.0,nan,nan,-inf,5.0,3e+38,-0.0,2.0" \
// REDEFINE:   --arg=f32[12]=zeros --arg=f32[12]=zeros --arg=f32[12]=zeros \
// REDEFINE:   --arg=f32[12]=zeros --arg=f32[12]=zeros --arg=f32[12]=zeros \
// REDEFINE:   --arg=bool[12]=zeros --print=2 --print=3 --print=4 --print=5 --print=6 \
// REDEFINE:   --print=7 --print=8
// RUN: %{test}
// floats_f32: 2: f32[12] = [3.75, -5.0, 0.0, 0.0, nan, nan, nan, nan, -inf, inf, -0.0, 4.0]
// floats_f32-NEXT: 3: f32[12] = [2.25, -3.0, -0.0, 0.0, 1.0, nan, nan, -inf, 5.0, 3e+38, -0.0, 2.0]
// floats_f32-NEXT: 4: f32[12] = [2.25, -2.0, 0.0, -0.0, nan, 1.0, nan, inf, 5.0, 3e+38, -0.0, 2.0]
// floats_f32-NEXT: 5: f32[12] = [1.5, -3.0, 0.0, -0.0, nan, 1.0, nan, -inf, -inf, 3e+38, -0.0, 2.0]
// floats_f32-NEXT: 6: f32[12] = [2.25, -2.0, 0.0, -0.0, 1.0, 1.0, nan, inf, 5.0, 3e+38, -0.0, 2.0]
// floats_f32-NEXT: 7: f32[12] = [1.5, -3.0, 0.0, -0.0, 1.0, 1.0, nan, -inf, -inf, 3e+38, -0.0, 2.0]
// floats_f32-NEXT: 8: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @floats_f32(%x: !f32s, %v: !f32s, %add: !f32s, %exch: !f32s,
    %max: !f32s, %min: !f32s, %nanmax: !f32s, %nanmin: !f32s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !f32s
  %vi = pyk.load %v[%i] : !f32s
  %xb = arith.bitcast %xi : f32 to i32
  pyk.store %xi, %add[%i] : !f32s
  %0 = pyk.atomic add %vi, %add[%i] : !f32s
  %b0 = arith.bitcast %0 : f32 to i32
  %s0 = arith.cmpi eq, %b0, %xb : i32
  pyk.store %xi, %exch[%i] : !f32s
  %1 = pyk.atomic exch %vi, %exch[%i] : !f32s
  %b1 = arith.bitcast %1 : f32 to i32
  %s1 = arith.cmpi eq, %b1, %xb : i32
  pyk.store %xi, %max[%i] : !f32s
  %2 = pyk.atomic max %vi, %max[%i] : !f32s
  %b2 = arith.bitcast %2 : f32 to i32
  %s2 = arith.cmpi eq, %b2, %xb : i32
  pyk.store %xi, %min[%i] : !f32s
  %3 = pyk.atomic min %vi, %min[%i] : !f32s
  %b3 = arith.bitcast %3 : f32 to i32
  %s3 = arith.cmpi eq, %b3, %xb : i32
  pyk.store %xi, %nanmax[%i] : !f32s
  %4 = pyk.atomic nanmax %vi, %nanmax[%i] : !f32s
  %b4 = arith.bitcast %4 : f32 to i32
  %s4 = arith.cmpi eq, %b4, %xb : i32
  pyk.store %xi, %nanmin[%i] : !f32s
  %5 = pyk.atomic nanmin %vi, %nanmin[%i] : !f32s
  %b5 = arith.bitcast %5 : f32 to i32
  %s5 = arith.cmpi eq, %b5, %xb : i32
  %a1 = arith.andi %s0, %s1 : i1
  %a2 = arith.andi %a1, %s2 : i1
  %a3 = arith.andi %a2, %s3 : i1
  %a4 = arith.andi %a3, %s4 : i1
  %a5 = arith.andi %a4, %s5 : i1
  pyk.store %a5, %ok[%i] : !i1s
  pyk.return
}

// The same in f64.
// REDEFINE: %{kernel} = floats_f64
// REDEFINE: %{args} = "--arg=f64[12]=1.5,-2.0,0.0,-0.0,nan,1.0,nan,inf,-inf,1.5e+308,-0.0,2.0" \
// REDEFINE:   "--arg=f64[12]=2.25,-3.0,-0.0,0.0,1.0,nan,nan,-inf,5.0,1.5e+308,-0.0,2.0" \
// REDEFINE:   --arg=f64[12]=zeros --arg=f64[12]=zeros --arg=f64[12]=zeros \
// REDEFINE:   --arg=f64[12]=zeros --arg=f64[12]=zeros --arg=f64[12]=zeros \
// REDEFINE:   --arg=bool[12]=zeros --print=2 --print=3 --print=4 --print=5 --print=6 \
// REDEFINE:   --print=7 --print=8
// RUN: %{test}
// floats_f64: 2: f64[12] = [3.75, -5.0, 0.0, 0.0, nan, nan, nan, nan, -inf, inf, -0.0, 4.0]
// floats_f64-NEXT: 3: f64[12] = [2.25, -3.0, -0.0, 0.0, 1.0, nan, nan, -inf, 5.0, 1.5e+308, -0.0, 2.0]
// floats_f64-NEXT: 4: f64[12] = [2.25, -2.0, 0.0, -0.0, nan, 1.0, nan, inf, 5.0, 1.5e+308, -0.0, 2.0]
// floats_f64-NEXT: 5: f64[12] = [1.5, -3.0, 0.0, -0.0, nan, 1.0, nan, -inf, -inf, 1.5e+308, -0.0, 2.0]
// floats_f64-NEXT: 6: f64[12] = [2.25, -2.0, 0.0, -0.0, 1.0, 1.0, nan, inf, 5.0, 1.5e+308, -0.0, 2.0]
// floats_f64-NEXT: 7: f64[12] = [1.5, -3.0, 0.0, -0.0, 1.0, 1.0, nan, -inf, -inf, 1.5e+308, -0.0, 2.0]
// floats_f64-NEXT: 8: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @floats_f64(%x: !f64s, %v: !f64s, %add: !f64s, %exch: !f64s,
    %max: !f64s, %min: !f64s, %nanmax: !f64s, %nanmin: !f64s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !f64s
  %vi = pyk.load %v[%i] : !f64s
  %xb = arith.bitcast %xi : f64 to i64
  pyk.store %xi, %add[%i] : !f64s
  %0 = pyk.atomic add %vi, %add[%i] : !f64s
  %b0 = arith.bitcast %0 : f64 to i64
  %s0 = arith.cmpi eq, %b0, %xb : i64
  pyk.store %xi, %exch[%i] : !f64s
  %1 = pyk.atomic exch %vi, %exch[%i] : !f64s
  %b1 = arith.bitcast %1 : f64 to i64
  %s1 = arith.cmpi eq, %b1, %xb : i64
  pyk.store %xi, %max[%i] : !f64s
  %2 = pyk.atomic max %vi, %max[%i] : !f64s
  %b2 = arith.bitcast %2 : f64 to i64
  %s2 = arith.cmpi eq, %b2, %xb : i64
  pyk.store %xi, %min[%i] : !f64s
  %3 = pyk.atomic min %vi, %min[%i] : !f64s
  %b3 = arith.bitcast %3 : f64 to i64
  %s3 = arith.cmpi eq, %b3, %xb : i64
  pyk.store %xi, %nanmax[%i] : !f64s
  %4 = pyk.atomic nanmax %vi, %nanmax[%i] : !f64s
  %b4 = arith.bitcast %4 : f64 to i64
  %s4 = arith.cmpi eq, %b4, %xb : i64
  pyk.store %xi, %nanmin[%i] : !f64s
  %5 = pyk.atomic nanmin %vi, %nanmin[%i] : !f64s
  %b5 = arith.bitcast %5 : f64 to i64
  %s5 = arith.cmpi eq, %b5, %xb : i64
  %a1 = arith.andi %s0, %s1 : i1
  %a2 = arith.andi %a1, %s2 : i1
  %a3 = arith.andi %a2, %s3 : i1
  %a4 = arith.andi %a3, %s4 : i1
  %a5 = arith.andi %a4, %s5 : i1
  pyk.store %a5, %ok[%i] : !i1s
  pyk.return
}

// The same in f16.
// REDEFINE: %{kernel} = floats_f16
// REDEFINE: %{args} = "--arg=f16[12]=1.5,-2.0,0.0,-0.0,nan,1.0,nan,inf,-inf,60000.0,-0.0,2.0" \
// REDEFINE:   "--arg=f16[12]=2.25,-3.0,-0.0,0.0,1.0,nan,nan,-inf,5.0,60000.0,-0.0,2.0" \
// REDEFINE:   --arg=f16[12]=zeros --arg=f16[12]=zeros --arg=f16[12]=zeros \
// REDEFINE:   --arg=f16[12]=zeros --arg=f16[12]=zeros --arg=f16[12]=zeros \
// REDEFINE:   --arg=bool[12]=zeros --print=2 --print=3 --print=4 --print=5 --print=6 \
// REDEFINE:   --print=7 --print=8
// RUN: %{test}
// floats_f16: 2: f16[12] = [3.75, -5.0, 0.0, 0.0, nan, nan, nan, nan, -inf, inf, -0.0, 4.0]
// floats_f16-NEXT: 3: f16[12] = [2.25, -3.0, -0.0, 0.0, 1.0, nan, nan, -inf, 5.0, 60000.0, -0.0, 2.0]
// floats_f16-NEXT: 4: f16[12] = [2.25, -2.0, 0.0, -0.0, nan, 1.0, nan, inf, 5.0, 60000.0, -0.0, 2.0]
// floats_f16-NEXT: 5: f16[12] = [1.5, -3.0, 0.0, -0.0, nan, 1.0, nan, -inf, -inf, 60000.0, -0.0, 2.0]
// floats_f16-NEXT: 6: f16[12] = [2.25, -2.0, 0.0, -0.0, 1.0, 1.0, nan, inf, 5.0, 60000.0, -0.0, 2.0]
// floats_f16-NEXT: 7: f16[12] = [1.5, -3.0, 0.0, -0.0, 1.0, 1.0, nan, -inf, -inf, 60000.0, -0.0, 2.0]
// floats_f16-NEXT: 8: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @floats_f16(%x: !f16s, %v: !f16s, %add: !f16s, %exch: !f16s,
    %max: !f16s, %min: !f16s, %nanmax: !f16s, %nanmin: !f16s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !f16s
  %vi = pyk.load %v[%i] : !f16s
  %xb = arith.bitcast %xi : f16 to i16
  pyk.store %xi, %add[%i] : !f16s
  %0 = pyk.atomic add %vi, %add[%i] : !f16s
  %b0 = arith.bitcast %0 : f16 to i16
  %s0 = arith.cmpi eq, %b0, %xb : i16
  pyk.store %xi, %exch[%i] : !f16s
  %1 = pyk.atomic exch %vi, %exch[%i] : !f16s
  %b1 = arith.bitcast %1 : f16 to i16
  %s1 = arith.cmpi eq, %b1, %xb : i16
  pyk.store %xi, %max[%i] : !f16s
  %2 = pyk.atomic max %vi, %max[%i] : !f16s
  %b2 = arith.bitcast %2 : f16 to i16
  %s2 = arith.cmpi eq, %b2, %xb : i16
  pyk.store %xi, %min[%i] : !f16s
  %3 = pyk.atomic min %vi, %min[%i] : !f16s
  %b3 = arith.bitcast %3 : f16 to i16
  %s3 = arith.cmpi eq, %b3, %xb : i16
  pyk.store %xi, %nanmax[%i] : !f16s
  %4 = pyk.atomic nanmax %vi, %nanmax[%i] : !f16s
  %b4 = arith.bitcast %4 : f16 to i16
  %s4 = arith.cmpi eq, %b4, %xb : i16
  pyk.store %xi, %nanmin[%i] : !f16s
  %5 = pyk.atomic nanmin %vi, %nanmin[%i] : !f16s
  %b5 = arith.bitcast %5 : f16 to i16
  %s5 = arith.cmpi eq, %b5, %xb : i16
  %a1 = arith.andi %s0, %s1 : i1
  %a2 = arith.andi %a1, %s2 : i1
  %a3 = arith.andi %a2, %s3 : i1
  %a4 = arith.andi %a3, %s4 : i1
  %a5 = arith.andi %a4, %s5 : i1
  pyk.store %a5, %ok[%i] : !i1s
  pyk.return
}

// The same in bf16.
// REDEFINE: %{kernel} = floats_bf16
// REDEFINE: %{args} = "--arg=bf16[12]=1.5,-2.0,0.0,-0.0,nan,1.0,nan,inf,-inf,3e+38,-0.0,2.0" \
// REDEFINE:   "--arg=bf16[12]=2.25,-3.0,-0.0,0.0,1.0,nan,nan,-inf,5.0,3e+38,-0.0,2.0" \
// REDEFINE:   --arg=bf16[12]=zeros --arg=bf16[12]=zeros --arg=bf16[12]=zeros \
// REDEFINE:   --arg=bf16[12]=zeros --arg=bf16[12]=zeros --arg=bf16[12]=zeros \
// REDEFINE:   --arg=bool[12]=zeros --print=2 --print=3 --print=4 --print=5 --print=6 \
// REDEFINE:   --print=7 --print=8
// RUN: %{test}
// floats_bf16: 2: bf16[12] = [3.75, -5.0, 0.0, 0.0, nan, nan, nan, nan, -inf, inf, -0.0, 4.0]
// floats_bf16-NEXT: 3: bf16[12] = [2.25, -3.0, -0.0, 0.0, 1.0, nan, nan, -inf, 5.0, 3e+38, -0.0, 2.0]
// floats_bf16-NEXT: 4: bf16[12] = [2.25, -2.0, 0.0, -0.0, nan, 1.0, nan, inf, 5.0, 3e+38, -0.0, 2.0]
// floats_bf16-NEXT: 5: bf16[12] = [1.5, -3.0, 0.0, -0.0, nan, 1.0, nan, -inf, -inf, 3e+38, -0.0, 2.0]
// floats_bf16-NEXT: 6: bf16[12] = [2.25, -2.0, 0.0, -0.0, 1.0, 1.0, nan, inf, 5.0, 3e+38, -0.0, 2.0]
// floats_bf16-NEXT: 7: bf16[12] = [1.5, -3.0, 0.0, -0.0, 1.0, 1.0, nan, -inf, -inf, 3e+38, -0.0, 2.0]
// floats_bf16-NEXT: 8: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @floats_bf16(%x: !bf16s, %v: !bf16s, %add: !bf16s, %exch: !bf16s,
    %max: !bf16s, %min: !bf16s, %nanmax: !bf16s, %nanmin: !bf16s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !bf16s
  %vi = pyk.load %v[%i] : !bf16s
  %xb = arith.bitcast %xi : bf16 to i16
  pyk.store %xi, %add[%i] : !bf16s
  %0 = pyk.atomic add %vi, %add[%i] : !bf16s
  %b0 = arith.bitcast %0 : bf16 to i16
  %s0 = arith.cmpi eq, %b0, %xb : i16
  pyk.store %xi, %exch[%i] : !bf16s
  %1 = pyk.atomic exch %vi, %exch[%i] : !bf16s
  %b1 = arith.bitcast %1 : bf16 to i16
  %s1 = arith.cmpi eq, %b1, %xb : i16
  pyk.store %xi, %max[%i] : !bf16s
  %2 = pyk.atomic max %vi, %max[%i] : !bf16s
  %b2 = arith.bitcast %2 : bf16 to i16
  %s2 = arith.cmpi eq, %b2, %xb : i16
  pyk.store %xi, %min[%i] : !bf16s
  %3 = pyk.atomic min %vi, %min[%i] : !bf16s
  %b3 = arith.bitcast %3 : bf16 to i16
  %s3 = arith.cmpi eq, %b3, %xb : i16
  pyk.store %xi, %nanmax[%i] : !bf16s
  %4 = pyk.atomic nanmax %vi, %nanmax[%i] : !bf16s
  %b4 = arith.bitcast %4 : bf16 to i16
  %s4 = arith.cmpi eq, %b4, %xb : i16
  pyk.store %xi, %nanmin[%i] : !bf16s
  %5 = pyk.atomic nanmin %vi, %nanmin[%i] : !bf16s
  %b5 = arith.bitcast %5 : bf16 to i16
  %s5 = arith.cmpi eq, %b5, %xb : i16
  %a1 = arith.andi %s0, %s1 : i1
  %a2 = arith.andi %a1, %s2 : i1
  %a3 = arith.andi %a2, %s3 : i1
  %a4 = arith.andi %a3, %s4 : i1
  %a5 = arith.andi %a4, %s5 : i1
  pyk.store %a5, %ok[%i] : !i1s
  pyk.return
}
