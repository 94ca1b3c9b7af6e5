// Arithmetic of integers: every operand has a result, also where the processor's
// instruction has none. Arrays that are printed as unsigned hold what `unsigned` makes
// of the same bits.

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

// Rounded down, for all signs; by 0 it is 0; the smallest number by -1 is itself.
// REDEFINE: %{kernel} = divide_i8
// REDEFINE: %{args} = "--arg=i8[12]=7,-7,7,-7,6,0,5,-5,-128,-128,127,127" \
// REDEFINE:   "--arg=i8[12]=2,2,-2,-2,-3,-4,0,0,-1,3,-1,-128" --arg=i8[12]=zeros \
// REDEFINE:   --arg=i8[12]=zeros --arg=u8[12]=zeros --arg=u8[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4 --print=5
// RUN: %{test}
// divide_i8: 2: i8[12] = [3, -4, -4, 3, -2, 0, 0, 0, -128, -43, -127, -1]
// divide_i8-NEXT: 3: i8[12] = [1, 1, -1, -1, 0, 0, 0, 0, 0, 1, 0, -1]
// divide_i8-NEXT: 4: u8[12] = [3, 124, 0, 0, 0, 0, 0, 0, 0, 42, 0, 0]
// divide_i8-NEXT: 5: u8[12] = [1, 1, 7, 249, 6, 0, 0, 0, 128, 2, 127, 127]
pyk.func @divide_i8(%a: !i8s, %b: !i8s, %q: !i8s, %r: !i8s, %uq: !i8s,
    %ur: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %bi = pyk.load %b[%i] : !i8s
  %0 = pyk.floor_div %ai, %bi : i8
  %1 = pyk.floor_mod %ai, %bi : i8
  %2 = pyk.floor_div unsigned %ai, %bi : i8
  %3 = pyk.floor_mod unsigned %ai, %bi : i8
  pyk.store %0, %q[%i] : !i8s
  pyk.store %1, %r[%i] : !i8s
  pyk.store %2, %uq[%i] : !i8s
  pyk.store %3, %ur[%i] : !i8s
  pyk.return
}

// The same in 16 bits.
// REDEFINE: %{kernel} = divide_i16
// REDEFINE: %{args} = "--arg=i16[12]=7,-7,7,-7,6,0,5,-5,-32768,-32768,32767,32767" \
// REDEFINE:   "--arg=i16[12]=2,2,-2,-2,-3,-4,0,0,-1,3,-1,-32768" --arg=i16[12]=zeros \
// REDEFINE:   --arg=i16[12]=zeros --arg=u16[12]=zeros --arg=u16[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4 --print=5
// RUN: %{test}
// divide_i16: 2: i16[12] = [3, -4, -4, 3, -2, 0, 0, 0, -32768, -10923, -32767, -1]
// divide_i16-NEXT: 3: i16[12] = [1, 1, -1, -1, 0, 0, 0, 0, 0, 1, 0, -1]
// divide_i16-NEXT: 4: u16[12] = [3, 32764, 0, 0, 0, 0, 0, 0, 0, 10922, 0, 0]
// divide_i16-NEXT: 5: u16[12] = [1, 1, 7, 65529, 6, 0, 0, 0, 32768, 2, 32767, 32767]
pyk.func @divide_i16(%a: !i16s, %b: !i16s, %q: !i16s, %r: !i16s, %uq: !i16s,
    %ur: !i16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i16s
  %bi = pyk.load %b[%i] : !i16s
  %0 = pyk.floor_div %ai, %bi : i16
  %1 = pyk.floor_mod %ai, %bi : i16
  %2 = pyk.floor_div unsigned %ai, %bi : i16
  %3 = pyk.floor_mod unsigned %ai, %bi : i16
  pyk.store %0, %q[%i] : !i16s
  pyk.store %1, %r[%i] : !i16s
  pyk.store %2, %uq[%i] : !i16s
  pyk.store %3, %ur[%i] : !i16s
  pyk.return
}

