// Bounds of slices as Python has them, elements at offsets, and bytes as other elements.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=20 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i8s = !pyk.array<?xi8, c>
!i16s = !pyk.array<?xi16, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// lower:upper:step, with the largest numbers that there are. The first element is printed where
// there is one, else -1: where a slice takes nothing nobody says what it is.
// REDEFINE: %{kernel} = slices
// REDEFINE: %{args} = "--arg=i64[20]=10,10,10,10,10,10,10,0,0,10,10,10,10,10,5,5,5,1,10,10" \
// REDEFINE:   "--arg=i64[20]=2,-3,-20,20,5,9,20,0,-1,2,3,0,-1,0,-9223372036854775808,9223372036854775807,9223372036854775807,0,7,8" \
// REDEFINE:   "--arg=i64[20]=5,20,-1,5,2,0,-20,5,5,9223372036854775807,3,10,-11,10,9223372036854775807,-9223372036854775808,-9223372036854775808,1,-1,0" \
// REDEFINE:   "--arg=i64[20]=1,1,2,1,-1,-2,-3,1,-1,9223372036854775807,1,0,-1,3,1,-1,-9223372036854775808,1,-9223372036854775808,-3" \
// REDEFINE:   --arg=i64[20]=zeros --arg=i64[20]=zeros --print=4 --print=5
// RUN: %{test}
// slices: 4: i64[20] = [2, 7, 0, -1, 5, 9, 9, -1, -1, 2, -1, -1, 9, 0, 0, 4, 4, 0, -1, 8]
// slices-NEXT: 5: i64[20] = [3, 3, 5, 0, 3, 5, 4, 0, 0, 1, 0, 0, 10, 4, 5, 5, 1, 1, 0, 3]
pyk.func @slices(%n: !i64s, %l: !i64s, %h: !i64s, %s: !i64s, %first: !i64s,
    %count: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ni = pyk.load %n[%i] : !i64s
  %li = pyk.load %l[%i] : !i64s
  %hi = pyk.load %h[%i] : !i64s
  %si = pyk.load %s[%i] : !i64s
  %f, %c = pyk.slice_bounds %ni from %li to %hi by %si
  %zero = arith.constant 0 : i64
  %none = arith.constant -1 : i64
  %any = arith.cmpi sgt, %c, %zero : i64
  %shown = arith.select %any, %f, %none : i64
  pyk.store %shown, %first[%i] : !i64s
  pyk.store %c, %count[%i] : !i64s
  pyk.return
}

