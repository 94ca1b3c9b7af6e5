// Elements of every type are stored and read as they are, in memory of each kind; extents
// and strides of arrays that the host passes.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i1s = !pyk.array<?xi1, c>
!i8s = !pyk.array<?xi8, c>
!i16s = !pyk.array<?xi16, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f16s = !pyk.array<?xf16, c>
!bf16s = !pyk.array<?xbf16, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>
!c64s = !pyk.array<?xcomplex<f32>, c>
!c128s = !pyk.array<?xcomplex<f64>, c>

// i8: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_i8
// REDEFINE: %{args} = "--arg=i8[12]=0,1,-1,-128,127,7,7,7,7,7,7,7" --arg=i8[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// element_i8: 1: i8[12] = [7, 7, 7, 7, 7, 7, 7, 127, -128, -1, 1, 0]
pyk.func @element_i8(%a: !i8s, %out: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xi8, c, shared>
  %local = pyk.alloc : !pyk.array<2xi8, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xi8, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xi8, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xi8, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xi8, c, local>
  pyk.store %y, %out[%i] : !i8s
  pyk.return
}

// i16: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_i16
// REDEFINE: %{args} = "--arg=i16[12]=0,-1,-32768,32767,7,7,7,7,7,7,7,7" --arg=i16[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// element_i16: 1: i16[12] = [7, 7, 7, 7, 7, 7, 7, 7, 32767, -32768, -1, 0]
pyk.func @element_i16(%a: !i16s, %out: !i16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i16s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xi16, c, shared>
  %local = pyk.alloc : !pyk.array<2xi16, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xi16, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xi16, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xi16, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xi16, c, local>
  pyk.store %y, %out[%i] : !i16s
  pyk.return
}

// i32: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_i32
// REDEFINE: %{args} = "--arg=i32[12]=0,-1,-2147483648,2147483647,7,7,7,7,7,7,7,7" \
// REDEFINE:   --arg=i32[12]=zeros --print=1
// RUN: %{test}
// element_i32: 1: i32[12] = [7, 7, 7, 7, 7, 7, 7, 7, 2147483647, -2147483648, -1, 0]
pyk.func @element_i32(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xi32, c, shared>
  %local = pyk.alloc : !pyk.array<2xi32, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xi32, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xi32, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xi32, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xi32, c, local>
  pyk.store %y, %out[%i] : !i32s
  pyk.return
}

// i64: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_i64
// REDEFINE: %{args} = "--arg=i64[12]=0,-1,-9223372036854775808,9223372036854775807,7,7,7,7,7,7,7,7" \
// REDEFINE:   --arg=i64[12]=zeros --print=1
// RUN: %{test}
// element_i64: 1: i64[12] = [7, 7, 7, 7, 7, 7, 7, 7, 9223372036854775807, -9223372036854775808, -1, 0]
pyk.func @element_i64(%a: !i64s, %out: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i64s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xi64, c, shared>
  %local = pyk.alloc : !pyk.array<2xi64, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xi64, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xi64, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xi64, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xi64, c, local>
  pyk.store %y, %out[%i] : !i64s
  pyk.return
}

// bool: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_bool
// REDEFINE: %{args} = "--arg=bool[12]=True,False,True,False,True,False,True,False,True,False,True,False" \
// REDEFINE:   --arg=bool[12]=zeros --print=1
// RUN: %{test}
// element_bool: 1: bool[12] = [False, True, False, True, False, True, False, True, False, True, False, True]
pyk.func @element_bool(%a: !i1s, %out: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i1s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xi1, c, shared>
  %local = pyk.alloc : !pyk.array<2xi1, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xi1, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xi1, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xi1, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xi1, c, local>
  pyk.store %y, %out[%i] : !i1s
  pyk.return
}

// f16: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_f16
// REDEFINE: %{args} = "--arg=f16[12]=0.0,-0.0,nan,inf,65500.0,6e-08,1.0,1.0,1.0,1.0,1.0,1.0" \
// REDEFINE:   --arg=f16[12]=zeros --print=1
// RUN: %{test}
// element_f16: 1: f16[12] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 6e-08, 65500.0, inf, nan, -0.0, 0.0]
pyk.func @element_f16(%a: !f16s, %out: !f16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f16s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xf16, c, shared>
  %local = pyk.alloc : !pyk.array<2xf16, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xf16, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xf16, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xf16, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xf16, c, local>
  pyk.store %y, %out[%i] : !f16s
  pyk.return
}

