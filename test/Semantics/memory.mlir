// Arrays: what threads and blocks own, constants, elements of every type, extents, strides
// and addresses.

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
!f32s = !pyk.array<?xf32, c>

// A shared array is one for the block, a local one is one for each thread, and each op is an
// array of its own.
// REDEFINE: %{kernel} = own
// REDEFINE: %{args} = "--arg=i32[12]=3,1,4,1,5,9,2,6,5,3,5,8" --arg=i32[12]=zeros --print=1
// RUN: %{test}
// own: 1: i32[12] = [803, 501, 304, 501, 605, 209, 902, 506, 105, 403, 105, 308]
pyk.func @own(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %hundred = arith.constant 100 : i32
  %zero = arith.constant 0 : i32
  %shared = pyk.alloc {alignment = 128} : !pyk.array<12xi32, c, shared>
  %other = pyk.alloc : !pyk.array<12xi32, c, shared>
  %local = pyk.alloc {alignment = 64} : !pyk.array<1xi32, c, local>
  %second = pyk.alloc : !pyk.array<1xi32, c, local>
  pyk.store %ai, %local[%c0] : !pyk.array<1xi32, c, local>
  pyk.store %zero, %second[%c0] : !pyk.array<1xi32, c, local>
  pyk.store %ai, %shared[%i] : !pyk.array<12xi32, c, shared>
  pyk.store %zero, %other[%i] : !pyk.array<12xi32, c, shared>
  pyk.barrier
  %j = arith.subi %c11, %i : i64
  %x = pyk.load %shared[%j] : !pyk.array<12xi32, c, shared>
  %mine = pyk.load %local[%c0] : !pyk.array<1xi32, c, local>
  %large = arith.muli %x, %hundred : i32
  %y = arith.addi %large, %mine : i32
  pyk.store %y, %out[%i] : !i32s
  pyk.return
}

// Addresses of what is aligned are multiples; those of neighbours differ by strides.
// Views of local arrays are nothing for vectors.
// DEFINE: %{serial} = %{run} --cpu=reference | %{check} && %{run} --cpu=simd | %{check}
// REDEFINE: %{kernel} = addresses
// REDEFINE: %{args} = "--arg=i32[12]=3,1,4,1,5,9,2,6,5,3,5,8" --arg=i64[12]=zeros \
// REDEFINE:   --arg=i64[12]=zeros --print=1 --print=2
// RUN: %{serial}
// addresses: 1: i64[12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// addresses-NEXT: 2: i64[12] = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44]
pyk.func @addresses(%a: !i32s, %rests: !i64s, %steps: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %m127 = arith.constant 127 : i64
  %shared = pyk.alloc {alignment = 128} : !pyk.array<3xi8, c, shared>
  %local = pyk.alloc {alignment = 64} : !pyk.array<5xi8, c, local>
  %p = pyk.address %shared : !pyk.array<3xi8, c, shared>
  %q = pyk.address %local : !pyk.array<5xi8, c, local>
  %q2 = arith.addi %q, %q : i64
  %both = arith.ori %p, %q2 : i64
  %rest = arith.andi %both, %m127 : i64
  %first = pyk.address %a : !i32s
  %part = pyk.view %a[%i : %c1] : !i32s to !i32s
  %here = pyk.address %part : !i32s
  %step = arith.subi %here, %first : i64
  pyk.store %rest, %rests[%i] : !i64s
  pyk.store %step, %steps[%i] : !i64s
  pyk.return
}

// An array of an address: with extents, and with strides, backwards.
// REDEFINE: %{kernel} = pointers
// REDEFINE: %{args} = "--arg=i32[12]=3,1,4,1,5,9,2,6,5,3,5,8" --arg=i32[12]=zeros \
// REDEFINE:   --arg=i64[12]=zeros --print=1 --print=2
// RUN: %{test}
// pointers: 1: i32[12] = [8, 5, 3, 5, 6, 2, 9, 5, 1, 4, 1, 3]
// pointers-NEXT: 2: i64[12] = [1196, 1196, 1196, 1196, 1196, 1196, 1196, 1196, 1196, 1196, 1196, 1196]
pyk.func @pointers(%a: !i32s, %out: !i32s, %forms: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c11 = arith.constant 11 : i64
  %c12 = arith.constant 12 : i64
  %m4 = arith.constant -4 : i64
  %hundred = arith.constant 100 : i64
  %e = pyk.element %a + %c11 : !i32s
  %p = pyk.to_pointer %e : !pyk.array<i32, c> -> !llvm.ptr<1>
  %b = pyk.from_pointer %p extents(%c12) strides(%m4) : !llvm.ptr<1> to !pyk.array<?xi32, any>
  %x = pyk.load %b[%i] : !pyk.array<?xi32, any>
  %n = pyk.dim %b, 0 : !pyk.array<?xi32, any>
  %s = pyk.stride %b, 0 : !pyk.array<?xi32, any>
  %large = arith.muli %n, %hundred : i64
  %form = arith.addi %large, %s : i64
  pyk.store %x, %out[%i] : !i32s
  pyk.store %form, %forms[%i] : !i64s
  pyk.return
}

