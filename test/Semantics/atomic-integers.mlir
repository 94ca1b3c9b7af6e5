// What an atomic operation stores of an element `x` and a value `v`, on edges of each type;
// each array in the list holds `x` before. `ok` says that every operation has yielded `x`.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i1s = !pyk.array<?xi1, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f16s = !pyk.array<?xf16, c>
!bf16s = !pyk.array<?xbf16, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// Sums wrap; and the bits of i32.
// REDEFINE: %{kernel} = bits_i32
// REDEFINE: %{args} = "--arg=i32[12]=0,-1,-2147483648,2147483647,5,7,-8,1,0,3,-5,2147483647" \
// REDEFINE:   "--arg=i32[12]=0,1,-1,1,-6,12,10,-2147483648,2147483647,-1,-5,2147483647" \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=i32[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=bool[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4 --print=5 --print=6 --print=7
// RUN: %{test}
// bits_i32: 2: i32[12] = [0, 0, 2147483647, -2147483648, -1, 19, 2, -2147483647, 2147483647, 2, -10, -2]
// bits_i32-NEXT: 3: i32[12] = [0, 1, -2147483648, 1, 0, 4, 8, 0, 0, 3, -5, 2147483647]
// bits_i32-NEXT: 4: i32[12] = [0, -1, -1, 2147483647, -1, 15, -6, -2147483647, 2147483647, -1, -5, 2147483647]
// bits_i32-NEXT: 5: i32[12] = [0, -2, 2147483647, 2147483646, -1, 11, -14, -2147483647, 2147483647, -4, 0, 0]
// bits_i32-NEXT: 6: i32[12] = [0, 1, -1, 1, -6, 12, 10, -2147483648, 2147483647, -1, -5, 2147483647]
// bits_i32-NEXT: 7: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @bits_i32(%x: !i32s, %v: !i32s, %add: !i32s, %and: !i32s, %or: !i32s,
    %xor: !i32s, %exch: !i32s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i32s
  %vi = pyk.load %v[%i] : !i32s
  pyk.store %xi, %add[%i] : !i32s
  %0 = pyk.atomic add %vi, %add[%i] : !i32s
  %s0 = arith.cmpi eq, %0, %xi : i32
  pyk.store %xi, %and[%i] : !i32s
  %1 = pyk.atomic and %vi, %and[%i] : !i32s
  %s1 = arith.cmpi eq, %1, %xi : i32
  pyk.store %xi, %or[%i] : !i32s
  %2 = pyk.atomic or %vi, %or[%i] : !i32s
  %s2 = arith.cmpi eq, %2, %xi : i32
  pyk.store %xi, %xor[%i] : !i32s
  %3 = pyk.atomic xor %vi, %xor[%i] : !i32s
  %s3 = arith.cmpi eq, %3, %xi : i32
  pyk.store %xi, %exch[%i] : !i32s
  %4 = pyk.atomic exch %vi, %exch[%i] : !i32s
  %s4 = arith.cmpi eq, %4, %xi : i32
  %a1 = arith.andi %s0, %s1 : i1
  %a2 = arith.andi %a1, %s2 : i1
  %a3 = arith.andi %a2, %s3 : i1
  %a4 = arith.andi %a3, %s4 : i1
  pyk.store %a4, %ok[%i] : !i1s
  pyk.return
}

// i32 compared as signed numbers.
// REDEFINE: %{kernel} = order_i32
// REDEFINE: %{args} = "--arg=i32[12]=0,3,4,5,-1,-2,2147483647,-2147483648,0,0,7,-3" \
// REDEFINE:   "--arg=i32[12]=4,4,4,4,4,-2,2147483647,0,0,-1,-1,5" \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=bool[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// order_i32: 2: i32[12] = [4, 4, 4, 5, 4, -2, 2147483647, 0, 0, 0, 7, 5]
// order_i32-NEXT: 3: i32[12] = [0, 3, 4, 4, -1, -2, 2147483647, -2147483648, 0, -1, -1, -3]
// order_i32-NEXT: 4: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @order_i32(%x: !i32s, %v: !i32s, %max: !i32s, %min: !i32s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i32s
  %vi = pyk.load %v[%i] : !i32s
  pyk.store %xi, %max[%i] : !i32s
  %0 = pyk.atomic max %vi, %max[%i] : !i32s
  %s0 = arith.cmpi eq, %0, %xi : i32
  pyk.store %xi, %min[%i] : !i32s
  %1 = pyk.atomic min %vi, %min[%i] : !i32s
  %s1 = arith.cmpi eq, %1, %xi : i32
  %a1 = arith.andi %s0, %s1 : i1
  pyk.store %a1, %ok[%i] : !i1s
  pyk.return
}

