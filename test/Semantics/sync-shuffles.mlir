// Values of other threads of the warp, in a block of 40: the second warp has 8 threads,
// and its mask says so. A lane that is not there keeps what it has: no thread asks one that
// nobody is in, which is not defined.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=40 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i8s = !pyk.array<?xi8, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>

// The lanes of the thread's warp that somebody is in.
pyk.func @present() -> i32 {
  %t = pyk.thread_id x : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %first8 = arith.constant 255 : i32
  %is_first = arith.cmpi ult, %t, %c32 : i32
  %mask = arith.select %is_first, %all, %first8 : i32
  pyk.return %mask : i32
}

// The lane is taken modulo 32, also where the number is negative.
// REDEFINE: %{kernel} = index
// REDEFINE: %{args} = "--arg=i32[40]=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139" \
// REDEFINE:   --arg=i32[40]=zeros --arg=i32[40]=zeros --arg=i32[40]=zeros \
// REDEFINE:   --arg=i32[40]=zeros --print=1 --print=2 --print=3 --print=4
// RUN: %{test}
// index: 1: i32[40] = [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 132, 132, 132, 132, 132, 132, 132, 132]
// index-NEXT: 2: i32[40] = [105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105, 137, 137, 137, 137, 137, 137, 137, 137]
// index-NEXT: 3: i32[40] = [107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 139, 139, 139, 139, 139, 139, 139, 139]
// index-NEXT: 4: i32[40] = [104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104, 136, 136, 136, 136, 136, 136, 136, 136]
pyk.func @index(%a: !i32s, %r0: !i32s, %r1: !i32s, %r2: !i32s, %r3: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %mask = pyk.call @present() : () -> i32
  %m28 = arith.constant -28 : i32
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %c39 = arith.constant 39 : i32
  %0 = pyk.shuffle index %ai, %c0 mask %mask : i32
  %1 = pyk.shuffle index %ai, %c5 mask %mask : i32
  %2 = pyk.shuffle index %ai, %c39 mask %mask : i32
  %3 = pyk.shuffle index %ai, %m28 mask %mask : i32
  pyk.store %0, %r0[%i] : !i32s
  pyk.store %1, %r1[%i] : !i32s
  pyk.store %2, %r2[%i] : !i32s
  pyk.store %3, %r3[%i] : !i32s
  pyk.return
}

// What is before the first lane of the warp is not there; nor are those before it.
// REDEFINE: %{kernel} = up
// REDEFINE: %{args} = "--arg=i32[40]=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139" \
// REDEFINE:   --arg=i32[40]=zeros --arg=i32[40]=zeros --arg=i32[40]=zeros \
// REDEFINE:   --arg=i32[40]=zeros --print=1 --print=2 --print=3 --print=4
// RUN: %{test}
// up: 1: i32[40] = [100, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 132, 132, 133, 134, 135, 136, 137, 138]
// up-NEXT: 2: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 100, 132, 133, 134, 135, 136, 137, 138, 139]
// up-NEXT: 3: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139]
// up-NEXT: 4: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139]
pyk.func @up(%a: !i32s, %r0: !i32s, %r1: !i32s, %r2: !i32s, %r3: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %mask = pyk.call @present() : () -> i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %0 = pyk.shuffle up %ai, %c1 mask %mask : i32
  %1 = pyk.shuffle up %ai, %c31 mask %mask : i32
  %2 = pyk.shuffle up %ai, %c0 mask %mask : i32
  %3 = pyk.shuffle up %ai, %c32 mask %mask : i32
  pyk.store %0, %r0[%i] : !i32s
  pyk.store %1, %r1[%i] : !i32s
  pyk.store %2, %r2[%i] : !i32s
  pyk.store %3, %r3[%i] : !i32s
  pyk.return
}

// Every thread may have an offset of its own.
// REDEFINE: %{kernel} = down
// REDEFINE: %{args} = "--arg=i32[40]=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139" \
// REDEFINE:   "--arg=i32[40]=8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,31,31,31,31,31,31,31,31,2,2,2,2,2,2,31,31" \
// REDEFINE:   --arg=i32[40]=zeros --arg=i32[40]=zeros --arg=i32[40]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// down: 2: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139]
// down-NEXT: 3: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139]
// down-NEXT: 4: i32[40] = [108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 124, 125, 126, 127, 128, 129, 130, 131, 134, 135, 136, 137, 138, 139, 138, 139]
pyk.func @down(%a: !i32s, %o2: !i32s, %r0: !i32s, %r1: !i32s, %r2: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %o2i = pyk.load %o2[%i] : !i32s
  %mask = pyk.call @present() : () -> i32
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %0 = pyk.shuffle down %ai, %c0 mask %mask : i32
  %1 = pyk.shuffle down %ai, %c32 mask %mask : i32
  %2 = pyk.shuffle down %ai, %o2i mask %mask : i32
  pyk.store %0, %r0[%i] : !i32s
  pyk.store %1, %r1[%i] : !i32s
  pyk.store %2, %r2[%i] : !i32s
  pyk.return
}

