// Where threads wait for each other: blocks of 1, 7, 32, 40 and 64 threads, two of them. What
// is printed is the same for all sizes.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{block} = 40
// DEFINE: %{run} = sed "s/i32: 40, 1, 1>/i32: %{block}, 1, 1>/" %s | pyk-run - \
// DEFINE:   --kernel=%{kernel} --grid=2 --block=%{block} %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i32s = !pyk.array<?xi32, c>
!bools = !pyk.array<?xi1, c>
!shared = !pyk.array<64xi32, c, shared>

// What stands before a barrier is there behind it: each thread reads what the one in front of
// it in the ring has written, 20 times in a row, and has got round by so many places.
// REDEFINE: %{kernel} = ring
// REDEFINE: %{args} = --arg=i32[1]=zeros --print=0
// REDEFINE: %{block} = 1
// RUN: %{test}
// REDEFINE: %{block} = 7
// RUN: %{test}
// REDEFINE: %{block} = 32
// RUN: %{test}
// REDEFINE: %{block} = 40
// RUN: %{test}
// REDEFINE: %{block} = 64
// RUN: %{test}
// ring: 0: i32[1] = [0]
pyk.func @ring(%wrong: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %turns = arith.constant 20 : i32
  %own = pyk.alloc : !shared
  %t = pyk.thread_id x : i32
  %n = pyk.block_dim x : i32
  %i = arith.extui %t : i32 to i64
  %next = arith.addi %t, %one : i32
  %ring = arith.remui %next, %n : i32
  %j = arith.extui %ring : i32 to i64
  %last = scf.for %k = %zero to %turns step %one iter_args(%x = %t) -> (i32) : i32 {
    pyk.store %x, %own[%i] : !shared
    pyk.barrier
    %y = pyk.load %own[%j] : !shared
    pyk.barrier
    scf.yield %y : i32
  }
  %sum = arith.addi %t, %turns : i32
  %expected = arith.remui %sum, %n : i32
  %rest = arith.xori %last, %expected : i32
  %0 = pyk.atomic or %rest, %wrong[%c0] : !i32s
  pyk.return
}

// How many, whether all and whether any: for every number of threads from 0 on up, of whom
// the condition holds for those that are less.
// REDEFINE: %{kernel} = votes
// REDEFINE: %{args} = --arg=i32[1]=zeros --print=0
// REDEFINE: %{block} = 1
// RUN: %{test}
// REDEFINE: %{block} = 7
// RUN: %{test}
// REDEFINE: %{block} = 32
// RUN: %{test}
// REDEFINE: %{block} = 40
// RUN: %{test}
// REDEFINE: %{block} = 64
// RUN: %{test}
// votes: 0: i32[1] = [0]
pyk.func @votes(%wrong: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = pyk.thread_id x : i32
  %n = pyk.block_dim x : i32
  %end = arith.addi %n, %one : i32
  scf.for %k = %zero to %end step %one : i32 {
    %less = arith.cmpi ult, %t, %k : i32
    %count = pyk.barrier vote count %less -> i32
    %all = pyk.barrier vote all %less -> i32
    %any = pyk.barrier vote any %less -> i32
    %are_all = arith.cmpi eq, %k, %n : i32
    %is_any = arith.cmpi ne, %k, %zero : i32
    %all_expected = arith.extui %are_all : i1 to i32
    %any_expected = arith.extui %is_any : i1 to i32
    %0 = arith.xori %count, %k : i32
    %1 = arith.xori %all, %all_expected : i32
    %2 = arith.xori %any, %any_expected : i32
    %3 = arith.ori %0, %1 : i32
    %4 = arith.ori %3, %2 : i32
    %5 = pyk.atomic or %4, %wrong[%c0] : !i32s
  }
  pyk.return
}

