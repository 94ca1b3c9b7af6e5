// Threads of a warp that wait for each other or run together, in a block of 40: the second
// warp has 8 threads.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=40 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i32s = !pyk.array<?xi32, c>
!shared = !pyk.array<40xi32, c, shared>

// What the warp wrote before is there behind it: three places round in it.
// REDEFINE: %{kernel} = whole
// REDEFINE: %{args} = "--arg=i32[40]=0,7,14,21,28,35,2,9,16,23,30,37,4,11,18,25,32,39,6,13,20,27,34,1,8,15,22,29,36,3,10,17,24,31,38,5,12,19,26,33" \
// REDEFINE:   --arg=i32[40]=zeros --print=1
// RUN: %{test}
// whole: 1: i32[40] = [21, 28, 35, 2, 9, 16, 23, 30, 37, 4, 11, 18, 25, 32, 39, 6, 13, 20, 27, 34, 1, 8, 15, 22, 29, 36, 3, 10, 17, 0, 7, 14, 5, 12, 19, 26, 33, 24, 31, 38]
pyk.func @whole(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %own = pyk.alloc : !shared
  %t = pyk.thread_id x : i32
  %lane = pyk.lane_id : i32
  %first = arith.subi %t, %lane : i32
  %in_first = arith.cmpi eq, %first, %c0 : i32
  %lanes = arith.select %in_first, %c32, %c8 : i32
  %next = arith.addi %lane, %c1 : i32
  %other = arith.remui %next, %lanes : i32
  %place = arith.addi %first, %other : i32
  %j = arith.extui %place : i32 to i64
  %last = scf.for %k = %c0 to %c3 step %c1 iter_args(%x = %ai) -> (i32) : i32 {
    pyk.store %x, %own[%i] : !shared
    pyk.warp_barrier
    %y = pyk.load %own[%j] : !shared
    pyk.warp_barrier
    scf.yield %y : i32
  }
  pyk.store %last, %out[%i] : !i32s
  pyk.return
}

// A mask of half of the lanes: odd and even threads wait apart.
// REDEFINE: %{kernel} = halves
// REDEFINE: %{args} = "--arg=i32[40]=0,7,14,21,28,35,2,9,16,23,30,37,4,11,18,25,32,39,6,13,20,27,34,1,8,15,22,29,36,3,10,17,24,31,38,5,12,19,26,33" \
// REDEFINE:   --arg=i32[40]=zeros --print=1
// RUN: %{test}
// halves: 1: i32[40] = [14, 21, 0, 7, 2, 9, 28, 35, 30, 37, 16, 23, 18, 25, 4, 11, 6, 13, 32, 39, 34, 1, 20, 27, 22, 29, 8, 15, 10, 17, 36, 3, 38, 5, 24, 31, 26, 33, 12, 19]
pyk.func @halves(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %even_lanes = arith.constant 1431655765 : i32
  %first8 = arith.constant 255 : i32
  %all = arith.constant -1 : i32
  %own = pyk.alloc : !shared
  %t = pyk.thread_id x : i32
  %in_first = arith.cmpi ult, %t, %c32 : i32
  %present = arith.select %in_first, %all, %first8 : i32
  %bit = arith.andi %t, %c1 : i32
  %half = arith.shli %even_lanes, %bit : i32
  %mask = arith.andi %half, %present : i32
  pyk.store %ai, %own[%i] : !shared
  pyk.warp_barrier mask %mask
  %other = arith.xori %t, %c2 : i32
  %j = arith.extui %other : i32 to i64
  %y = pyk.load %own[%j] : !shared
  pyk.store %y, %out[%i] : !i32s
  pyk.return
}

// On the CPU those that come to the same operation get each other: the whole warp, where
// all come. A GPU promises only the thread's own lane.
// REDEFINE: %{kernel} = together
// REDEFINE: %{args} = "--arg=i32[40]=0,7,14,21,28,35,2,9,16,23,30,37,4,11,18,25,32,39,6,13,20,27,34,1,8,15,22,29,36,3,10,17,24,31,38,5,12,19,26,33" \
// REDEFINE:   --arg=u32[40]=zeros --print=1
// RUN: %{test}
// together: 1: u32[40] = [4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 255, 255, 255, 255, 255, 255, 255, 255]
pyk.func @together(%a: !i32s, %lanes: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %m = pyk.active_mask
  pyk.store %m, %lanes[%i] : !i32s
  pyk.return
}

// In a branch, those that take it; as vectors no branch asks.
// DEFINE: %{branches} = %{run} --cpu=reference | %{check} && %{run} --cpu=simd | %{check}
// REDEFINE: %{kernel} = apart
// REDEFINE: %{args} = "--arg=i32[40]=0,7,14,21,28,35,2,9,16,23,30,37,4,11,18,25,32,39,6,13,20,27,34,1,8,15,22,29,36,3,10,17,24,31,38,5,12,19,26,33" \
// REDEFINE:   --arg=u32[40]=zeros --print=1
// RUN: %{branches}
// apart: 1: u32[40] = [1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 1431655765, 2863311530, 85, 170, 85, 170, 85, 170, 85, 170]
pyk.func @apart(%a: !i32s, %lanes: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c1 = arith.constant 1 : i32
  %t = pyk.thread_id x : i32
  %bit = arith.andi %t, %c1 : i32
  %odd = arith.cmpi eq, %bit, %c1 : i32
  %m = scf.if %odd -> (i32) {
    %0 = pyk.active_mask
    scf.yield %0 : i32
  } else {
    %0 = pyk.active_mask
    scf.yield %0 : i32
  }
  pyk.store %m, %lanes[%i] : !i32s
  pyk.return
}
