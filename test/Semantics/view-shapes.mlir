// Other shapes of an array of 3 x 4 numbers, 0 to 11: what they hold is what NumPy's hold,
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

// Rows and columns change places.
// REDEFINE: %{kernel} = transposed
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// transposed: 1: i32[12] = [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]
// transposed-NEXT: 2: i64[4] = [4, 3, 4, 16]
pyk.func @transposed(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %i = pyk.grid x : i64
  %v = pyk.transpose %a[1, 0] : !a to !pyk.array<4x?xi32, f>
  %w = pyk.cast %v : !pyk.array<4x?xi32, f> to !any2
  %x = pyk.call @copy(%w, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !pyk.array<4x?xi32, f>
  %n = pyk.dim %v, 1 : !pyk.array<4x?xi32, f>
  %s = pyk.stride %v, 0 : !pyk.array<4x?xi32, f>
  %t = pyk.stride %v, 1 : !pyk.array<4x?xi32, f>
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}

// The same of a view that is strided backwards.
// REDEFINE: %{kernel} = transposed_view
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// transposed_view: 1: i32[12] = [11, 3, 10, 2, 9, 1, -1, -1, -1, -1, -1, -1]
// transposed_view-NEXT: 2: i64[4] = [3, 2, -4, -32]
pyk.func @transposed_view(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %m2 = arith.constant -2 : i64
  %m1 = arith.constant -1 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %i = pyk.grid x : i64
  %u = pyk.view %a[%c2 : %c2 : %m2, %c3 : %c3 : %m1] : !a to !any2
  %v = pyk.transpose %u[1, 0] : !any2 to !any2
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

// Other extents, the same order.
// REDEFINE: %{kernel} = reshaped
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// reshaped: 1: i32[12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
// reshaped-NEXT: 2: i64[4] = [6, 2, 8, 4]
pyk.func @reshaped(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c6 = arith.constant 6 : i64
  %i = pyk.grid x : i64
  %v = pyk.reshape %a to (%c6) : !a to !pyk.array<?x2xi32, c>
  %w = pyk.cast %v : !pyk.array<?x2xi32, c> to !any2
  %x = pyk.call @copy(%w, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !pyk.array<?x2xi32, c>
  %n = pyk.dim %v, 1 : !pyk.array<?x2xi32, c>
  %s = pyk.stride %v, 0 : !pyk.array<?x2xi32, c>
  %t = pyk.stride %v, 1 : !pyk.array<?x2xi32, c>
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}

// The same of the last two rows.
// REDEFINE: %{kernel} = reshaped_view
// REDEFINE: %{args} = --arg=i32[3x4]=iota --arg=i32[12]=zeros --arg=i64[4]=zeros --print=1 \
// REDEFINE:   --print=2
// RUN: %{test}
// reshaped_view: 1: i32[12] = [4, 5, 6, 7, 8, 9, 10, 11, -1, -1, -1, -1]
// reshaped_view-NEXT: 2: i64[4] = [2, 4, 16, 4]
pyk.func @reshaped_view(%a: !a, %out: !i32s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %i = pyk.grid x : i64
  %u = pyk.view %a[%c1 : %c2, *] : !a to !a
  %v = pyk.reshape %u to (%c2, %c4) : !a to !pyk.array<?x?xi32, c>
  %w = pyk.cast %v : !pyk.array<?x?xi32, c> to !any2
  %x = pyk.call @copy(%w, %i) : (!any2, i64) -> i32
  pyk.store %x, %out[%i] : !i32s
  %m = pyk.dim %v, 0 : !pyk.array<?x?xi32, c>
  %n = pyk.dim %v, 1 : !pyk.array<?x?xi32, c>
  %s = pyk.stride %v, 0 : !pyk.array<?x?xi32, c>
  %t = pyk.stride %v, 1 : !pyk.array<?x?xi32, c>
  pyk.store %m, %form[%c0] : !i64s
  pyk.store %n, %form[%c1] : !i64s
  pyk.store %s, %form[%c2] : !i64s
  pyk.store %t, %form[%c3] : !i64s
  pyk.return
}
