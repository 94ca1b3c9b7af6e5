// Powers of integers, indices from the end, and products of bytes.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i8s = !pyk.array<?xi8, c>
!i16s = !pyk.array<?xi16, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>

// Modulo the width; 0 ** 0 is 1; negative exponents leave 1, -1 or 0, also of 0.
// REDEFINE: %{kernel} = power_i8
// REDEFINE: %{args} = "--arg=i8[12]=0,0,2,2,3,-2,-1,-1,1,2,-1,-128" \
// REDEFINE:   "--arg=i8[12]=0,-1,6,8,40,3,127,-3,-5,-1,-2,2" --arg=i8[12]=zeros \
// REDEFINE:   --arg=u8[12]=zeros --print=2 --print=3
// RUN: %{test}
// power_i8: 2: i8[12] = [1, 0, 64, 0, 33, -8, -1, -1, 1, 0, 1, 0]
// power_i8-NEXT: 3: u8[12] = [1, 0, 64, 0, 33, 248, 255, 255, 1, 0, 1, 0]
pyk.func @power_i8(%a: !i8s, %b: !i8s, %p: !i8s, %up: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %bi = pyk.load %b[%i] : !i8s
  %0 = pyk.power %ai, %bi : i8
  %1 = pyk.power unsigned %ai, %bi : i8
  pyk.store %0, %p[%i] : !i8s
  pyk.store %1, %up[%i] : !i8s
  pyk.return
}

// The same in 16 bits.
// REDEFINE: %{kernel} = power_i16
// REDEFINE: %{args} = "--arg=i16[12]=0,0,2,2,3,-2,-1,-1,1,2,-1,-32768" \
// REDEFINE:   "--arg=i16[12]=0,-1,14,16,40,3,32767,-3,-5,-1,-2,2" \
// REDEFINE:   --arg=i16[12]=zeros --arg=u16[12]=zeros --print=2 --print=3
// RUN: %{test}
// power_i16: 2: i16[12] = [1, 0, 16384, 0, -6111, -8, -1, -1, 1, 0, 1, 0]
// power_i16-NEXT: 3: u16[12] = [1, 0, 16384, 0, 59425, 65528, 65535, 65535, 1, 0, 1, 0]
pyk.func @power_i16(%a: !i16s, %b: !i16s, %p: !i16s, %up: !i16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i16s
  %bi = pyk.load %b[%i] : !i16s
  %0 = pyk.power %ai, %bi : i16
  %1 = pyk.power unsigned %ai, %bi : i16
  pyk.store %0, %p[%i] : !i16s
  pyk.store %1, %up[%i] : !i16s
  pyk.return
}

// The same in 32 bits.
// REDEFINE: %{kernel} = power_i32
// REDEFINE: %{args} = "--arg=i32[12]=0,0,2,2,3,-2,-1,-1,1,2,-1,-2147483648" \
// REDEFINE:   "--arg=i32[12]=0,-1,30,32,40,3,2147483647,-3,-5,-1,-2,2" \
// REDEFINE:   --arg=i32[12]=zeros --arg=u32[12]=zeros --print=2 --print=3
// RUN: %{test}
// power_i32: 2: i32[12] = [1, 0, 1073741824, 0, 689956897, -8, -1, -1, 1, 0, 1, 0]
// power_i32-NEXT: 3: u32[12] = [1, 0, 1073741824, 0, 689956897, 4294967288, 4294967295, 4294967295, 1, 0, 1, 0]
pyk.func @power_i32(%a: !i32s, %b: !i32s, %p: !i32s, %up: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %bi = pyk.load %b[%i] : !i32s
  %0 = pyk.power %ai, %bi : i32
  %1 = pyk.power unsigned %ai, %bi : i32
  pyk.store %0, %p[%i] : !i32s
  pyk.store %1, %up[%i] : !i32s
  pyk.return
}

// The same in 64 bits.
// REDEFINE: %{kernel} = power_i64
// REDEFINE: %{args} = "--arg=i64[12]=0,0,2,2,3,-2,-1,-1,1,2,-1,-9223372036854775808" \
// REDEFINE:   "--arg=i64[12]=0,-1,62,64,40,3,9223372036854775807,-3,-5,-1,-2,2" \
// REDEFINE:   --arg=i64[12]=zeros --arg=u64[12]=zeros --print=2 --print=3
// RUN: %{test}
// power_i64: 2: i64[12] = [1, 0, 4611686018427387904, 0, -6289078614652622815, -8, -1, -1, 1, 0, 1, 0]
// power_i64-NEXT: 3: u64[12] = [1, 0, 4611686018427387904, 0, 12157665459056928801, 18446744073709551608, 18446744073709551615, 18446744073709551615, 1, 0, 1, 0]
pyk.func @power_i64(%a: !i64s, %b: !i64s, %p: !i64s, %up: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i64s
  %bi = pyk.load %b[%i] : !i64s
  %0 = pyk.power %ai, %bi : i64
  %1 = pyk.power unsigned %ai, %bi : i64
  pyk.store %0, %p[%i] : !i64s
  pyk.store %1, %up[%i] : !i64s
  pyk.return
}