// What is left out is everything in the direction of the step: [:], [::s], [l:] and [:h:s].
// REDEFINE: %{kernel} = open
// REDEFINE: %{args} = "--arg=i64[20]=10,10,10,10,10,10,10,0,0,10,10,10,10,10,5,5,5,1,10,10" \
// REDEFINE:   "--arg=i64[20]=2,-3,-20,20,5,9,20,0,-1,2,3,0,-1,0,-9223372036854775808,9223372036854775807,9223372036854775807,0,7,8" \
// REDEFINE:   "--arg=i64[20]=5,20,-1,5,2,0,-20,5,5,9223372036854775807,3,10,-11,10,9223372036854775807,-9223372036854775808,-9223372036854775808,1,-1,0" \
// REDEFINE:   "--arg=i64[20]=1,1,2,1,-1,-2,-3,1,-1,9223372036854775807,1,0,-1,3,1,-1,-9223372036854775808,1,-9223372036854775808,-3" \
// REDEFINE:   --arg=i64[20]=zeros --arg=i64[20]=zeros --arg=i64[20]=zeros \
// REDEFINE:   --arg=i64[20]=zeros --arg=i64[20]=zeros --arg=i64[20]=zeros \
// REDEFINE:   --arg=i64[20]=zeros --arg=i64[20]=zeros --print=4 --print=5 --print=6 \
// REDEFINE:   --print=7 --print=8 --print=9 --print=10 --print=11
// RUN: %{test}
// open: 4: i64[20] = [0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// open-NEXT: 5: i64[20] = [10, 10, 10, 10, 10, 10, 10, 0, 0, 10, 10, 10, 10, 10, 5, 5, 5, 1, 10, 10]
// open-NEXT: 6: i64[20] = [0, 0, 0, 0, 9, 9, 9, -1, -1, 0, 0, -1, 9, 0, 0, 4, 4, 0, 9, 9]
// open-NEXT: 7: i64[20] = [10, 10, 5, 10, 10, 5, 4, 0, 0, 1, 10, 0, 10, 4, 5, 5, 1, 1, 1, 4]
// open-NEXT: 8: i64[20] = [2, 7, 0, -1, 5, 9, -1, -1, -1, 2, 3, 0, 9, 0, 0, -1, -1, 0, 7, 8]
// open-NEXT: 9: i64[20] = [8, 3, 10, 0, 5, 1, 0, 0, 0, 8, 7, 10, 1, 10, 5, 0, 0, 1, 3, 2]
// open-NEXT: 10: i64[20] = [0, 0, 0, 0, 9, 9, 9, -1, -1, 0, 0, -1, 9, 0, 0, 4, 4, 0, -1, 9]
// open-NEXT: 11: i64[20] = [5, 10, 5, 5, 7, 5, 4, 0, 0, 1, 3, 0, 10, 4, 5, 5, 1, 1, 0, 3]
pyk.func @open(%n: !i64s, %l: !i64s, %h: !i64s, %s: !i64s, %first0: !i64s,
    %count0: !i64s, %first1: !i64s, %count1: !i64s, %first2: !i64s,
    %count2: !i64s, %first3: !i64s, %count3: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ni = pyk.load %n[%i] : !i64s
  %li = pyk.load %l[%i] : !i64s
  %hi = pyk.load %h[%i] : !i64s
  %si = pyk.load %s[%i] : !i64s
  %zero = arith.constant 0 : i64
  %none = arith.constant -1 : i64
  %f0, %c0 = pyk.slice_bounds %ni
  %any0 = arith.cmpi sgt, %c0, %zero : i64
  %s0 = arith.select %any0, %f0, %none : i64
  %f1, %c1 = pyk.slice_bounds %ni by %si
  %any1 = arith.cmpi sgt, %c1, %zero : i64
  %s1 = arith.select %any1, %f1, %none : i64
  %f2, %c2 = pyk.slice_bounds %ni from %li
  %any2 = arith.cmpi sgt, %c2, %zero : i64
  %s2 = arith.select %any2, %f2, %none : i64
  %f3, %c3 = pyk.slice_bounds %ni to %hi by %si
  %any3 = arith.cmpi sgt, %c3, %zero : i64
  %s3 = arith.select %any3, %f3, %none : i64
  pyk.store %s0, %first0[%i] : !i64s
  pyk.store %c0, %count0[%i] : !i64s
  pyk.store %s1, %first1[%i] : !i64s
  pyk.store %c1, %count1[%i] : !i64s
  pyk.store %s2, %first2[%i] : !i64s
  pyk.store %c2, %count2[%i] : !i64s
  pyk.store %s3, %first3[%i] : !i64s
  pyk.store %c3, %count3[%i] : !i64s
  pyk.return
}

// Offsets count elements in layout c, bytes in layout any, from where indices are 0 in a view.
// REDEFINE: %{kernel} = elements
// REDEFINE: %{args} = "--arg=i32[20]=0,3,6,9,12,15,18,21,24,27,30,33,36,39,42,45,48,51,54,57" \
// REDEFINE:   --arg=i32[20]=zeros --arg=i32[20]=zeros --print=1 --print=2
// RUN: %{test}
// elements: 1: i32[20] = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 57]
// elements-NEXT: 2: i32[20] = [57, 54, 51, 48, 45, 42, 39, 36, 33, 30, 27, 24, 21, 18, 15, 12, 9, 6, 3, 0]
pyk.func @elements(%a: !i32s, %forward: !i32s, %backward: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c4 = arith.constant -4 : i64
  %c1 = arith.constant -1 : i64
  %last = arith.constant 19 : i64
  %n = arith.constant 20 : i64
  %e = pyk.element %a + %i : !i32s
  %y = pyk.load %e[] : !pyk.array<i32, c>
  %b = pyk.view %a[%last : %n : %c1] : !i32s to !pyk.array<?xi32, any>
  %bytes = arith.muli %i, %c4 : i64
  %g = pyk.element %b + %bytes : !pyk.array<?xi32, any>
  %z = pyk.load %g[] : !pyk.array<i32, c>
  pyk.store %y, %forward[%i] : !i32s
  pyk.store %z, %backward[%i] : !i32s
  pyk.return
}