// The same bits compared as unsigned ones; inc and dec start again at their bounds.
// REDEFINE: %{kernel} = order_u32
// REDEFINE: %{args} = "--arg=u32[12]=0,3,4,5,4294967295,4294967294,2147483647,2147483648,0,0,7,4294967293" \
// REDEFINE:   "--arg=u32[12]=4,4,4,4,4,4294967294,2147483647,0,0,4294967295,4294967295,5" \
// REDEFINE:   --arg=u32[12]=zeros --arg=u32[12]=zeros --arg=u32[12]=zeros \
// REDEFINE:   --arg=u32[12]=zeros --arg=bool[12]=zeros --print=2 --print=3 --print=4 \
// REDEFINE:   --print=5 --print=6
// RUN: %{test}
// order_u32: 2: u32[12] = [1, 4, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0]
// order_u32-NEXT: 3: u32[12] = [4, 2, 3, 4, 4, 4294967293, 2147483646, 0, 0, 4294967295, 6, 5]
// order_u32-NEXT: 4: u32[12] = [4, 4, 4, 5, 4294967295, 4294967294, 2147483647, 2147483648, 0, 4294967295, 4294967295, 4294967293]
// order_u32-NEXT: 5: u32[12] = [0, 3, 4, 4, 4, 4294967294, 2147483647, 0, 0, 0, 7, 5]
// order_u32-NEXT: 6: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @order_u32(%x: !i32s, %v: !i32s, %inc: !i32s, %dec: !i32s,
    %max: !i32s, %min: !i32s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i32s
  %vi = pyk.load %v[%i] : !i32s
  pyk.store %xi, %inc[%i] : !i32s
  %0 = pyk.atomic inc unsigned %vi, %inc[%i] : !i32s
  %s0 = arith.cmpi eq, %0, %xi : i32
  pyk.store %xi, %dec[%i] : !i32s
  %1 = pyk.atomic dec unsigned %vi, %dec[%i] : !i32s
  %s1 = arith.cmpi eq, %1, %xi : i32
  pyk.store %xi, %max[%i] : !i32s
  %2 = pyk.atomic max unsigned %vi, %max[%i] : !i32s
  %s2 = arith.cmpi eq, %2, %xi : i32
  pyk.store %xi, %min[%i] : !i32s
  %3 = pyk.atomic min unsigned %vi, %min[%i] : !i32s
  %s3 = arith.cmpi eq, %3, %xi : i32
  %a1 = arith.andi %s0, %s1 : i1
  %a2 = arith.andi %a1, %s2 : i1
  %a3 = arith.andi %a2, %s3 : i1
  pyk.store %a3, %ok[%i] : !i1s
  pyk.return
}

// Integers are no NaN.
// REDEFINE: %{kernel} = nan_i32
// REDEFINE: %{args} = "--arg=i32[12]=0,3,4,5,-1,-2,2147483647,-2147483648,0,0,7,-3" \
// REDEFINE:   "--arg=i32[12]=4,4,4,4,4,-2,2147483647,0,0,-1,-1,5" \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=bool[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// nan_i32: 2: i32[12] = [4, 4, 4, 5, 4, -2, 2147483647, 0, 0, 0, 7, 5]
// nan_i32-NEXT: 3: i32[12] = [0, 3, 4, 4, -1, -2, 2147483647, -2147483648, 0, -1, -1, -3]
// nan_i32-NEXT: 4: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @nan_i32(%x: !i32s, %v: !i32s, %nanmax: !i32s, %nanmin: !i32s,
    %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i32s
  %vi = pyk.load %v[%i] : !i32s
  pyk.store %xi, %nanmax[%i] : !i32s
  %0 = pyk.atomic nanmax %vi, %nanmax[%i] : !i32s
  %s0 = arith.cmpi eq, %0, %xi : i32
  pyk.store %xi, %nanmin[%i] : !i32s
  %1 = pyk.atomic nanmin %vi, %nanmin[%i] : !i32s
  %s1 = arith.cmpi eq, %1, %xi : i32
  %a1 = arith.andi %s0, %s1 : i1
  pyk.store %a1, %ok[%i] : !i1s
  pyk.return
}

