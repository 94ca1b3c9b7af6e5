// An element is replaced if it has the bits of what is expected: NaN is like itself, and
// 0.0 is not like -0.0.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f16s = !pyk.array<?xf16, c>
!bf16s = !pyk.array<?xbf16, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// i32: what is stored, and what was.
// REDEFINE: %{kernel} = cas_i32
// REDEFINE: %{args} = "--arg=i32[12]=0,1,-1,-2147483648,2147483647,7,-7,-2147483648,5,5,0,-2" \
// REDEFINE:   "--arg=i32[12]=0,1,-1,-2147483648,2147483647,8,7,2147483647,5,-5,1,-2" \
// REDEFINE:   "--arg=i32[12]=9,8,7,6,5,4,3,2,1,0,-1,-2" --arg=i32[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --print=3 --print=4
// RUN: %{test}
// cas_i32: 3: i32[12] = [9, 8, 7, 6, 5, 7, -7, -2147483648, 1, 5, 0, -2]
// cas_i32-NEXT: 4: i32[12] = [0, 1, -1, -2147483648, 2147483647, 7, -7, -2147483648, 5, 5, 0, -2]
pyk.func @cas_i32(%x: !i32s, %e: !i32s, %v: !i32s, %now: !i32s, %was: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i32s
  %ei = pyk.load %e[%i] : !i32s
  %vi = pyk.load %v[%i] : !i32s
  pyk.store %xi, %now[%i] : !i32s
  %0 = pyk.atomic_cas %ei, %vi, %now[%i] : !i32s
  pyk.store %0, %was[%i] : !i32s
  pyk.return
}

// i64: what is stored, and what was.
// REDEFINE: %{kernel} = cas_i64
// REDEFINE: %{args} = "--arg=i64[12]=0,1,-1,-9223372036854775808,9223372036854775807,7,-7,-9223372036854775808,5,5,0,-2" \
// REDEFINE:   "--arg=i64[12]=0,1,-1,-9223372036854775808,9223372036854775807,8,7,9223372036854775807,5,-5,1,-2" \
// REDEFINE:   "--arg=i64[12]=9,8,7,6,5,4,3,2,1,0,-1,-2" --arg=i64[12]=zeros \
// REDEFINE:   --arg=i64[12]=zeros --print=3 --print=4
// RUN: %{test}
// cas_i64: 3: i64[12] = [9, 8, 7, 6, 5, 7, -7, -9223372036854775808, 1, 5, 0, -2]
// cas_i64-NEXT: 4: i64[12] = [0, 1, -1, -9223372036854775808, 9223372036854775807, 7, -7, -9223372036854775808, 5, 5, 0, -2]
pyk.func @cas_i64(%x: !i64s, %e: !i64s, %v: !i64s, %now: !i64s, %was: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i64s
  %ei = pyk.load %e[%i] : !i64s
  %vi = pyk.load %v[%i] : !i64s
  pyk.store %xi, %now[%i] : !i64s
  %0 = pyk.atomic_cas %ei, %vi, %now[%i] : !i64s
  pyk.store %0, %was[%i] : !i64s
  pyk.return
}

// f32: what is stored, and what was.
// REDEFINE: %{kernel} = cas_f32
// REDEFINE: %{args} = "--arg=f32[12]=0.0,0.0,-0.0,nan,1.0,inf,-inf,2.5,3.0,nan,-0.0,1.0" \
// REDEFINE:   "--arg=f32[12]=0.0,-0.0,-0.0,nan,1.0,inf,inf,2.5,4.0,1.0,0.0,nan" \
// REDEFINE:   "--arg=f32[12]=9.0,8.0,7.0,6.0,nan,4.0,3.0,-0.0,1.0,0.5,-1.0,-2.0" \
// REDEFINE:   --arg=f32[12]=zeros --arg=f32[12]=zeros --print=3 --print=4
// RUN: %{test}
// cas_f32: 3: f32[12] = [9.0, 0.0, 7.0, 6.0, nan, 4.0, -inf, -0.0, 3.0, nan, -0.0, 1.0]
// cas_f32-NEXT: 4: f32[12] = [0.0, 0.0, -0.0, nan, 1.0, inf, -inf, 2.5, 3.0, nan, -0.0, 1.0]
pyk.func @cas_f32(%x: !f32s, %e: !f32s, %v: !f32s, %now: !f32s, %was: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !f32s
  %ei = pyk.load %e[%i] : !f32s
  %vi = pyk.load %v[%i] : !f32s
  pyk.store %xi, %now[%i] : !f32s
  %0 = pyk.atomic_cas %ei, %vi, %now[%i] : !f32s
  pyk.store %0, %was[%i] : !f32s
  pyk.return
}

