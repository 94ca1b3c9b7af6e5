// Division of floats as Python does it: what is left over has the sign of the divisor,
// zeros and infinities included.
//
// What f16 and bf16 compute is rounded once from f32.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=20 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: %if libdevice %{ pyk-run %s --emit=ptx -o %t.ptx %}
// RUN: %if libdevice %{ %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %} %}

!f16s = !pyk.array<?xf16, c>
!bf16s = !pyk.array<?xbf16, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// A divisor of 0 leaves infinity or NaN; -5 % inf is inf; a tiny negative number leaves
// the divisor itself. What is left over is printed as f32.
// REDEFINE: %{kernel} = divide_f64
// REDEFINE: %{args} = "--arg=f64[20]=7.0,-7.0,7.0,-7.0,6.0,-6.0,6.0,1.0,-1.0,0.0,5.0,-5.0,inf,1.0,-0.0,-1e-300,1e+300,nan,-inf,1.0" \
// REDEFINE:   "--arg=f64[20]=2.0,2.0,-2.0,-2.0,3.0,3.0,-3.0,0.0,0.0,0.0,inf,inf,2.0,0.1,3.0,5.0,1e-300,1.0,-2.0,-0.0" \
// REDEFINE:   --arg=f64[20]=zeros --arg=f32[20]=zeros --print=2 --print=3
// RUN: %{test}
// divide_f64: 2: f64[20] = [3.0, -4.0, -4.0, 3.0, 2.0, -2.0, -2.0, inf, -inf, nan, 0.0, -1.0, nan, 9.0, -0.0, -1.0, inf, nan, nan, -inf]
// divide_f64-NEXT: 3: f32[20] = [1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -0.0, nan, nan, nan, 5.0, inf, nan, 0.1, 0.0, 5.0, 0.0, nan, nan, nan]
pyk.func @divide_f64(%a: !f64s, %b: !f64s, %q: !f64s, %r: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %bi = pyk.load %b[%i] : !f64s
  %0 = pyk.floor_div %ai, %bi : f64
  %1 = pyk.floor_mod %ai, %bi : f64
  %2 = arith.truncf %1 : f64 to f32
  pyk.store %0, %q[%i] : !f64s
  pyk.store %2, %r[%i] : !f32s
  pyk.return
}

// The same in f32.
// REDEFINE: %{kernel} = divide_f32
// REDEFINE: %{args} = "--arg=f32[20]=7.0,-7.0,7.0,-7.0,6.0,-6.0,6.0,1.0,-1.0,0.0,5.0,-5.0,inf,1.0,-0.0,-1e-30,1e+30,nan,-inf,1.0" \
// REDEFINE:   "--arg=f32[20]=2.0,2.0,-2.0,-2.0,3.0,3.0,-3.0,0.0,0.0,0.0,inf,inf,2.0,0.1,3.0,5.0,1e-30,1.0,-2.0,-0.0" \
// REDEFINE:   --arg=f32[20]=zeros --arg=f32[20]=zeros --print=2 --print=3
// RUN: %{test}
// divide_f32: 2: f32[20] = [3.0, -4.0, -4.0, 3.0, 2.0, -2.0, -2.0, inf, -inf, nan, 0.0, -1.0, nan, 9.0, -0.0, -1.0, inf, nan, nan, -inf]
// divide_f32-NEXT: 3: f32[20] = [1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -0.0, nan, nan, nan, 5.0, inf, nan, 0.09999999, 0.0, 5.0, 8.166816e-31, nan, nan, nan]
pyk.func @divide_f32(%a: !f32s, %b: !f32s, %q: !f32s, %r: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %bi = pyk.load %b[%i] : !f32s
  %0 = pyk.floor_div %ai, %bi : f32
  %1 = pyk.floor_mod %ai, %bi : f32
  pyk.store %0, %q[%i] : !f32s
  pyk.store %1, %r[%i] : !f32s
  pyk.return
}

// The same in f16.
// REDEFINE: %{kernel} = divide_f16
// REDEFINE: %{args} = "--arg=f16[20]=7.0,-7.0,7.0,-7.0,6.0,-6.0,6.0,1.0,-1.0,0.0,5.0,-5.0,inf,1.0,-0.0,-1e-07,60000.0,nan,-inf,1.0" \
// REDEFINE:   "--arg=f16[20]=2.0,2.0,-2.0,-2.0,3.0,3.0,-3.0,0.0,0.0,0.0,inf,inf,2.0,0.1,3.0,5.0,1e-07,1.0,-2.0,-0.0" \
// REDEFINE:   --arg=f16[20]=zeros --arg=f16[20]=zeros --print=2 --print=3
// RUN: %{test}
// divide_f16: 2: f16[20] = [3.0, -4.0, -4.0, 3.0, 2.0, -2.0, -2.0, inf, -inf, nan, 0.0, -1.0, nan, 10.0, -0.0, -1.0, inf, nan, nan, -inf]
// divide_f16-NEXT: 3: f16[20] = [1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -0.0, nan, nan, nan, 5.0, inf, nan, 0.0002441, 0.0, 5.0, 0.0, nan, nan, nan]
pyk.func @divide_f16(%a: !f16s, %b: !f16s, %q: !f16s, %r: !f16s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f16s
  %bi = pyk.load %b[%i] : !f16s
  %0 = pyk.floor_div %ai, %bi : f16
  %1 = pyk.floor_mod %ai, %bi : f16
  pyk.store %0, %q[%i] : !f16s
  pyk.store %1, %r[%i] : !f16s
  pyk.return
}

// The same in bf16.
// REDEFINE: %{kernel} = divide_bf16
// REDEFINE: %{args} = "--arg=bf16[20]=7.0,-7.0,7.0,-7.0,6.0,-6.0,6.0,1.0,-1.0,0.0,5.0,-5.0,inf,1.0,-0.0,-1e-30,1e+30,nan,-inf,1.0" \
// REDEFINE:   "--arg=bf16[20]=2.0,2.0,-2.0,-2.0,3.0,3.0,-3.0,0.0,0.0,0.0,inf,inf,2.0,0.1,3.0,5.0,1e-30,1.0,-2.0,-0.0" \
// REDEFINE:   --arg=bf16[20]=zeros --arg=bf16[20]=zeros --print=2 --print=3
// RUN: %{test}
// divide_bf16: 2: bf16[20] = [3.0, -4.0, -4.0, 3.0, 2.0, -2.0, -2.0, inf, -inf, nan, 0.0, -1.0, nan, 9.0, -0.0, -1.0, inf, nan, nan, -inf]
// divide_bf16-NEXT: 3: bf16[20] = [1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -0.0, nan, nan, nan, 5.0, inf, nan, 0.099, 0.0, 5.0, 1.6e-31, nan, nan, nan]
pyk.func @divide_bf16(%a: !bf16s, %b: !bf16s, %q: !bf16s, %r: !bf16s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !bf16s
  %bi = pyk.load %b[%i] : !bf16s
  %0 = pyk.floor_div %ai, %bi : bf16
  %1 = pyk.floor_mod %ai, %bi : bf16
  pyk.store %0, %q[%i] : !bf16s
  pyk.store %1, %r[%i] : !bf16s
  pyk.return
}