// Sums wrap; and the bits of i64.
// REDEFINE: %{kernel} = bits_i64
// REDEFINE: %{args} = "--arg=i64[12]=0,-1,-9223372036854775808,9223372036854775807,5,7,-8,1,0,3,-5,9223372036854775807" \
// REDEFINE:   "--arg=i64[12]=0,1,-1,1,-6,12,10,-9223372036854775808,9223372036854775807,-1,-5,9223372036854775807" \
// REDEFINE:   --arg=i64[12]=zeros --arg=i64[12]=zeros --arg=i64[12]=zeros \
// REDEFINE:   --arg=i64[12]=zeros --arg=i64[12]=zeros --arg=bool[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4 --print=5 --print=6 --print=7
// RUN: %{test}
// bits_i64: 2: i64[12] = [0, 0, 9223372036854775807, -9223372036854775808, -1, 19, 2, -9223372036854775807, 9223372036854775807, 2, -10, -2]
// bits_i64-NEXT: 3: i64[12] = [0, 1, -9223372036854775808, 1, 0, 4, 8, 0, 0, 3, -5, 9223372036854775807]
// bits_i64-NEXT: 4: i64[12] = [0, -1, -1, 9223372036854775807, -1, 15, -6, -9223372036854775807, 9223372036854775807, -1, -5, 9223372036854775807]
// bits_i64-NEXT: 5: i64[12] = [0, -2, 9223372036854775807, 9223372036854775806, -1, 11, -14, -9223372036854775807, 9223372036854775807, -4, 0, 0]
// bits_i64-NEXT: 6: i64[12] = [0, 1, -1, 1, -6, 12, 10, -9223372036854775808, 9223372036854775807, -1, -5, 9223372036854775807]
// bits_i64-NEXT: 7: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @bits_i64(%x: !i64s, %v: !i64s, %add: !i64s, %and: !i64s, %or: !i64s,
    %xor: !i64s, %exch: !i64s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i64s
  %vi = pyk.load %v[%i] : !i64s
  pyk.store %xi, %add[%i] : !i64s
  %0 = pyk.atomic add %vi, %add[%i] : !i64s
  %s0 = arith.cmpi eq, %0, %xi : i64
  pyk.store %xi, %and[%i] : !i64s
  %1 = pyk.atomic and %vi, %and[%i] : !i64s
  %s1 = arith.cmpi eq, %1, %xi : i64
  pyk.store %xi, %or[%i] : !i64s
  %2 = pyk.atomic or %vi, %or[%i] : !i64s
  %s2 = arith.cmpi eq, %2, %xi : i64
  pyk.store %xi, %xor[%i] : !i64s
  %3 = pyk.atomic xor %vi, %xor[%i] : !i64s
  %s3 = arith.cmpi eq, %3, %xi : i64
  pyk.store %xi, %exch[%i] : !i64s
  %4 = pyk.atomic exch %vi, %exch[%i] : !i64s
  %s4 = arith.cmpi eq, %4, %xi : i64
  %a1 = arith.andi %s0, %s1 : i1
  %a2 = arith.andi %a1, %s2 : i1
  %a3 = arith.andi %a2, %s3 : i1
  %a4 = arith.andi %a3, %s4 : i1
  pyk.store %a4, %ok[%i] : !i1s
  pyk.return
}