// The same in 32 bits.
// REDEFINE: %{kernel} = divide_i32
// REDEFINE: %{args} = "--arg=i32[12]=7,-7,7,-7,6,0,5,-5,-2147483648,-2147483648,2147483647,2147483647" \
// REDEFINE:   "--arg=i32[12]=2,2,-2,-2,-3,-4,0,0,-1,3,-1,-2147483648" \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=u32[12]=zeros \
// REDEFINE:   --arg=u32[12]=zeros --print=2 --print=3 --print=4 --print=5
// RUN: %{test}
// divide_i32: 2: i32[12] = [3, -4, -4, 3, -2, 0, 0, 0, -2147483648, -715827883, -2147483647, -1]
// divide_i32-NEXT: 3: i32[12] = [1, 1, -1, -1, 0, 0, 0, 0, 0, 1, 0, -1]
// divide_i32-NEXT: 4: u32[12] = [3, 2147483644, 0, 0, 0, 0, 0, 0, 0, 715827882, 0, 0]
// divide_i32-NEXT: 5: u32[12] = [1, 1, 7, 4294967289, 6, 0, 0, 0, 2147483648, 2, 2147483647, 2147483647]
pyk.func @divide_i32(%a: !i32s, %b: !i32s, %q: !i32s, %r: !i32s, %uq: !i32s,
    %ur: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %bi = pyk.load %b[%i] : !i32s
  %0 = pyk.floor_div %ai, %bi : i32
  %1 = pyk.floor_mod %ai, %bi : i32
  %2 = pyk.floor_div unsigned %ai, %bi : i32
  %3 = pyk.floor_mod unsigned %ai, %bi : i32
  pyk.store %0, %q[%i] : !i32s
  pyk.store %1, %r[%i] : !i32s
  pyk.store %2, %uq[%i] : !i32s
  pyk.store %3, %ur[%i] : !i32s
  pyk.return
}

// The same in 64 bits.
// REDEFINE: %{kernel} = divide_i64
// REDEFINE: %{args} = "--arg=i64[12]=7,-7,7,-7,6,0,5,-5,-9223372036854775808,-9223372036854775808,9223372036854775807,9223372036854775807" \
// REDEFINE:   "--arg=i64[12]=2,2,-2,-2,-3,-4,0,0,-1,3,-1,-9223372036854775808" \
// REDEFINE:   --arg=i64[12]=zeros --arg=i64[12]=zeros --arg=u64[12]=zeros \
// REDEFINE:   --arg=u64[12]=zeros --print=2 --print=3 --print=4 --print=5
// RUN: %{test}
// divide_i64: 2: i64[12] = [3, -4, -4, 3, -2, 0, 0, 0, -9223372036854775808, -3074457345618258603, -9223372036854775807, -1]
// divide_i64-NEXT: 3: i64[12] = [1, 1, -1, -1, 0, 0, 0, 0, 0, 1, 0, -1]
// divide_i64-NEXT: 4: u64[12] = [3, 9223372036854775804, 0, 0, 0, 0, 0, 0, 0, 3074457345618258602, 0, 0]
// divide_i64-NEXT: 5: u64[12] = [1, 1, 7, 18446744073709551609, 6, 0, 0, 0, 9223372036854775808, 2, 9223372036854775807, 9223372036854775807]
pyk.func @divide_i64(%a: !i64s, %b: !i64s, %q: !i64s, %r: !i64s, %uq: !i64s,
    %ur: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i64s
  %bi = pyk.load %b[%i] : !i64s
  %0 = pyk.floor_div %ai, %bi : i64
  %1 = pyk.floor_mod %ai, %bi : i64
  %2 = pyk.floor_div unsigned %ai, %bi : i64
  %3 = pyk.floor_mod unsigned %ai, %bi : i64
  pyk.store %0, %q[%i] : !i64s
  pyk.store %1, %r[%i] : !i64s
  pyk.store %2, %uq[%i] : !i64s
  pyk.store %3, %ur[%i] : !i64s
  pyk.return
}

// Shifts by the width and more leave 0, or the sign; a negative count is a large one.
// REDEFINE: %{kernel} = shift_i8
// REDEFINE: %{args} = "--arg=i8[12]=1,1,-1,-1,-128,-128,127,5,-5,-5,5,-1" \
// REDEFINE:   "--arg=i8[12]=7,8,7,8,1,7,1,-1,-1,9,-128,0" --arg=i8[12]=zeros \
// REDEFINE:   --arg=i8[12]=zeros --arg=u8[12]=zeros --print=2 --print=3 --print=4
// RUN: %{test}
// shift_i8: 2: i8[12] = [-128, 0, -128, 0, 0, 0, -2, 0, 0, 0, 0, -1]
// shift_i8-NEXT: 3: i8[12] = [0, 0, -1, -1, -64, -1, 63, 0, -1, -1, 0, -1]
// shift_i8-NEXT: 4: u8[12] = [0, 0, 1, 0, 64, 1, 63, 0, 0, 0, 0, 255]
pyk.func @shift_i8(%a: !i8s, %b: !i8s, %l: !i8s, %r: !i8s, %ur: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %bi = pyk.load %b[%i] : !i8s
  %0 = pyk.shift_left %ai, %bi : i8
  %1 = pyk.shift_right %ai, %bi : i8
  %2 = pyk.shift_right unsigned %ai, %bi : i8
  pyk.store %0, %l[%i] : !i8s
  pyk.store %1, %r[%i] : !i8s
  pyk.store %2, %ur[%i] : !i8s
  pyk.return
}

