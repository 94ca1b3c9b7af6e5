// What the threads of a warp agree on, in a block of 40: the second warp has 8 threads.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=40 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i1s = !pyk.array<?xi1, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f32s = !pyk.array<?xf32, c>

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

// For all, for any, for all or none (equal), and for whom (ballot).
// DEFINE: %{votes} = pyk-run %s --kernel=votes --grid=1 --block=40 %{args} --cpu

// Here odd threads.
// REDEFINE: %{kernel} = odd
// REDEFINE: %{args} = "--arg=bool[40]=0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1" \
// REDEFINE:   --arg=bool[40]=zeros --arg=bool[40]=zeros \
// REDEFINE:   --arg=bool[40]=zeros --arg=u32[40]=zeros \
// REDEFINE:   --print=1 --print=2 --print=3 --print=4
// RUN: %{votes}=reference | %{check}
// RUN: %{votes}=simd | %{check}
// odd: 1: bool[40] = [False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False]
// odd-NEXT: 2: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
// odd-NEXT: 3: bool[40] = [False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False]
// odd-NEXT: 4: u32[40] = [2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 2863311530, 170, 170, 170, 170, 170, 170, 170, 170]

// Here none.
// REDEFINE: %{kernel} = none
// REDEFINE: %{args} = "--arg=bool[40]=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0" \
// REDEFINE:   --arg=bool[40]=zeros --arg=bool[40]=zeros \
// REDEFINE:   --arg=bool[40]=zeros --arg=u32[40]=zeros \
// REDEFINE:   --print=1 --print=2 --print=3 --print=4
// RUN: %{votes}=reference | %{check}
// RUN: %{votes}=simd | %{check}
// none: 1: bool[40] = [False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False]
// none-NEXT: 2: bool[40] = [False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False]
// none-NEXT: 3: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
// none-NEXT: 4: u32[40] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

// Here every thread.
// REDEFINE: %{kernel} = every
// REDEFINE: %{args} = "--arg=bool[40]=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1" \
// REDEFINE:   --arg=bool[40]=zeros --arg=bool[40]=zeros \
// REDEFINE:   --arg=bool[40]=zeros --arg=u32[40]=zeros \
// REDEFINE:   --print=1 --print=2 --print=3 --print=4
// RUN: %{votes}=reference | %{check}
// RUN: %{votes}=simd | %{check}
// every: 1: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
// every-NEXT: 2: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
// every-NEXT: 3: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
// every-NEXT: 4: u32[40] = [4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 255, 255, 255, 255, 255, 255, 255, 255]

// Here one of each warp.
// REDEFINE: %{kernel} = one
// REDEFINE: %{args} = "--arg=bool[40]=0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1" \
// REDEFINE:   --arg=bool[40]=zeros --arg=bool[40]=zeros \
// REDEFINE:   --arg=bool[40]=zeros --arg=u32[40]=zeros \
// REDEFINE:   --print=1 --print=2 --print=3 --print=4
// RUN: %{votes}=reference | %{check}
// RUN: %{votes}=simd | %{check}
// one: 1: bool[40] = [False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False]
// one-NEXT: 2: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
// one-NEXT: 3: bool[40] = [False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False]
// one-NEXT: 4: u32[40] = [32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 128, 128, 128, 128, 128, 128, 128, 128]

// Here the first warp.
// REDEFINE: %{kernel} = first
// REDEFINE: %{args} = "--arg=bool[40]=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0" \
// REDEFINE:   --arg=bool[40]=zeros --arg=bool[40]=zeros \
// REDEFINE:   --arg=bool[40]=zeros --arg=u32[40]=zeros \
// REDEFINE:   --print=1 --print=2 --print=3 --print=4
// RUN: %{votes}=reference | %{check}
// RUN: %{votes}=simd | %{check}
// first: 1: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, False, False, False, False, False, False, False]
// first-NEXT: 2: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, False, False, False, False, False, False, False]
// first-NEXT: 3: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
// first-NEXT: 4: u32[40] = [4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 0, 0, 0, 0]
pyk.func @votes(%p: !i1s, %all: !i1s, %any: !i1s, %equal: !i1s, %ballot: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %pi = pyk.load %p[%i] : !i1s
  %mask = pyk.call @present() : () -> i32
  %0 = pyk.vote all %pi mask %mask
  %1 = pyk.vote any %pi mask %mask
  %2 = pyk.vote equal %pi mask %mask
  %3 = pyk.ballot %pi mask %mask
  pyk.store %0, %all[%i] : !i1s
  pyk.store %1, %any[%i] : !i1s
  pyk.store %2, %equal[%i] : !i1s
  pyk.store %3, %ballot[%i] : !i32s
  pyk.return
}