// bf16: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_bf16
// REDEFINE: %{args} = "--arg=bf16[12]=0.0,-0.0,nan,-inf,3e+38,1e-38,1.0,1.0,1.0,1.0,1.0,1.0" \
// REDEFINE:   --arg=bf16[12]=zeros --print=1
// RUN: %{test}
// element_bf16: 1: bf16[12] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e-38, 3e+38, -inf, nan, -0.0, 0.0]
pyk.func @element_bf16(%a: !bf16s, %out: !bf16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !bf16s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xbf16, c, shared>
  %local = pyk.alloc : !pyk.array<2xbf16, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xbf16, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xbf16, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xbf16, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xbf16, c, local>
  pyk.store %y, %out[%i] : !bf16s
  pyk.return
}

// f32: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_f32
// REDEFINE: %{args} = "--arg=f32[12]=0.0,-0.0,nan,inf,3e+38,1e-45,1.0,1.0,1.0,1.0,1.0,1.0" \
// REDEFINE:   --arg=f32[12]=zeros --print=1
// RUN: %{test}
// element_f32: 1: f32[12] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e-45, 3e+38, inf, nan, -0.0, 0.0]
pyk.func @element_f32(%a: !f32s, %out: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xf32, c, shared>
  %local = pyk.alloc : !pyk.array<2xf32, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xf32, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xf32, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xf32, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xf32, c, local>
  pyk.store %y, %out[%i] : !f32s
  pyk.return
}

// f64: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_f64
// REDEFINE: %{args} = "--arg=f64[12]=0.0,-0.0,nan,inf,1e+308,5e-324,1.0,1.0,1.0,1.0,1.0,1.0" \
// REDEFINE:   --arg=f64[12]=zeros --print=1
// RUN: %{test}
// element_f64: 1: f64[12] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 5e-324, 1e+308, inf, nan, -0.0, 0.0]
pyk.func @element_f64(%a: !f64s, %out: !f64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xf64, c, shared>
  %local = pyk.alloc : !pyk.array<2xf64, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xf64, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xf64, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xf64, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xf64, c, local>
  pyk.store %y, %out[%i] : !f64s
  pyk.return
}

// c64: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_c64
// REDEFINE: %{args} = "--arg=c64[12]=(-0+0j),(1.5-0j),-2j,(1+2j),(1+2j),(1+2j),(1+2j),(1+2j),(1+2j),(1+2j),(1+2j),(1+2j)" \
// REDEFINE:   --arg=c64[12]=zeros --print=1
// RUN: %{test}
// element_c64: 1: c64[12] = [(1+2j), (1+2j), (1+2j), (1+2j), (1+2j), (1+2j), (1+2j), (1+2j), (1+2j), -2j, (1.5-0j), (-0+0j)]
pyk.func @element_c64(%a: !c64s, %out: !c64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !c64s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xcomplex<f32>, c, shared>
  %local = pyk.alloc : !pyk.array<2xcomplex<f32>, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xcomplex<f32>, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xcomplex<f32>, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xcomplex<f32>, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xcomplex<f32>, c, local>
  pyk.store %y, %out[%i] : !c64s
  pyk.return
}

// c128: by shared and by local memory, in another order.
// REDEFINE: %{kernel} = element_c128
// REDEFINE: %{args} = "--arg=c128[12]=(-0+0j),(1.5-0j),-2j,(1+2j),(1+2j),(1+2j),(1+2j),(1+2j),(1+2j),(1+2j),(1+2j),(1+2j)" \
// REDEFINE:   --arg=c128[12]=zeros --print=1
// RUN: %{test}
// element_c128: 1: c128[12] = [(1+2j), (1+2j), (1+2j), (1+2j), (1+2j), (1+2j), (1+2j), (1+2j), (1+2j), -2j, (1.5-0j), (-0+0j)]
pyk.func @element_c128(%a: !c128s, %out: !c128s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !c128s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %shared = pyk.alloc : !pyk.array<12xcomplex<f64>, c, shared>
  %local = pyk.alloc : !pyk.array<2xcomplex<f64>, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xcomplex<f64>, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xcomplex<f64>, c, shared>
  pyk.store %x, %local[%c0] : !pyk.array<2xcomplex<f64>, c, local>
  %y = pyk.load %local[%c0] : !pyk.array<2xcomplex<f64>, c, local>
  pyk.store %y, %out[%i] : !c128s
  pyk.return
}