// The same in 16 bits.
// REDEFINE: %{kernel} = shift_i16
// REDEFINE: %{args} = "--arg=i16[12]=1,1,-1,-1,-32768,-32768,32767,5,-5,-5,5,-1" \
// REDEFINE:   "--arg=i16[12]=15,16,15,16,1,15,1,-1,-1,17,-32768,0" \
// REDEFINE:   --arg=i16[12]=zeros --arg=i16[12]=zeros --arg=u16[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// shift_i16: 2: i16[12] = [-32768, 0, -32768, 0, 0, 0, -2, 0, 0, 0, 0, -1]
// shift_i16-NEXT: 3: i16[12] = [0, 0, -1, -1, -16384, -1, 16383, 0, -1, -1, 0, -1]
// shift_i16-NEXT: 4: u16[12] = [0, 0, 1, 0, 16384, 1, 16383, 0, 0, 0, 0, 65535]
pyk.func @shift_i16(%a: !i16s, %b: !i16s, %l: !i16s, %r: !i16s, %ur: !i16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i16s
  %bi = pyk.load %b[%i] : !i16s
  %0 = pyk.shift_left %ai, %bi : i16
  %1 = pyk.shift_right %ai, %bi : i16
  %2 = pyk.shift_right unsigned %ai, %bi : i16
  pyk.store %0, %l[%i] : !i16s
  pyk.store %1, %r[%i] : !i16s
  pyk.store %2, %ur[%i] : !i16s
  pyk.return
}

// The same in 32 bits.
// REDEFINE: %{kernel} = shift_i32
// REDEFINE: %{args} = "--arg=i32[12]=1,1,-1,-1,-2147483648,-2147483648,2147483647,5,-5,-5,5,-1" \
// REDEFINE:   "--arg=i32[12]=31,32,31,32,1,31,1,-1,-1,33,-2147483648,0" \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=u32[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// shift_i32: 2: i32[12] = [-2147483648, 0, -2147483648, 0, 0, 0, -2, 0, 0, 0, 0, -1]
// shift_i32-NEXT: 3: i32[12] = [0, 0, -1, -1, -1073741824, -1, 1073741823, 0, -1, -1, 0, -1]
// shift_i32-NEXT: 4: u32[12] = [0, 0, 1, 0, 1073741824, 1, 1073741823, 0, 0, 0, 0, 4294967295]
pyk.func @shift_i32(%a: !i32s, %b: !i32s, %l: !i32s, %r: !i32s, %ur: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %bi = pyk.load %b[%i] : !i32s
  %0 = pyk.shift_left %ai, %bi : i32
  %1 = pyk.shift_right %ai, %bi : i32
  %2 = pyk.shift_right unsigned %ai, %bi : i32
  pyk.store %0, %l[%i] : !i32s
  pyk.store %1, %r[%i] : !i32s
  pyk.store %2, %ur[%i] : !i32s
  pyk.return
}

// The same in 64 bits.
// REDEFINE: %{kernel} = shift_i64
// REDEFINE: %{args} = "--arg=i64[12]=1,1,-1,-1,-9223372036854775808,-9223372036854775808,9223372036854775807,5,-5,-5,5,-1" \
// REDEFINE:   "--arg=i64[12]=63,64,63,64,1,63,1,-1,-1,65,-9223372036854775808,0" \
// REDEFINE:   --arg=i64[12]=zeros --arg=i64[12]=zeros --arg=u64[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// shift_i64: 2: i64[12] = [-9223372036854775808, 0, -9223372036854775808, 0, 0, 0, -2, 0, 0, 0, 0, -1]
// shift_i64-NEXT: 3: i64[12] = [0, 0, -1, -1, -4611686018427387904, -1, 4611686018427387903, 0, -1, -1, 0, -1]
// shift_i64-NEXT: 4: u64[12] = [0, 0, 1, 0, 4611686018427387904, 1, 4611686018427387903, 0, 0, 0, 0, 18446744073709551615]
pyk.func @shift_i64(%a: !i64s, %b: !i64s, %l: !i64s, %r: !i64s, %ur: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i64s
  %bi = pyk.load %b[%i] : !i64s
  %0 = pyk.shift_left %ai, %bi : i64
  %1 = pyk.shift_right %ai, %bi : i64
  %2 = pyk.shift_right unsigned %ai, %bi : i64
  pyk.store %0, %l[%i] : !i64s
  pyk.store %1, %r[%i] : !i64s
  pyk.store %2, %ur[%i] : !i64s
  pyk.return
}