// Odd and even threads vote apart, where they take different ways; as
// vectors they do not.
// DEFINE: %{apart} = %{run} --cpu=reference | %{check} && %{run} --cpu=simd | %{check}
// REDEFINE: %{kernel} = halves
// REDEFINE: %{args} = "--arg=bool[40]=True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True,False,False,True" \
// REDEFINE:   --arg=bool[40]=zeros --arg=u32[40]=zeros --print=1 --print=2
// RUN: %{apart}
// halves: 1: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
// halves-NEXT: 2: u32[40] = [1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 1090785345, 136348168, 16, 130, 16, 130, 16, 130, 16, 130]
pyk.func @halves(%p: !i1s, %some: !i1s, %whom: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %pi = pyk.load %p[%i] : !i1s
  %present = pyk.call @present() : () -> i32
  %even_lanes = arith.constant 1431655765 : i32
  %odd_lanes = arith.constant -1431655766 : i32
  %c1 = arith.constant 1 : i32
  %t = pyk.thread_id x : i32
  %bit = arith.andi %t, %c1 : i32
  %odd = arith.cmpi eq, %bit, %c1 : i32
  %r:2 = scf.if %odd -> (i1, i32) {
    %mask = arith.andi %present, %odd_lanes : i32
    %any = pyk.vote any %pi mask %mask
    %lanes = pyk.ballot %pi mask %mask
    scf.yield %any, %lanes : i1, i32
  } else {
    %mask = arith.andi %present, %even_lanes : i32
    %lanes = pyk.ballot %pi mask %mask
    %any = pyk.vote any %pi mask %mask
    scf.yield %any, %lanes : i1, i32
  }
  pyk.store %r#0, %some[%i] : !i1s
  pyk.store %r#1, %whom[%i] : !i32s
  pyk.return
}

// Threads that have ended do not count, though the mask has them: every fourth.
// REDEFINE: %{kernel} = ended
// REDEFINE: %{args} = "--arg=bool[40]=True,True,False,True,True,True,False,True,True,True,False,True,True,True,False,True,True,True,False,True,True,True,False,True,True,True,False,True,True,True,False,True,True,True,False,True,True,True,False,True" \
// REDEFINE:   "--arg=bool[40]=False,False,False,True,False,False,False,True,False,False,False,True,False,False,False,True,False,False,False,True,False,False,False,True,False,False,False,True,False,False,False,True,False,False,False,True,False,False,False,True" \
// REDEFINE:   --arg=bool[40]=zeros --arg=u32[40]=zeros --print=2 --print=3
// RUN: %{test}
// ended: 2: bool[40] = [False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False]
// ended-NEXT: 3: u32[40] = [858993459, 858993459, 858993459, 0, 858993459, 858993459, 858993459, 0, 858993459, 858993459, 858993459, 0, 858993459, 858993459, 858993459, 0, 858993459, 858993459, 858993459, 0, 858993459, 858993459, 858993459, 0, 858993459, 858993459, 858993459, 0, 858993459, 858993459, 858993459, 0, 51, 51, 51, 0, 51, 51, 51, 0]
pyk.func @ended(%p: !i1s, %end: !i1s, %all: !i1s, %ballot: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %pi = pyk.load %p[%i] : !i1s
  %endi = pyk.load %end[%i] : !i1s
  %mask = pyk.call @present() : () -> i32
  pyk.if %endi {
    pyk.return
  }
  %0 = pyk.vote all %pi mask %mask
  %1 = pyk.ballot %pi mask %mask
  pyk.store %0, %all[%i] : !i1s
  pyk.store %1, %ballot[%i] : !i32s
  pyk.return
}