// One thread after the other leaves, the last one first: nobody waits for those that have
// left, and they do not vote, neither for nor against.
// Such a kernel does not run as vectors.
// DEFINE: %{alone} = %{run} --cpu=reference | %{check} && %{run} --cpu=simd | %{check}
// REDEFINE: %{kernel} = leaving
// REDEFINE: %{args} = --arg=i32[1]=zeros --print=0
// REDEFINE: %{block} = 1
// RUN: %{alone}
// REDEFINE: %{block} = 7
// RUN: %{alone}
// REDEFINE: %{block} = 32
// RUN: %{alone}
// REDEFINE: %{block} = 40
// RUN: %{alone}
// REDEFINE: %{block} = 64
// RUN: %{alone}
// leaving: 0: i32[1] = [0]
pyk.func @leaving(%wrong: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %t = pyk.thread_id x : i32
  %n = pyk.block_dim x : i32
  pyk.for %k = %zero to %n step %one : i32 {
    %left = arith.subi %n, %k : i32
    %is_gone = arith.cmpi uge, %t, %left : i32
    pyk.if %is_gone {
      pyk.return
    }
    %count = pyk.barrier vote count %true -> i32
    %all = pyk.barrier vote all %true -> i32
    %0 = arith.xori %count, %left : i32
    %1 = arith.xori %all, %one : i32
    %2 = arith.ori %0, %1 : i32
    %3 = pyk.atomic or %2, %wrong[%c0] : !i32s
    pyk.continue
  }
  pyk.return
}

// Behind a barrier of the grid, what threads of all blocks wrote is there, as often as it
// comes: every thread doubles the sum of one number of each block.
// REDEFINE: %{kernel} = grid
// REDEFINE: %{args} = --arg=i32[128]=zeros --arg=i32[1]=zeros --print=1
// REDEFINE: %{block} = 1
// RUN: %{test}
// REDEFINE: %{block} = 7
// RUN: %{test}
// REDEFINE: %{block} = 32
// RUN: %{test}
// REDEFINE: %{block} = 40
// RUN: %{test}
// REDEFINE: %{block} = 64
// RUN: %{test}
// grid: 1: i32[1] = [0]
pyk.func @grid(%a: !i32s, %wrong: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %i = pyk.grid x : i64
  %n = pyk.grid_size x : i64
  %w = pyk.block_dim x : i32
  %width = arith.extui %w : i32 to i64
  %far = arith.addi %i, %width : i64
  %j = arith.remui %far, %n : i64
  pyk.grid_group
  pyk.store %one, %a[%i] : !i32s
  pyk.grid_barrier
  %sum = scf.for %k = %zero to %five step %one iter_args(%s = %zero) -> (i32) : i32 {
    %x = pyk.load %a[%i] : !i32s
    %y = pyk.load %a[%j] : !i32s
    %both = arith.addi %x, %y : i32
    pyk.grid_barrier
    pyk.store %both, %a[%i] : !i32s
    pyk.grid_barrier
    scf.yield %both : i32
  }
  // 2 ** 5.
  %expected = arith.shli %one, %five : i32
  %rest = arith.xori %sum, %expected : i32
  %0 = pyk.atomic or %rest, %wrong[%c0] : !i32s
  pyk.return
}

// Clocks do not run backwards, in either unit, over a wait.
// REDEFINE: %{kernel} = clocks
// REDEFINE: %{args} = --arg=i32[1]=zeros --print=0
// REDEFINE: %{block} = 1
// RUN: %{alone}
// REDEFINE: %{block} = 40
// RUN: %{alone}
// clocks: 0: i32[1] = [0]
pyk.func @clocks(%wrong: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %ns = arith.constant 1000 : i32
  %c1 = pyk.clock cycles : i64
  %n1 = pyk.clock nanoseconds : i64
  pyk.spin_hint
  pyk.spin_hint for %ns
  %c2 = pyk.clock cycles : i64
  %n2 = pyk.clock nanoseconds : i64
  %cycles = arith.cmpi slt, %c2, %c1 : i64
  %time = arith.cmpi slt, %n2, %n1 : i64
  %any = arith.ori %cycles, %time : i1
  %bit = arith.extui %any : i1 to i32
  %0 = pyk.atomic or %bit, %wrong[%c0] : !i32s
  pyk.return
}