// Lanes that differ in bits.
// REDEFINE: %{kernel} = exchange
// REDEFINE: %{args} = "--arg=i32[40]=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139" \
// REDEFINE:   --arg=i32[40]=zeros --arg=i32[40]=zeros --arg=i32[40]=zeros \
// REDEFINE:   --arg=i32[40]=zeros --print=1 --print=2 --print=3 --print=4
// RUN: %{test}
// exchange: 1: i32[40] = [101, 100, 103, 102, 105, 104, 107, 106, 109, 108, 111, 110, 113, 112, 115, 114, 117, 116, 119, 118, 121, 120, 123, 122, 125, 124, 127, 126, 129, 128, 131, 130, 133, 132, 135, 134, 137, 136, 139, 138]
// exchange-NEXT: 2: i32[40] = [107, 106, 105, 104, 103, 102, 101, 100, 115, 114, 113, 112, 111, 110, 109, 108, 123, 122, 121, 120, 119, 118, 117, 116, 131, 130, 129, 128, 127, 126, 125, 124, 139, 138, 137, 136, 135, 134, 133, 132]
// exchange-NEXT: 3: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139]
// exchange-NEXT: 4: i32[40] = [105, 104, 107, 106, 101, 100, 103, 102, 113, 112, 115, 114, 109, 108, 111, 110, 121, 120, 123, 122, 117, 116, 119, 118, 129, 128, 131, 130, 125, 124, 127, 126, 137, 136, 139, 138, 133, 132, 135, 134]
pyk.func @exchange(%a: !i32s, %r0: !i32s, %r1: !i32s, %r2: !i32s, %r3: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %mask = pyk.call @present() : () -> i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %0 = pyk.shuffle xor %ai, %c1 mask %mask : i32
  %1 = pyk.shuffle xor %ai, %c7 mask %mask : i32
  %2 = pyk.shuffle xor %ai, %c0 mask %mask : i32
  %3 = pyk.shuffle xor %ai, %c5 mask %mask : i32
  pyk.store %0, %r0[%i] : !i32s
  pyk.store %1, %r1[%i] : !i32s
  pyk.store %2, %r2[%i] : !i32s
  pyk.store %3, %r3[%i] : !i32s
  pyk.return
}