// The address of a device array is what stands there, its strides too.
// REDEFINE: %{kernel} = fixed
// REDEFINE: %{args} = "--arg=i32[12]=3,1,4,1,5,9,2,6,5,3,5,8" --arg=i64[12]=zeros \
// REDEFINE:   --arg=i64[12]=zeros --print=1 --print=2
// RUN: %{test}
// fixed: 1: i64[12] = [4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096]
// fixed-NEXT: 2: i64[12] = [-8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8]
pyk.func @fixed(%a: !i32s, %where: !i64s, %apart: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %t = pyk.device_array 4096 strides [-8] : !pyk.array<3xi32, any>
  %p = pyk.address %t : !pyk.array<3xi32, any>
  %s = pyk.stride %t, 0 : !pyk.array<3xi32, any>
  pyk.store %p, %where[%i] : !i64s
  pyk.store %s, %apart[%i] : !i64s
  pyk.return
}

// Constants of several types and dimensions, in C order; booleans take a byte each.
// REDEFINE: %{kernel} = constants
// REDEFINE: %{args} = "--arg=i32[12]=3,1,4,1,5,9,2,6,5,3,5,8" --arg=i8[12]=zeros \
// REDEFINE:   --arg=f32[12]=zeros --arg=bool[12]=zeros --arg=i64[12]=zeros --print=1 \
// REDEFINE:   --print=2 --print=3 --print=4
// RUN: %{test}
// constants: 1: i8[12] = [0, -1, 1, -128, 127, 5, 6, 7, 8, 9, 10, 11]
// constants-NEXT: 2: f32[12] = [0.5, -0.0, inf, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 1e-45]
// constants-NEXT: 3: bool[12] = [False, True, False, True, False, True, False, True, False, True, False, True]
// constants-NEXT: 4: i64[12] = [-7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7]
pyk.func @constants(%a: !i32s, %small: !i8s, %matrix: !f32s, %odd: !i1s,
    %same: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c3 = arith.constant 3 : i64
  %0 = pyk.constant_array dense<[0, -1, 1, -128, 127, 5, 6, 7, 8, 9, 10, 11]> : tensor<12xi8>
      : !pyk.array<12xi8, c, constant>
  %1 = pyk.constant_array dense<[[0.5, -0.0, 0x7F800000], [1.5, 2.5, 3.5],
      [4.5, 5.5, 6.5], [7.5, 8.5, 1.4e-45]]> : tensor<4x3xf32> : !pyk.array<4x3xf32, c, constant>
  %2 = pyk.constant_array dense<[false, true, false, true, false, true, false, true, false,
      true, false, true]> : tensor<12xi1> : !pyk.array<12xi1, c, constant>
  %3 = pyk.constant_array dense<-7> : tensor<100xi64> : !pyk.array<100xi64, c, constant>
  %x = pyk.load %0[%i] : !pyk.array<12xi8, c, constant>
  %j = arith.divui %i, %c3 : i64
  %k = arith.remui %i, %c3 : i64
  %y = pyk.load %1[%j, %k] : !pyk.array<4x3xf32, c, constant>
  %z = pyk.load %2[%i] : !pyk.array<12xi1, c, constant>
  %w = pyk.load %3[%i] : !pyk.array<100xi64, c, constant>
  pyk.store %x, %small[%i] : !i8s
  pyk.store %y, %matrix[%i] : !f32s
  pyk.store %z, %odd[%i] : !i1s
  pyk.store %w, %same[%i] : !i64s
  pyk.return
}