// The same bytes as floats, as halves of numbers, and as larger numbers of which as many as fit.
// REDEFINE: %{kernel} = bits
// REDEFINE: %{args} = "--arg=i32[20]=1065353216,-1082130432,0,-2147483648,2139095040,1065353216,-1082130432,0,-2147483648,2139095040,1065353216,-1082130432,0,-2147483648,2139095040,1065353216,-1082130432,0,-2147483648,2139095040" \
// REDEFINE:   --arg=f32[20]=zeros --arg=i16[20]=zeros --arg=i64[20]=zeros \
// REDEFINE:   --arg=i64[20]=zeros --arg=i64[20]=zeros --arg=i64[20]=zeros --print=1 \
// REDEFINE:   --print=2 --print=3 --print=4 --print=5 --print=6
// RUN: %{test}
// bits: 1: f32[20] = [1.0, -1.0, 0.0, -0.0, inf, 1.0, -1.0, 0.0, -0.0, inf, 1.0, -1.0, 0.0, -0.0, inf, 1.0, -1.0, 0.0, -0.0, inf]
// bits-NEXT: 2: i16[20] = [-16512, 0, 0, 0, -32768, 0, 32640, 0, 16256, 0, -16512, 0, 0, 0, -32768, 0, 32640, 0, 16256, 0]
// bits-NEXT: 3: i64[20] = [-4647714814380998656, -4647714814380998656, -9223372036854775808, -9223372036854775808, 4575657223547518976, 4575657223547518976, 3212836864, 3212836864, 9187343241983295488, 9187343241983295488, -4647714814380998656, -4647714814380998656, -9223372036854775808, -9223372036854775808, 4575657223547518976, 4575657223547518976, 3212836864, 3212836864, 9187343241983295488, 9187343241983295488]
// bits-NEXT: 4: i64[20] = [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10]
// bits-NEXT: 5: i64[20] = [40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40]
// bits-NEXT: 6: i64[20] = [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]
pyk.func @bits(%a: !i32s, %floats: !f32s, %halves: !i16s, %wide: !i64s,
    %many: !i64s, %few: !i64s, %odd: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c19 = arith.constant 19 : i64
  %f = pyk.reinterpret %a : !i32s to !f32s
  %x = pyk.load %f[%i] : !f32s
  %s = pyk.reinterpret %a : !i32s to !i16s
  %j = arith.addi %i, %c3 : i64
  %h = pyk.load %s[%j] : !i16s
  %l = pyk.reinterpret %a : !i32s to !pyk.array<?xi64, c, align 4>
  %half = arith.shrui %i, %c1 : i64
  %w = pyk.load %l[%half] : !pyk.array<?xi64, c, align 4>
  %n_many = pyk.dim %l, 0 : !pyk.array<?xi64, c, align 4>
  %n_few = pyk.dim %s, 0 : !i16s
  %part = pyk.view %a[%c0 : %c19] : !i32s to !i32s
  %fits = pyk.reinterpret %part : !i32s to !pyk.array<?xi64, c, align 4>
  %n_odd = pyk.dim %fits, 0 : !pyk.array<?xi64, c, align 4>
  pyk.store %x, %floats[%i] : !f32s
  pyk.store %h, %halves[%i] : !i16s
  pyk.store %w, %wide[%i] : !i64s
  pyk.store %n_many, %many[%i] : !i64s
  pyk.store %n_few, %few[%i] : !i64s
  pyk.store %n_odd, %odd[%i] : !i64s
  pyk.return
}

// One of two arrays in different memory, under a type that says less.
// Which array a thread takes is no question for vectors.
// DEFINE: %{serial} = %{run} --cpu=reference | %{check} && %{run} --cpu=simd | %{check}
// REDEFINE: %{kernel} = one_of_two
// REDEFINE: %{args} = "--arg=i32[20]=0,3,6,9,12,15,18,21,24,27,30,33,36,39,42,45,48,51,54,57" \
// REDEFINE:   --arg=i32[20]=zeros --print=1
// RUN: %{serial}
// one_of_two: 1: i32[20] = [1000, 3, 6, 1009, 12, 15, 1018, 21, 24, 1027, 30, 33, 1036, 39, 42, 1045, 48, 51, 1054, 57]
pyk.func @one_of_two(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 20, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c1000 = arith.constant 1000 : i32
  %c0 = arith.constant 0 : i64
  %c3 = arith.constant 3 : i64
  %own = pyk.alloc : !pyk.array<20xi32, c, shared>
  %more = arith.addi %ai, %c1000 : i32
  pyk.store %more, %own[%i] : !pyk.array<20xi32, c, shared>
  pyk.barrier
  %g = pyk.cast %a : !i32s to !pyk.array<?xi32, any, generic>
  %s = pyk.cast %own : !pyk.array<20xi32, c, shared> to !pyk.array<?xi32, any, generic>
  %rest = arith.remui %i, %c3 : i64
  %other = arith.cmpi ne, %rest, %c0 : i64
  %either = pyk.if %other -> (!pyk.array<?xi32, any, generic>) {
    pyk.yield %g : !pyk.array<?xi32, any, generic>
  } else {
    pyk.yield %s : !pyk.array<?xi32, any, generic>
  }
  %y = pyk.load %either[%i] : !pyk.array<?xi32, any, generic>
  pyk.store %y, %out[%i] : !i32s
  pyk.return
}