// Segments of the warp: of 4 and 8 lanes, and of one.
// REDEFINE: %{kernel} = segments
// REDEFINE: %{args} = "--arg=i32[40]=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139" \
// REDEFINE:   --arg=i32[40]=zeros --arg=i32[40]=zeros --arg=i32[40]=zeros \
// REDEFINE:   --arg=i32[40]=zeros --arg=i32[40]=zeros --arg=i32[40]=zeros \
// REDEFINE:   --arg=i32[40]=zeros --arg=i32[40]=zeros --print=1 --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5 --print=6 --print=7 --print=8
// RUN: %{test}
// segments: 1: i32[40] = [102, 102, 102, 102, 106, 106, 106, 106, 110, 110, 110, 110, 114, 114, 114, 114, 118, 118, 118, 118, 122, 122, 122, 122, 126, 126, 126, 126, 130, 130, 130, 130, 134, 134, 134, 134, 138, 138, 138, 138]
// segments-NEXT: 2: i32[40] = [103, 103, 103, 103, 103, 103, 103, 103, 111, 111, 111, 111, 111, 111, 111, 111, 119, 119, 119, 119, 119, 119, 119, 119, 127, 127, 127, 127, 127, 127, 127, 127, 135, 135, 135, 135, 135, 135, 135, 135]
// segments-NEXT: 3: i32[40] = [100, 100, 101, 102, 104, 104, 105, 106, 108, 108, 109, 110, 112, 112, 113, 114, 116, 116, 117, 118, 120, 120, 121, 122, 124, 124, 125, 126, 128, 128, 129, 130, 132, 132, 133, 134, 136, 136, 137, 138]
// segments-NEXT: 4: i32[40] = [100, 101, 100, 101, 102, 103, 104, 105, 108, 109, 108, 109, 110, 111, 112, 113, 116, 117, 116, 117, 118, 119, 120, 121, 124, 125, 124, 125, 126, 127, 128, 129, 132, 133, 132, 133, 134, 135, 136, 137]
// segments-NEXT: 5: i32[40] = [101, 102, 103, 103, 105, 106, 107, 107, 109, 110, 111, 111, 113, 114, 115, 115, 117, 118, 119, 119, 121, 122, 123, 123, 125, 126, 127, 127, 129, 130, 131, 131, 133, 134, 135, 135, 137, 138, 139, 139]
// segments-NEXT: 6: i32[40] = [103, 104, 105, 106, 107, 105, 106, 107, 111, 112, 113, 114, 115, 113, 114, 115, 119, 120, 121, 122, 123, 121, 122, 123, 127, 128, 129, 130, 131, 129, 130, 131, 135, 136, 137, 138, 139, 137, 138, 139]
// segments-NEXT: 7: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139]
// segments-NEXT: 8: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139]
pyk.func @segments(%a: !i32s, %r0: !i32s, %r1: !i32s, %r2: !i32s, %r3: !i32s,
    %r4: !i32s, %r5: !i32s, %r6: !i32s, %r7: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %mask = pyk.call @present() : () -> i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %c11 = arith.constant 11 : i32
  %0 = pyk.shuffle index %ai, %c2 mask %mask width %c4 : i32
  %1 = pyk.shuffle index %ai, %c11 mask %mask width %c8 : i32
  %2 = pyk.shuffle up %ai, %c1 mask %mask width %c4 : i32
  %3 = pyk.shuffle up %ai, %c2 mask %mask width %c8 : i32
  %4 = pyk.shuffle down %ai, %c1 mask %mask width %c4 : i32
  %5 = pyk.shuffle down %ai, %c3 mask %mask width %c8 : i32
  %6 = pyk.shuffle index %ai, %c5 mask %mask width %c1 : i32
  %7 = pyk.shuffle down %ai, %c1 mask %mask width %c1 : i32
  pyk.store %0, %r0[%i] : !i32s
  pyk.store %1, %r1[%i] : !i32s
  pyk.store %2, %r2[%i] : !i32s
  pyk.store %3, %r3[%i] : !i32s
  pyk.store %4, %r4[%i] : !i32s
  pyk.store %5, %r5[%i] : !i32s
  pyk.store %6, %r6[%i] : !i32s
  pyk.store %7, %r7[%i] : !i32s
  pyk.return
}

// Only xor reaches segments before its own: from those behind, not to them.
// REDEFINE: %{kernel} = segments_xor
// REDEFINE: %{args} = "--arg=i32[40]=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139" \
// REDEFINE:   "--arg=i32[40]=8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,4,4,4,4,4,4,4,4" \
// REDEFINE:   --arg=i32[40]=zeros --arg=i32[40]=zeros --arg=i32[40]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// segments_xor: 2: i32[40] = [100, 101, 102, 103, 104, 105, 106, 107, 100, 101, 102, 103, 104, 105, 106, 107, 116, 117, 118, 119, 120, 121, 122, 123, 116, 117, 118, 119, 120, 121, 122, 123, 132, 133, 134, 135, 132, 133, 134, 135]
// segments_xor-NEXT: 3: i32[40] = [103, 102, 101, 100, 107, 106, 105, 104, 111, 110, 109, 108, 115, 114, 113, 112, 119, 118, 117, 116, 123, 122, 121, 120, 127, 126, 125, 124, 131, 130, 129, 128, 135, 134, 133, 132, 139, 138, 137, 136]
// segments_xor-NEXT: 4: i32[40] = [104, 105, 106, 107, 100, 101, 102, 103, 112, 113, 114, 115, 108, 109, 110, 111, 120, 121, 122, 123, 116, 117, 118, 119, 128, 129, 130, 131, 124, 125, 126, 127, 136, 137, 138, 139, 132, 133, 134, 135]
pyk.func @segments_xor(%a: !i32s, %o0: !i32s, %r0: !i32s, %r1: !i32s,
    %r2: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %o0i = pyk.load %o0[%i] : !i32s
  %mask = pyk.call @present() : () -> i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %0 = pyk.shuffle xor %ai, %o0i mask %mask width %c4 : i32
  %1 = pyk.shuffle xor %ai, %c3 mask %mask width %c4 : i32
  %2 = pyk.shuffle xor %ai, %c4 mask %mask width %c8 : i32
  pyk.store %0, %r0[%i] : !i32s
  pyk.store %1, %r1[%i] : !i32s
  pyk.store %2, %r2[%i] : !i32s
  pyk.return
}
