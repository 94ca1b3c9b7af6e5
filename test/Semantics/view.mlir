// Views of an array of 3 x 4 numbers, 0 to 11: what a view holds is what NumPy's slices hold,
// in C order, and -1 where there is no element.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!a = !pyk.array<?x4xi32, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!any1 = !pyk.array<?xi32, any>
!any2 = !pyk.array<?x?xi32, any>

// One thread for each element of a view of two dimensions.
pyk.func @copy(%v: !any2, %i: i64) -> i32 {
  %none = arith.constant -1 : i32
  %c0 = arith.constant 0 : i64
  %m = pyk.dim %v, 0 : !any2
  %n = pyk.dim %v, 1 : !any2
  %size = arith.muli %m, %n : i64
  %inside = arith.cmpi slt, %i, %size : i64
  %x = scf.if %inside -> (i32) {
    %row = pyk.floor_div %i, %n : i64
    %column = pyk.floor_mod %i, %n : i64
    %y = pyk.load %v[%row, %column] : !any2
    scf.yield %y : i32
  } else {
    scf.yield %none : i32
  }
  pyk.return %x : i32
}

// Both dimensions from the end on; then its extents and its strides in bytes.
// REDEFINE: %{kernel} = backwards
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// backwards: 1: i32[12] = [11, 9, 7, 5, 3, 1, -1, -1, -1, -1, -1, -1]
// backwards-NEXT: 2: i64[4] = [3, 2, -16, -8]
pyk.func @backwards(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %m2 = arith.constant -2 : i64
  %m1 = arith.constant -1 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %i = pyk.grid x : i64
  %v = pyk.view %a[%c2 : %c3 : %m1, %c3 : %c2 : %m2] : !a to !any2
  %x = pyk.call @copy(%v, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !any2
  %n = pyk.dim %v, 1 : !any2
  %s = pyk.stride %v, 0 : !any2
  %t = pyk.stride %v, 1 : !any2
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}

// Rows from the second on, as they are: it stays in layout c.
// REDEFINE: %{kernel} = part
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// part: 1: i32[12] = [4, 5, 6, 7, 8, 9, 10, 11, -1, -1, -1, -1]
// part-NEXT: 2: i64[4] = [2, 4, 16, 4]
pyk.func @part(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %i = pyk.grid x : i64
  %v = pyk.view %a[%c1 : %c2, *] : !a to !a
  %w = pyk.cast %v : !a to !any2
  %x = pyk.call @copy(%w, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !a
  %n = pyk.dim %v, 1 : !a
  %s = pyk.stride %v, 0 : !a
  %t = pyk.stride %v, 1 : !a
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}

// One row, and a new dimension in front or behind. The stride of that is never used.
// REDEFINE: %{kernel} = row
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// row: 1: i32[12] = [8, 9, 10, 11, -1, -1, -1, -1, -1, -1, -1, -1]
// row-NEXT: 2: i64[4] = [1, 4, {{-?[0-9]+}}, 4]
pyk.func @row(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %i = pyk.grid x : i64
  %r = pyk.view %a[%c2, *] : !a to !pyk.array<4xi32, c>
  %v = pyk.view %r[new, *] : !pyk.array<4xi32, c> to !pyk.array<1x4xi32, any>
  %w = pyk.cast %v : !pyk.array<1x4xi32, any> to !any2
  %x = pyk.call @copy(%w, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !pyk.array<1x4xi32, any>
  %n = pyk.dim %v, 1 : !pyk.array<1x4xi32, any>
  %s = pyk.stride %v, 0 : !pyk.array<1x4xi32, any>
  %t = pyk.stride %v, 1 : !pyk.array<1x4xi32, any>
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}

// A column, backwards, and a new dimension behind.
// REDEFINE: %{kernel} = column
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// column: 1: i32[12] = [9, 5, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
// column-NEXT: 2: i64[4] = [3, 1, -16, {{-?[0-9]+}}]
pyk.func @column(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %m1 = arith.constant -1 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %i = pyk.grid x : i64
  %r = pyk.view %a[%c2 : %c3 : %m1, %c1] : !a to !any1
  %v = pyk.view %r[*, new] : !any1 to !pyk.array<?x1xi32, any>
  %w = pyk.cast %v : !pyk.array<?x1xi32, any> to !any2
  %x = pyk.call @copy(%w, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !pyk.array<?x1xi32, any>
  %n = pyk.dim %v, 1 : !pyk.array<?x1xi32, any>
  %s = pyk.stride %v, 0 : !pyk.array<?x1xi32, any>
  %t = pyk.stride %v, 1 : !pyk.array<?x1xi32, any>
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}

// A view of no elements has extents of 0.
// REDEFINE: %{kernel} = nothing
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// nothing: 1: i32[12] = [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
// nothing-NEXT: 2: i64[4] = [0, 2, 16, 4]
pyk.func @nothing(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %i = pyk.grid x : i64
  %v = pyk.view %a[%c3 : %c0, %c1 : %c2] : !a to !any2
  %x = pyk.call @copy(%v, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !any2
  %n = pyk.dim %v, 1 : !any2
  %s = pyk.stride %v, 0 : !any2
  %t = pyk.stride %v, 1 : !any2
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}

// A view of a view: every second of every second, from the end.
// REDEFINE: %{kernel} = twice
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// twice: 1: i32[12] = [9, 11, 1, 3, -1, -1, -1, -1, -1, -1, -1, -1]
// twice-NEXT: 2: i64[4] = [2, 2, -32, 8]
pyk.func @twice(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %m1 = arith.constant -1 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %i = pyk.grid x : i64
  %u = pyk.view %a[%c0 : %c2 : %c2, *] : !a to !pyk.array<?x4xi32, any>
  %v = pyk.view %u[%c1 : %c2 : %m1, %c1 : %c2 : %c2] : !pyk.array<?x4xi32, any> to !any2
  %x = pyk.call @copy(%v, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !any2
  %n = pyk.dim %v, 1 : !any2
  %s = pyk.stride %v, 0 : !any2
  %t = pyk.stride %v, 1 : !any2
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}