// Only negative ones count from the end, and nothing checks how far.
// REDEFINE: %{kernel} = wrap_index_i8
// REDEFINE: %{args} = "--arg=i8[12]=0,-1,-5,-6,4,-128,127,-1,-4,3,0,-2" \
// REDEFINE:   "--arg=i8[12]=5,5,5,5,5,5,5,127,0,0,0,1" --arg=i8[12]=zeros --print=2
// RUN: %{test}
// wrap_index_i8: 2: i8[12] = [0, 4, 0, -1, 4, -123, 127, 126, -4, 3, 0, -1]
pyk.func @wrap_index_i8(%a: !i8s, %b: !i8s, %w: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %bi = pyk.load %b[%i] : !i8s
  %0 = pyk.wrap_index %ai of %bi : i8
  pyk.store %0, %w[%i] : !i8s
  pyk.return
}

// The same in 16 bits.
// REDEFINE: %{kernel} = wrap_index_i16
// REDEFINE: %{args} = "--arg=i16[12]=0,-1,-5,-6,4,-32768,32767,-1,-4,3,0,-2" \
// REDEFINE:   "--arg=i16[12]=5,5,5,5,5,5,5,32767,0,0,0,1" --arg=i16[12]=zeros \
// REDEFINE:   --print=2
// RUN: %{test}
// wrap_index_i16: 2: i16[12] = [0, 4, 0, -1, 4, -32763, 32767, 32766, -4, 3, 0, -1]
pyk.func @wrap_index_i16(%a: !i16s, %b: !i16s, %w: !i16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i16s
  %bi = pyk.load %b[%i] : !i16s
  %0 = pyk.wrap_index %ai of %bi : i16
  pyk.store %0, %w[%i] : !i16s
  pyk.return
}

// The same in 32 bits.
// REDEFINE: %{kernel} = wrap_index_i32
// REDEFINE: %{args} = "--arg=i32[12]=0,-1,-5,-6,4,-2147483648,2147483647,-1,-4,3,0,-2" \
// REDEFINE:   "--arg=i32[12]=5,5,5,5,5,5,5,2147483647,0,0,0,1" --arg=i32[12]=zeros \
// REDEFINE:   --print=2
// RUN: %{test}
// wrap_index_i32: 2: i32[12] = [0, 4, 0, -1, 4, -2147483643, 2147483647, 2147483646, -4, 3, 0, -1]
pyk.func @wrap_index_i32(%a: !i32s, %b: !i32s, %w: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %bi = pyk.load %b[%i] : !i32s
  %0 = pyk.wrap_index %ai of %bi : i32
  pyk.store %0, %w[%i] : !i32s
  pyk.return
}

// The same in 64 bits.
// REDEFINE: %{kernel} = wrap_index_i64
// REDEFINE: %{args} = "--arg=i64[12]=0,-1,-5,-6,4,-9223372036854775808,9223372036854775807,-1,-4,3,0,-2" \
// REDEFINE:   "--arg=i64[12]=5,5,5,5,5,5,5,9223372036854775807,0,0,0,1" \
// REDEFINE:   --arg=i64[12]=zeros --print=2
// RUN: %{test}
// wrap_index_i64: 2: i64[12] = [0, 4, 0, -1, 4, -9223372036854775803, 9223372036854775807, 9223372036854775806, -4, 3, 0, -1]
pyk.func @wrap_index_i64(%a: !i64s, %b: !i64s, %w: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i64s
  %bi = pyk.load %b[%i] : !i64s
  %0 = pyk.wrap_index %ai of %bi : i64
  pyk.store %0, %w[%i] : !i64s
  pyk.return
}

// Four products of bytes and a sum that wraps.
// REDEFINE: %{kernel} = dot4
// REDEFINE: %{args} = "--arg=i32[12]=16909060,-1,-2139062144,2139062143,255,16909060,-2147483648,305419896,-2,1,16711935,-256" \
// REDEFINE:   "--arg=i32[12]=16843009,-1,-2139062144,-2139062144,255,0,2,-1698898192,33553922,1,16711935,-256" \
// REDEFINE:   "--arg=i32[12]=10,0,2147483647,0,-1,-7,0,5,0,-1,-65536,1" \
// REDEFINE:   --arg=i32[12]=zeros --arg=u32[12]=zeros --print=3 --print=4
// RUN: %{test}
// dot4: 3: i32[12] = [20, 4, -2147418113, -65024, 0, -7, 0, -10211, -2, 0, -65534, 4]
// dot4-NEXT: 4: u32[12] = [20, 260100, 2147549183, 65024, 65024, 4294967289, 0, 60445, 130558, 0, 64514, 195076]
pyk.func @dot4(%a: !i32s, %b: !i32s, %c: !i32s, %s: !i32s, %u: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %bi = pyk.load %b[%i] : !i32s
  %ci = pyk.load %c[%i] : !i32s
  %0 = pyk.dot4 %ai, %bi, %ci : i32
  %1 = pyk.dot4 unsigned %ai, %bi, %ci : i32
  pyk.store %0, %s[%i] : !i32s
  pyk.store %1, %u[%i] : !i32s
  pyk.return
}
