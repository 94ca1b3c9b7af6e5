// Elements that all threads of a grid or a block access at a time, blocks of 1, 7, 32, 40
// and 64 threads, two of them. What is printed is the same for all sizes.

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
!f64s = !pyk.array<?xf64, c>
!bools = !pyk.array<?xi1, c>

// The old values of a counter are the numbers below that of the threads, each once.
// REDEFINE: %{kernel} = counter
// REDEFINE: %{args} = --arg=i32[1]=zeros --arg=i32[128]=zeros --arg=i32[2]=zeros --print=2
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
// counter: 2: i32[2] = [0, 0]
pyk.func @counter(%n: !i32s, %seen: !i32s, %wrong: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  %old = pyk.atomic add %one, %n[%c0] : !i32s
  %index = arith.extsi %old : i32 to i64
  %before = pyk.atomic add %one, %seen[%index] : !i32s
  // A number that has been there before.
  %last = pyk.atomic add %before, %wrong[%c0] : !i32s
  // A number that cannot be.
  %threads = pyk.grid_size x : i32
  %large = arith.cmpi uge, %old, %threads : i32
  %more = arith.extui %large : i1 to i32
  %end = pyk.atomic add %more, %wrong[%c1] : !i32s
  pyk.return
}

// Of a chain of exchanges each value is found once by another thread, but for the last:
// what was found and what is left have the sum of the numbers that the threads gave.
// REDEFINE: %{kernel} = chain
// REDEFINE: %{args} = --arg=i32[1]=zeros --arg=i32[1]=zeros --arg=i32[1]=zeros --print=2
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
// chain: 2: i32[1] = [0]
pyk.func @chain(%cell: !i32s, %blocks: !i32s, %difference: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %i = pyk.grid x : i32
  %mine = arith.addi %i, %one : i32
  %found = pyk.atomic exch %mine, %cell[%c0] : !i32s
  %rest = arith.subi %found, %mine : i32
  %0 = pyk.atomic add %rest, %difference[%c0] : !i32s
  // The last thread of all adds what is left.
  %done = pyk.atomic add order acq_rel %one, %blocks[%c0] : !i32s
  %threads = pyk.grid_size x : i32
  %before = arith.subi %threads, %one : i32
  %is_last = arith.cmpi eq, %done, %before : i32
  scf.if %is_last {
    %left = pyk.atomic exch %zero, %cell[%c0] : !i32s
    %1 = pyk.atomic add %left, %difference[%c0] : !i32s
  }
  pyk.return
}

// inc counts 0, 1, 2, 0 and so on: each is found as often as among the numbers modulo 3.
// REDEFINE: %{kernel} = ring
// REDEFINE: %{args} = --arg=i32[1]=zeros --arg=i32[3]=zeros --arg=i32[1]=zeros --print=2
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
// ring: 2: i32[1] = [0]
pyk.func @ring(%n: !i32s, %found: !i32s, %wrong: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %old = pyk.atomic inc unsigned %two, %n[%c0] : !i32s
  %index = arith.extui %old : i32 to i64
  %0 = pyk.atomic add %one, %found[%index] : !i32s
  // The same numbers by division are taken away again.
  %i = pyk.grid x : i32
  %residue = arith.remui %i, %three : i32
  %place = arith.extui %residue : i32 to i64
  %1 = pyk.atomic add %minus, %found[%place] : !i32s
  pyk.grid_barrier
  %a = pyk.load %found[%place] : !i32s
  %left = pyk.load %n[%c0] : !i32s
  %threads = pyk.grid_size x : i32
  %rest = arith.remui %threads, %three : i32
  %more = arith.subi %left, %rest : i32
  %both = arith.ori %a, %more : i32
  %2 = pyk.atomic or %both, %wrong[%c0] : !i32s
  pyk.return
}