// The lanes that have the same value, and all of them if all have: the first warp has.
// REDEFINE: %{kernel} = match
// REDEFINE: %{args} = "--arg=i32[40]=1,2,3,1,1,2,3,1,1,2,3,1,1,2,3,1,1,2,3,1,1,2,3,1,1,2,3,1,1,2,3,1,1,2,3,1,1,2,3,1" \
// REDEFINE:   "--arg=i64[40]=7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,7696581394432,35184372088832,36283883716608,37383395344384,38482906972160,39582418599936,40681930227712,41781441855488,42880953483264" \
// REDEFINE:   --arg=u32[40]=zeros --arg=u32[40]=zeros --arg=bool[40]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4
// RUN: %{test}
// match: 2: u32[40] = [2576980377, 572662306, 1145324612, 2576980377, 2576980377, 572662306, 1145324612, 2576980377, 2576980377, 572662306, 1145324612, 2576980377, 2576980377, 572662306, 1145324612, 2576980377, 2576980377, 572662306, 1145324612, 2576980377, 2576980377, 572662306, 1145324612, 2576980377, 2576980377, 572662306, 1145324612, 2576980377, 2576980377, 572662306, 1145324612, 2576980377, 153, 34, 68, 153, 153, 34, 68, 153]
// match-NEXT: 3: u32[40] = [4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 0, 0, 0, 0]
// match-NEXT: 4: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, False, False, False, False, False, False, False]
pyk.func @match(%v: !i32s, %w: !i64s, %any: !i32s, %all: !i32s, %same: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %vi = pyk.load %v[%i] : !i32s
  %wi = pyk.load %w[%i] : !i64s
  %mask = pyk.call @present() : () -> i32
  %0 = pyk.match_any %vi mask %mask : i32
  %1:2 = pyk.match_all %wi mask %mask : i64
  pyk.store %0, %any[%i] : !i32s
  pyk.store %1#0, %all[%i] : !i32s
  pyk.store %1#1, %same[%i] : !i1s
  pyk.return
}

// Bits are what is the same: NaN is like itself, 0.0 is not like -0.0.
// REDEFINE: %{kernel} = match_bits
// REDEFINE: %{args} = "--arg=f32[40]=0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5,0.0,-0.0,nan,1.5" \
// REDEFINE:   --arg=u32[40]=zeros --arg=u32[40]=zeros --arg=bool[40]=zeros --print=1 \
// REDEFINE:   --print=2 --print=3
// RUN: %{test}
// match_bits: 1: u32[40] = [286331153, 572662306, 1145324612, 2290649224, 286331153, 572662306, 1145324612, 2290649224, 286331153, 572662306, 1145324612, 2290649224, 286331153, 572662306, 1145324612, 2290649224, 286331153, 572662306, 1145324612, 2290649224, 286331153, 572662306, 1145324612, 2290649224, 286331153, 572662306, 1145324612, 2290649224, 286331153, 572662306, 1145324612, 2290649224, 17, 34, 68, 136, 17, 34, 68, 136]
// match_bits-NEXT: 2: u32[40] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// match_bits-NEXT: 3: bool[40] = [False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False]
pyk.func @match_bits(%v: !f32s, %any: !i32s, %all: !i32s, %same: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %vi = pyk.load %v[%i] : !f32s
  %mask = pyk.call @present() : () -> i32
  %0 = pyk.match_any %vi mask %mask : f32
  %wide = arith.extf %vi : f32 to f64
  %1:2 = pyk.match_all %wide mask %mask : f64
  pyk.store %0, %any[%i] : !i32s
  pyk.store %1#0, %all[%i] : !i32s
  pyk.store %1#1, %same[%i] : !i1s
  pyk.return
}