// Hints of caches and volatile change no value.
// A volatile read is one thread after the other.
// REDEFINE: %{kernel} = hints
// REDEFINE: %{args} = "--arg=i32[12]=3,1,4,1,5,9,2,6,5,3,5,8" --arg=i32[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=i32[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --print=1 --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5 --print=6
// RUN: %{serial}
// hints: 1: i32[12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
// hints-NEXT: 2: i32[12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
// hints-NEXT: 3: i32[12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
// hints-NEXT: 4: i32[12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
// hints-NEXT: 5: i32[12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
// hints-NEXT: 6: i32[12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
pyk.func @hints(%a: !i32s, %ca: !i32s, %cg: !i32s, %cs: !i32s, %lu: !i32s,
    %cv: !i32s, %vol: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %0 = pyk.load cache ca %a[%i] : !i32s
  %1 = pyk.load cache cg %a[%i] : !i32s
  %2 = pyk.load cache cs %a[%i] : !i32s
  %3 = pyk.load cache lu %a[%i] : !i32s
  %4 = pyk.load cache cv %a[%i] : !i32s
  %5 = pyk.load volatile %a[%i] : !i32s
  pyk.store cache wb %0, %ca[%i] : !i32s
  pyk.store cache cg %1, %cg[%i] : !i32s
  pyk.store cache cs %2, %cs[%i] : !i32s
  pyk.store cache wt %3, %lu[%i] : !i32s
  pyk.store %4, %cv[%i] : !i32s
  pyk.store %5, %vol[%i] : !i32s
  pyk.return
}

// Dynamic shared memory: all arrays are views of the same bytes; without extents an array has
// as many whole elements as fit, here of 50 bytes, behind an offset fewer.
// DEFINE: %{dynamic} = pyk-run %s --kernel=dynamic --grid=1 --block=12 --shared-bytes=50 \
// DEFINE:   --arg=i32[12]=zeros --arg=i64[12]=zeros --print=0 --print=1
// REDEFINE: %{kernel} = dynamic
// RUN: %{dynamic} --cpu=reference | %{check}
// RUN: %{dynamic} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"
// dynamic: 0: i32[12] = [4, 5, 6, 7, 8, 9, 10, 11, -1, -1, -1, -1]
// dynamic-NEXT: 1: i64[12] = [12, 6, 50, 8, 2, 4, 16, 0, 0, 0, 0, 0]
pyk.func @dynamic(%out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %none = arith.constant -1 : i32
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %i = pyk.grid x : i64
  %t = pyk.thread_id x : i32
  %words = pyk.dynamic_shared : !pyk.array<?xi32, c, shared>
  %longs = pyk.dynamic_shared : !pyk.array<?xi64, c, shared>
  %bytes = pyk.dynamic_shared {alignment = 64} : !pyk.array<?xi8, c, shared>
  %behind = pyk.dynamic_shared at %c16 : !pyk.array<?xi32, c, shared>
  %shaped = pyk.dynamic_shared at %c16 [%c2] : !pyk.array<?x4xi32, c, shared>
  pyk.store %t, %words[%i] : !pyk.array<?xi32, c, shared>
  pyk.barrier
  %inside = arith.cmpi ult, %i, %c8 : i64
  %x = scf.if %inside -> (i32) {
    %c4 = arith.constant 4 : i64
    %row = arith.divui %i, %c4 : i64
    %column = arith.remui %i, %c4 : i64
    %y = pyk.load %shaped[%row, %column] : !pyk.array<?x4xi32, c, shared>
    scf.yield %y : i32
  } else {
    scf.yield %none : i32
  }
  pyk.store %x, %out[%i] : !i32s
  %n0 = pyk.dim %words, 0 : !pyk.array<?xi32, c, shared>
  %n1 = pyk.dim %longs, 0 : !pyk.array<?xi64, c, shared>
  %n2 = pyk.dim %bytes, 0 : !pyk.array<?xi8, c, shared>
  %n3 = pyk.dim %behind, 0 : !pyk.array<?xi32, c, shared>
  %n4 = pyk.dim %shaped, 0 : !pyk.array<?x4xi32, c, shared>
  %n5 = pyk.dim %shaped, 1 : !pyk.array<?x4xi32, c, shared>
  %n6 = pyk.stride %shaped, 0 : !pyk.array<?x4xi32, c, shared>
  %i0 = arith.constant 0 : i64
  pyk.store %n0, %form[%i0] : !i64s
  %i1 = arith.constant 1 : i64
  pyk.store %n1, %form[%i1] : !i64s
  %i2 = arith.constant 2 : i64
  pyk.store %n2, %form[%i2] : !i64s
  %i3 = arith.constant 3 : i64
  pyk.store %n3, %form[%i3] : !i64s
  %i4 = arith.constant 4 : i64
  pyk.store %n4, %form[%i4] : !i64s
  %i5 = arith.constant 5 : i64
  pyk.store %n5, %form[%i5] : !i64s
  %i6 = arith.constant 6 : i64
  pyk.store %n6, %form[%i6] : !i64s
  pyk.return
}