// i64 compared as signed numbers.
// REDEFINE: %{kernel} = order_i64
// REDEFINE: %{args} = "--arg=i64[12]=0,3,4,5,-1,-2,9223372036854775807,-9223372036854775808,0,0,7,-3" \
// REDEFINE:   "--arg=i64[12]=4,4,4,4,4,-2,9223372036854775807,0,0,-1,-1,5" \
// REDEFINE:   --arg=i64[12]=zeros --arg=i64[12]=zeros --arg=bool[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// order_i64: 2: i64[12] = [4, 4, 4, 5, 4, -2, 9223372036854775807, 0, 0, 0, 7, 5]
// order_i64-NEXT: 3: i64[12] = [0, 3, 4, 4, -1, -2, 9223372036854775807, -9223372036854775808, 0, -1, -1, -3]
// order_i64-NEXT: 4: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @order_i64(%x: !i64s, %v: !i64s, %max: !i64s, %min: !i64s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i64s
  %vi = pyk.load %v[%i] : !i64s
  pyk.store %xi, %max[%i] : !i64s
  %0 = pyk.atomic max %vi, %max[%i] : !i64s
  %s0 = arith.cmpi eq, %0, %xi : i64
  pyk.store %xi, %min[%i] : !i64s
  %1 = pyk.atomic min %vi, %min[%i] : !i64s
  %s1 = arith.cmpi eq, %1, %xi : i64
  %a1 = arith.andi %s0, %s1 : i1
  pyk.store %a1, %ok[%i] : !i1s
  pyk.return
}

// The same bits compared as unsigned ones; inc and dec start again at their bounds.
// REDEFINE: %{kernel} = order_u64
// REDEFINE: %{args} = "--arg=u64[12]=0,3,4,5,18446744073709551615,18446744073709551614,9223372036854775807,9223372036854775808,0,0,7,18446744073709551613" \
// REDEFINE:   "--arg=u64[12]=4,4,4,4,4,18446744073709551614,9223372036854775807,0,0,18446744073709551615,18446744073709551615,5" \
// REDEFINE:   --arg=u64[12]=zeros --arg=u64[12]=zeros --arg=u64[12]=zeros \
// REDEFINE:   --arg=u64[12]=zeros --arg=bool[12]=zeros --print=2 --print=3 --print=4 \
// REDEFINE:   --print=5 --print=6
// RUN: %{test}
// order_u64: 2: u64[12] = [1, 4, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0]
// order_u64-NEXT: 3: u64[12] = [4, 2, 3, 4, 4, 18446744073709551613, 9223372036854775806, 0, 0, 18446744073709551615, 6, 5]
// order_u64-NEXT: 4: u64[12] = [4, 4, 4, 5, 18446744073709551615, 18446744073709551614, 9223372036854775807, 9223372036854775808, 0, 18446744073709551615, 18446744073709551615, 18446744073709551613]
// order_u64-NEXT: 5: u64[12] = [0, 3, 4, 4, 4, 18446744073709551614, 9223372036854775807, 0, 0, 0, 7, 5]
// order_u64-NEXT: 6: bool[12] = [True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @order_u64(%x: !i64s, %v: !i64s, %inc: !i64s, %dec: !i64s,
    %max: !i64s, %min: !i64s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %xi = pyk.load %x[%i] : !i64s
  %vi = pyk.load %v[%i] : !i64s
  pyk.store %xi, %inc[%i] : !i64s
  %0 = pyk.atomic inc unsigned %vi, %inc[%i] : !i64s
  %s0 = arith.cmpi eq, %0, %xi : i64
  pyk.store %xi, %dec[%i] : !i64s
  %1 = pyk.atomic dec unsigned %vi, %dec[%i] : !i64s
  %s1 = arith.cmpi eq, %1, %xi : i64
  pyk.store %xi, %max[%i] : !i64s
  %2 = pyk.atomic max unsigned %vi, %max[%i] : !i64s
  %s2 = arith.cmpi eq, %2, %xi : i64
  pyk.store %xi, %min[%i] : !i64s
  %3 = pyk.atomic min unsigned %vi, %min[%i] : !i64s
  %s3 = arith.cmpi eq, %3, %xi : i64
  %a1 = arith.andi %s0, %s1 : i1
  %a2 = arith.andi %a1, %s2 : i1
  %a3 = arith.andi %a2, %s3 : i1
  pyk.store %a3, %ok[%i] : !i1s
  pyk.return
}
