// Functions of complex numbers at zeros, branch cuts, infinities and NaNs: what cmath gives,
// with the signs of zeros. Where cmath raises an error, a 1 stands in place of the number; all
// is computed in f64 and printed as f32.

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

pyk.func @store(%z: complex<f64>, %w: !c64s, %i: i64) {
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  %x = arith.truncf %re : f64 to f32
  %y = arith.truncf %im : f64 to f32
  %narrow = complex.create %x, %y : complex<f32>
  pyk.store %narrow, %w[%i] : !c64s
  pyk.return
}

// REDEFINE: %{kernel} = edges_sqrt
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_sqrt: 1: c64[12] = [0j, 0j, -0j, -0j, 2j, -2j, (inf+0j), infj, (inf+infj), (inf+nanj), (nan+nanj), (nan+nanj)]
pyk.func @edges_sqrt(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.sqrt %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_exp
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,1+0j,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_exp: 1: c64[12] = [(1+0j), (1+0j), (1-0j), (1-0j), (0.01831564+0j), (0.01831564-0j), (inf+0j), (-0+0j), (2.7182817+0j), (inf+nanj), (nan+0j), (nan+nanj)]
pyk.func @edges_exp(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.exp %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_log
// REDEFINE: %{args} = "--arg=c128[12]=1+0j,1+0j,1+0j,1+0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_log: 1: c64[12] = [0j, 0j, 0j, 0j, (1.3862944+3.1415927j), (1.3862944-3.1415927j), (inf+0j), (inf+3.1415927j), (inf+1.5707964j), (inf+nanj), (nan+nanj), (nan+nanj)]
pyk.func @edges_log(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.log %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_log10
// REDEFINE: %{args} = "--arg=c128[12]=1+0j,1+0j,1+0j,1+0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_log10: 1: c64[12] = [0j, 0j, 0j, 0j, (0.60206+1.3643763j), (0.60206-1.3643763j), (inf+0j), (inf+1.3643763j), (inf+0.68218815j), (inf+nanj), (nan+nanj), (nan+nanj)]
pyk.func @edges_log10(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.log10 %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_sin
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,1+0j,1+0j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_sin: 1: c64[12] = [0j, (-0+0j), (-0-0j), -0j, (0.7568025-0j), (0.7568025+0j), (0.84147096+0j), (0.84147096+0j), infj, (nan+nanj), (nan-0j), (nan+nanj)]
pyk.func @edges_sin(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.sin %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_cos
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,1+0j,1+0j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_cos: 1: c64[12] = [(1-0j), (1+0j), (1-0j), (1+0j), (-0.6536436-0j), (-0.6536436+0j), (0.5403023-0j), (0.5403023-0j), (inf-0j), (nan+nanj), (nan+0j), (nan+nanj)]
pyk.func @edges_cos(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.cos %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_tan
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,1+0j,1+0j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_tan: 1: c64[12] = [0j, (-0+0j), (-0-0j), -0j, (-1.1578213+0j), (-1.1578213-0j), (1.5574077+0j), (1.5574077+0j), 1j, (nan+nanj), (nan+nanj), (nan+nanj)]
pyk.func @edges_tan(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.tan %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_sinh
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,1+0j,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_sinh: 1: c64[12] = [0j, (-0+0j), (-0-0j), -0j, (-27.289917+0j), (-27.289917-0j), (inf+0j), (inf+infj), (1.1752012+0j), (inf+nanj), (nan+0j), (nan+nanj)]
pyk.func @edges_sinh(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.sinh %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_cosh
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,1+0j,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_cosh: 1: c64[12] = [(1+0j), (1-0j), (1+0j), (1-0j), (27.308233-0j), (27.308233+0j), (inf+0j), (-inf-infj), (1.5430807+0j), (inf+nanj), (nan+0j), (nan+nanj)]
pyk.func @edges_cosh(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.cosh %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_tanh
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,1+0j,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_tanh: 1: c64[12] = [0j, (-0+0j), (-0-0j), -0j, (-0.9993293+0j), (-0.9993293-0j), (1+0j), (-1-0j), (0.7615942+0j), (1+0j), (nan+0j), (nan+nanj)]
pyk.func @edges_tanh(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.tanh %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_asin
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_asin: 1: c64[12] = [0j, (-0+0j), (-0-0j), -0j, (-1.5707964+2.063437j), (-1.5707964-2.063437j), (1.5707964+infj), (-1.5707964+infj), infj, (nan-infj), (nan+nanj), (nan+nanj)]
pyk.func @edges_asin(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.asin %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_acos
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_acos: 1: c64[12] = [(1.5707964-0j), (1.5707964-0j), (1.5707964+0j), (1.5707964+0j), (3.1415927-2.063437j), (3.1415927+2.063437j), -infj, (3.1415927-infj), (1.5707964-infj), (nan+infj), (nan+nanj), (nan+nanj)]
pyk.func @edges_acos(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.acos %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_atan
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_atan: 1: c64[12] = [0j, (-0+0j), (-0-0j), -0j, (-1.3258177+0j), (-1.3258177-0j), (1.5707964+0j), (-1.5707964+0j), (1.5707964+0j), (1.5707964-0j), (nan+0j), (nan+nanj)]
pyk.func @edges_atan(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.atan %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_asinh
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_asinh: 1: c64[12] = [0j, (-0+0j), (-0-0j), -0j, (-2.0947125+0j), (-2.0947125-0j), (inf+0j), (-inf+0j), (inf+1.5707964j), (inf+nanj), (nan+0j), (nan+nanj)]
pyk.func @edges_asinh(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.asinh %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_acosh
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_acosh: 1: c64[12] = [1.5707964j, 1.5707964j, -1.5707964j, -1.5707964j, (2.063437+3.1415927j), (2.063437-3.1415927j), (inf+0j), (inf+3.1415927j), (inf+1.5707964j), (inf+nanj), (nan+nanj), (nan+nanj)]
pyk.func @edges_acosh(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.acosh %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}

// REDEFINE: %{kernel} = edges_atanh
// REDEFINE: %{args} = "--arg=c128[12]=0j,-0+0j,-0-0j,-0j,-4+0j,-4-0j,inf+0j,-inf+2j,infj,inf+nanj,nan+0j,nan+nanj" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// edges_atanh: 1: c64[12] = [0j, (-0+0j), (-0-0j), -0j, (-0.25541282+1.5707964j), (-0.25541282-1.5707964j), 1.5707964j, (-0+1.5707964j), 1.5707964j, nanj, (nan+nanj), (nan+nanj)]
pyk.func @edges_atanh(%a: !c128s, %w: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %z = pyk.load %a[%i] : !c128s
  %0 = pyk.complex.atanh %z : complex<f64>
  pyk.call @store(%0, %w, %i) : (complex<f64>, !c64s, i64) -> ()
  pyk.return
}