// Floats that add up exactly in any order, in memory of the block, as one number of all.
// REDEFINE: %{kernel} = sums
// REDEFINE: %{args} = --arg=f64[2]=zeros --arg=bool[1]=zeros --print=1
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
// sums: 1: bool[1] = [True]
pyk.func @sums(%total: !f64s, %is_right: !bools)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %half = arith.constant 5.0e-01 : f64
  %zero = arith.constant 0.0 : f64
  %own = pyk.alloc : !pyk.array<1xf64, c, shared>
  %t = pyk.thread_id x : i32
  %zero_i = arith.constant 0 : i32
  %is_first = arith.cmpi eq, %t, %zero_i : i32
  scf.if %is_first {
    pyk.store %zero, %own[%c0] : !pyk.array<1xf64, c, shared>
  }
  pyk.barrier
  %tf = arith.uitofp %t : i32 to f64
  %x = arith.mulf %tf, %half : f64
  %0 = pyk.atomic add scope block %x, %own[%c0] : !pyk.array<1xf64, c, shared>
  %1 = pyk.atomic add %x, %total[%c0] : !f64s
  pyk.grid_barrier
  // n * (n - 1) / 4 for the block, twice that for both.
  %n = pyk.block_dim x : i32
  %nf = arith.uitofp %n : i32 to f64
  %n1 = arith.subf %nf, %half : f64
  %n2 = arith.subf %n1, %half : f64
  %square = arith.mulf %nf, %n2 : f64
  %twice = arith.mulf %square, %half : f64
  %once = arith.mulf %twice, %half : f64
  %block_sum = pyk.load %own[%c0] : !pyk.array<1xf64, c, shared>
  %grid_sum = pyk.load %total[%c0] : !f64s
  %right_block = arith.cmpf oeq, %block_sum, %once : f64
  %right_grid = arith.cmpf oeq, %grid_sum, %twice : f64
  %right = arith.andi %right_block, %right_grid : i1
  scf.if %is_first {
    pyk.store %right, %is_right[%c0] : !bools
  }
  pyk.return
}

// What a thread of any block wrote before a release is found behind an acquire: the last
// thread of all adds everything up. Here once by order, once by fences.
// REDEFINE: %{kernel} = message
// REDEFINE: %{args} = --arg=i32[128]=zeros --arg=i32[2]=zeros --arg=bool[2]=zeros --print=2
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
// message: 2: bool[2] = [True, True]
pyk.func @message(%a: !i32s, %n: !i32s, %is_right: !bools)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %i = pyk.grid x : i64
  %i32 = pyk.grid x : i32
  %threads = pyk.grid_size x : i32
  %end = arith.subi %threads, %one : i32
  %product = arith.muli %threads, %end : i32
  %expected = arith.shrui %product, %one : i32
  %size = arith.extui %threads : i32 to i64
  pyk.store %i32, %a[%i] : !i32s
  %done = pyk.atomic add order acq_rel scope device %one, %n[%c0] : !i32s
  %is_last = arith.cmpi eq, %done, %end : i32
  scf.if %is_last {
    %sum = scf.for %k = %c0 to %size step %c1 iter_args(%s = %zero) -> (i32) : i64 {
      %x = pyk.load %a[%k] : !i32s
      %next = arith.addi %s, %x : i32
      scf.yield %next : i32
    }
    %right = arith.cmpi eq, %sum, %expected : i32
    pyk.store %right, %is_right[%c0] : !bools
  }
  pyk.fence device
  %again = pyk.atomic add order relaxed scope system %one, %n[%c1] : !i32s
  pyk.fence system
  %is_last_again = arith.cmpi eq, %again, %end : i32
  scf.if %is_last_again {
    %sum = scf.for %k = %c0 to %size step %c1 iter_args(%s = %zero) -> (i32) : i64 {
      %x = pyk.load %a[%k] : !i32s
      %next = arith.addi %s, %x : i32
      scf.yield %next : i32
    }
    %right = arith.cmpi eq, %sum, %expected : i32
    pyk.store %right, %is_right[%c1] : !bools
  }
  pyk.return
}

// A lock by compare and swap: no turn of a thread is lost, though those of a warp wait for
// each other. Such a kernel does not run as vectors.
// DEFINE: %{waiting} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd | %{check}
// REDEFINE: %{kernel} = locked
// REDEFINE: %{args} = --arg=i32[1]=zeros --arg=i32[1]=zeros --print=0
// REDEFINE: %{block} = 1
// RUN: %{waiting}
// REDEFINE: %{block} = 7
// RUN: %{waiting}
// REDEFINE: %{block} = 32
// RUN: %{waiting}
// REDEFINE: %{block} = 40
// RUN: %{waiting}
// REDEFINE: %{block} = 64
// RUN: %{waiting}
// locked: 0: i32[1] = [0]
pyk.func @locked(%lock: !i32s, %n: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  pyk.loop {
    %was = pyk.atomic_cas order acquire %zero, %one, %lock[%c0] : !i32s
    %is_mine = arith.cmpi eq, %was, %zero : i32
    pyk.if %is_mine {
      %old = pyk.load volatile %n[%c0] : !i32s
      %new = arith.addi %old, %one : i32
      pyk.store %new, %n[%c0] : !i32s
      %0 = pyk.atomic exch order release %zero, %lock[%c0] : !i32s
      pyk.break
    } else {
      pyk.yield
    }
    pyk.spin_hint
    pyk.continue
  }
  pyk.grid_barrier
  %turns = pyk.load %n[%c0] : !i32s
  %threads = pyk.grid_size x : i32
  %lost = arith.subi %threads, %turns : i32
  %1 = pyk.atomic or %lost, %lock[%c0] : !i32s
  pyk.return
}
