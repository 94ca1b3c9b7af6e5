// Quotients and powers of complex numbers, and numbers of an absolute value and a phase.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: %if libdevice %{ pyk-run %s --emit=ptx -o %t.ptx %}
// RUN: %if libdevice %{ %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %} %}

!c64s = !pyk.array<?xcomplex<f32>, c>
!c128s = !pyk.array<?xcomplex<f64>, c>

// By Smith's method: large and small parts do not overflow. By zero, both parts are divided.
// REDEFINE: %{kernel} = divide
// REDEFINE: %{args} = "--arg=c128[12]=1+2j,-3+4j,5+0j,1-1j,-2+0j,0j,nan+1j,1e+300+1e+300j,1e-300-1e-300j,8-6j,-3j,6+2j" \
// REDEFINE:   "--arg=c128[12]=1+2j,2j,-2+0j,0j,0j,0j,1+0j,1e+300+1e+300j,1e-300+1e-300j,4+0j,-1.5+0j,2-1j" \
// REDEFINE:   --arg=c128[12]=zeros --print=2
// RUN: %{test}
// divide: 2: c128[12] = [(1+0j), (2+1.5j), (-2.5-0j), (inf-infj), (-inf+nanj), (nan+nanj), (nan+nanj), (1+0j), -1j, (2-1.5j), (-0+2j), (2+2j)]
pyk.func @divide(%a: !c128s, %b: !c128s, %q: !c128s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !c128s
  %bi = pyk.load %b[%i] : !c128s
  %0 = pyk.complex.div %ai, %bi : complex<f64>
  pyk.store %0, %q[%i] : !c128s
  pyk.return
}

// The same in halves of the width.
// REDEFINE: %{kernel} = divide_single
// REDEFINE: %{args} = "--arg=c64[12]=1+2j,-3+4j,5+0j,1-1j,-2+0j,0j,nan+1j,9.9999999999999998e+37+9.9999999999999998e+37j,9.9999999999999996e-39-9.9999999999999996e-39j,8-6j,-3j,6+2j" \
// REDEFINE:   "--arg=c64[12]=1+2j,2j,-2+0j,0j,0j,0j,1+0j,9.9999999999999998e+37+9.9999999999999998e+37j,9.9999999999999996e-39+9.9999999999999996e-39j,4+0j,-1.5+0j,2-1j" \
// REDEFINE:   --arg=c64[12]=zeros --print=2
// RUN: %{test}
// divide_single: 2: c64[12] = [(1+0j), (2+1.5j), (-2.5-0j), (inf-infj), (-inf+nanj), (nan+nanj), (nan+nanj), (1+0j), -1j, (2-1.5j), (-0+2j), (2+2j)]
pyk.func @divide_single(%a: !c64s, %b: !c64s, %q: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !c64s
  %bi = pyk.load %b[%i] : !c64s
  %0 = pyk.complex.div %ai, %bi : complex<f32>
  pyk.store %0, %q[%i] : !c64s
  pyk.return
}

// Whole exponents multiply; powers of 0 are 1, 0 or NaN; anything to the power of 0 is 1.
// REDEFINE: %{kernel} = power
// REDEFINE: %{args} = "--arg=c128[12]=1j,1+1j,0j,0j,0j,0j,2+0j,1+2j,1-1j,1j,2j,nan+0j" \
// REDEFINE:   "--arg=c128[12]=2+0j,10+0j,0j,3+0j,-1+0j,2+5j,-3+0j,0j,-4+0j,100+0j,-1+0j,0j" \
// REDEFINE:   --arg=c128[12]=zeros --print=2
// RUN: %{test}
// power: 2: c128[12] = [(-1+0j), 32j, (1+0j), 0j, (nan+nanj), 0j, (0.125+0j), (1+0j), (-0.25-0j), (1+0j), -0.5j, (1+0j)]
pyk.func @power(%a: !c128s, %b: !c128s, %p: !c128s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !c128s
  %bi = pyk.load %b[%i] : !c128s
  %0 = pyk.complex.pow %ai, %bi : complex<f64>
  pyk.store %0, %p[%i] : !c128s
  pyk.return
}

// Absolute value and phase, printed as f32.
// REDEFINE: %{kernel} = rect
// REDEFINE: %{args} = "--arg=c128[12]=0j,2+0j,2+3.141592653589793j,3+1.5707963267948966j,-1+0j,inf+0j,-inf+0j,5j,1-0j,2+1j,-0+0j,1+0.5j" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// rect: 1: c64[12] = [0j, (2+0j), (-2+2.4492937e-16j), (1.8369701e-16+3j), (-1-0j), (inf+0j), (-inf-0j), -0j, (1-0j), (1.0806046+1.6829419j), (-0-0j), (0.87758255+0.47942555j)]
pyk.func @rect(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.rect %ai : complex<f64>
  %re = complex.re %0 : complex<f64>
  %im = complex.im %0 : complex<f64>
  %x = arith.truncf %re : f64 to f32
  %y = arith.truncf %im : f64 to f32
  %w32 = complex.create %x, %y : complex<f32>
  pyk.store %w32, %w[%i] : !c64s
  pyk.return
}