// f64: what is stored, and what was.
// REDEFINE: %{kernel} = cas_f64
// REDEFINE: %{args} = "--arg=f64[12]=0.0,0.0,-0.0,nan,1.0,inf,-inf,2.5,3.0,nan,-0.0,1.0" \
// REDEFINE:   "--arg=f64[12]=0.0,-0.0,-0.0,nan,1.0,inf,inf,2.5,4.0,1.0,0.0,nan" \
// REDEFINE:   "--arg=f64[12]=9.0,8.0,7.0,6.0,nan,4.0,3.0,-0.0,1.0,0.5,-1.0,-2.0" \
// REDEFINE:   --arg=f64[12]=zeros --arg=f64[12]=zeros --print=3 --print=4
// RUN: %{test}
// cas_f64: 3: f64[12] = [9.0, 0.0, 7.0, 6.0, nan, 4.0, -inf, -0.0, 3.0, nan, -0.0, 1.0]
// cas_f64-NEXT: 4: f64[12] = [0.0, 0.0, -0.0, nan, 1.0, inf, -inf, 2.5, 3.0, nan, -0.0, 1.0]
pyk.func @cas_f64(%x: !f64s, %e: !f64s, %v: !f64s, %now: !f64s, %was: !f64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !f64s
  %ei = pyk.load %e[%i] : !f64s
  %vi = pyk.load %v[%i] : !f64s
  pyk.store %xi, %now[%i] : !f64s
  %0 = pyk.atomic_cas %ei, %vi, %now[%i] : !f64s
  pyk.store %0, %was[%i] : !f64s
  pyk.return
}

// f16: what is stored, and what was.
// REDEFINE: %{kernel} = cas_f16
// REDEFINE: %{args} = "--arg=f16[12]=0.0,0.0,-0.0,nan,1.0,inf,-inf,2.5,3.0,nan,-0.0,1.0" \
// REDEFINE:   "--arg=f16[12]=0.0,-0.0,-0.0,nan,1.0,inf,inf,2.5,4.0,1.0,0.0,nan" \
// REDEFINE:   "--arg=f16[12]=9.0,8.0,7.0,6.0,nan,4.0,3.0,-0.0,1.0,0.5,-1.0,-2.0" \
// REDEFINE:   --arg=f16[12]=zeros --arg=f16[12]=zeros --print=3 --print=4
// RUN: %{test}
// cas_f16: 3: f16[12] = [9.0, 0.0, 7.0, 6.0, nan, 4.0, -inf, -0.0, 3.0, nan, -0.0, 1.0]
// cas_f16-NEXT: 4: f16[12] = [0.0, 0.0, -0.0, nan, 1.0, inf, -inf, 2.5, 3.0, nan, -0.0, 1.0]
pyk.func @cas_f16(%x: !f16s, %e: !f16s, %v: !f16s, %now: !f16s, %was: !f16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !f16s
  %ei = pyk.load %e[%i] : !f16s
  %vi = pyk.load %v[%i] : !f16s
  pyk.store %xi, %now[%i] : !f16s
  %0 = pyk.atomic_cas %ei, %vi, %now[%i] : !f16s
  pyk.store %0, %was[%i] : !f16s
  pyk.return
}

// bf16: what is stored, and what was.
// REDEFINE: %{kernel} = cas_bf16
// REDEFINE: %{args} = "--arg=bf16[12]=0.0,0.0,-0.0,nan,1.0,inf,-inf,2.5,3.0,nan,-0.0,1.0" \
// REDEFINE:   "--arg=bf16[12]=0.0,-0.0,-0.0,nan,1.0,inf,inf,2.5,4.0,1.0,0.0,nan" \
// REDEFINE:   "--arg=bf16[12]=9.0,8.0,7.0,6.0,nan,4.0,3.0,-0.0,1.0,0.5,-1.0,-2.0" \
// REDEFINE:   --arg=bf16[12]=zeros --arg=bf16[12]=zeros --print=3 --print=4
// RUN: %{test}
// cas_bf16: 3: bf16[12] = [9.0, 0.0, 7.0, 6.0, nan, 4.0, -inf, -0.0, 3.0, nan, -0.0, 1.0]
// cas_bf16-NEXT: 4: bf16[12] = [0.0, 0.0, -0.0, nan, 1.0, inf, -inf, 2.5, 3.0, nan, -0.0, 1.0]
pyk.func @cas_bf16(%x: !bf16s, %e: !bf16s, %v: !bf16s, %now: !bf16s,
    %was: !bf16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !bf16s
  %ei = pyk.load %e[%i] : !bf16s
  %vi = pyk.load %v[%i] : !bf16s
  pyk.store %xi, %now[%i] : !bf16s
  %0 = pyk.atomic_cas %ei, %vi, %now[%i] : !bf16s
  pyk.store %0, %was[%i] : !bf16s
  pyk.return
}
