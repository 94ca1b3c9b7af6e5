// Kernels that kernels launch. Those on one stream of a block keep their order; each begins
// when the one before has ended, with all that this has launched.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && %{run} --cpu=simd | %{check}

// RUN: pyk-run %s --emit=ptx --chip=sm_90 -o %t.ptx
// RUN: %if ptxas %{ ptxas --compile-only --gpu-name sm_90 %t.ptx --output-file %t.o %}

!i32s = !pyk.array<?xi32, c>

// Three extents of grids and blocks, small integers and bytes of dynamic shared memory:
// each thread of the child adds them up at its place.
pyk.func @child(%a: !i32s, %small: i8, %x: f64)
    attributes {kernel, pyk.child} {
  %c0 = arith.constant 0 : i64
  %bx = pyk.block_id x : i32
  %by = pyk.block_id y : i32
  %bz = pyk.block_id z : i32
  %tx = pyk.thread_id x : i32
  %gx = pyk.grid_dim x : i32
  %gy = pyk.grid_dim y : i32
  %nx = pyk.block_dim x : i32
  %0 = arith.muli %bz, %gy : i32
  %1 = arith.addi %0, %by : i32
  %2 = arith.muli %1, %gx : i32
  %3 = arith.addi %2, %bx : i32
  %4 = arith.muli %3, %nx : i32
  %5 = arith.addi %4, %tx : i32
  %i = arith.extui %5 : i32 to i64
  %scratch = pyk.dynamic_shared : !pyk.array<?xi32, c, shared>
  %n = pyk.dim %scratch, 0 : !pyk.array<?xi32, c, shared> -> i32
  %s = arith.extsi %small : i8 to i32
  %w = arith.fptosi %x : f64 to i32
  %sum = arith.addi %s, %w : i32
  %more = arith.addi %sum, %n : i32
  %last = arith.addi %more, %5 : i32
  pyk.store %last, %a[%i] : !i32s
  pyk.return
}

// REDEFINE: %{kernel} = parent
// REDEFINE: %{args} = --block=1 --arg=i32[12]=zeros --arg=i8:-5 --arg=f64:1000 --print=0
// RUN: %{test}
// parent: 0: i32[12] = [998, 999, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009]
pyk.func @parent(%a: !i32s, %small: i8, %x: f64) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %bytes = arith.constant 12 : i64
  pyk.launch @child grid(%one, %two, %three) block(%two, %one, %one) stream %c0
    shared %bytes (%a, %small, %x) : !i32s, i8, f64
  pyk.return
}

// One more digit for every element.
pyk.func @digit(%a: !i32s, %d: i32) attributes {kernel, pyk.child} {
  %ten = arith.constant 10 : i32
  %i = pyk.grid x : i64
  %old = pyk.load %a[%i] : !i32s
  %0 = arith.muli %old, %ten : i32
  %new = arith.addi %0, %d : i32
  pyk.store %new, %a[%i] : !i32s
  pyk.return
}

// What it launches itself comes before what its block launches next.
pyk.func @twice(%a: !i32s, %d: i32) attributes {kernel, pyk.child} {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %next = arith.constant 1 : i32
  %e = arith.addi %d, %next : i32
  pyk.launch @digit grid(%one, %one, %one) block(%four, %one, %one) stream %c0
    shared %c0 (%a, %d) : !i32s, i32
  pyk.launch @digit grid(%four, %one, %one) block(%one, %one, %one) stream %c0
    shared %c0 (%a, %e) : !i32s, i32
  pyk.return
}

// The child finds what its parent wrote before, and streams keep their order; what stands
// on another stream changes other elements.
// REDEFINE: %{kernel} = row
// REDEFINE: %{args} = --block=1 --arg=i32[4]=zeros --arg=i32[4]=iota --print=0 --print=1
// RUN: %{test}
// row: 0: i32[4] = [71234, 1234, 1234, 1234]
// row-NEXT: 1: i32[4] = [89, 189, 289, 389]
pyk.func @row(%a: !i32s, %b: !i32s) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %d1 = arith.constant 1 : i32
  %d3 = arith.constant 3 : i32
  %d7 = arith.constant 7 : i32
  %d8 = arith.constant 8 : i32
  %d9 = arith.constant 9 : i32
  %d4 = arith.constant 4 : i32
  pyk.store %d7, %a[%c0] : !i32s
  %s = pyk.stream : i64
  pyk.launch @twice grid(%one, %one, %one) block(%one, %one, %one) stream %c0
    shared %c0 (%a, %d1) : !i32s, i32
  pyk.launch @digit grid(%one, %one, %one) block(%four, %one, %one) stream %s
    shared %c0 (%b, %d8) : !i32s, i32
  pyk.launch @digit grid(%one, %one, %one) block(%four, %one, %one) stream %c0
    shared %c0 (%a, %d3) : !i32s, i32
  pyk.launch @digit grid(%one, %one, %one) block(%four, %one, %one) stream %s
    shared %c0 (%b, %d9) : !i32s, i32
  pyk.launch @digit grid(%one, %one, %one) block(%four, %one, %one) stream %c0
    shared %c0 (%a, %d4) : !i32s, i32
  pyk.return
}

// Streams are none of 0, and no two are one: they stand for numbers that are not told.
// REDEFINE: %{kernel} = streams
// REDEFINE: %{args} = --block=1 --arg=bool[2]=zeros --print=0
// RUN: %{test}
// streams: 0: bool[2] = [True, True]
pyk.func @streams(%a: !pyk.array<?xi1, c>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = pyk.stream : i64
  %t = pyk.stream : i64
  %is_new = arith.cmpi ne, %s, %c0 : i64
  %differs = arith.cmpi ne, %s, %t : i64
  pyk.store %is_new, %a[%c0] : !pyk.array<?xi1, c>
  pyk.store %differs, %a[%c1] : !pyk.array<?xi1, c>
  pyk.return
}

// Every thread of a block of 40 launches a child of its own.
// REDEFINE: %{kernel} = each
// REDEFINE: %{args} = --block=40 --arg=i32[40]=iota --print=0
// RUN: %{test}
// each: 0: i32[40] = [5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105, 115, 125, 135, 145, 155, 165, 175, 185, 195, 205, 215, 225, 235, 245, 255, 265, 275, 285, 295, 305, 315, 325, 335, 345, 355, 365, 375, 385, 395]
pyk.func @each(%a: !i32s) attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i32
  %i = pyk.grid x : i64
  %part = pyk.view %a[%i : %one] : !i32s to !i32s
  pyk.launch @digit grid(%one, %one, %one) block(%one, %one, %one) stream %c0
    shared %c0 (%part, %five) : !i32s, i32
  pyk.return
}
