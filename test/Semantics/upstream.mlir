// What kernels take from upstream dialects, where all operands have a result: NaN and the
// signs of zeros, rounding, and integers that wrap.

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
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f16s = !pyk.array<?xf16, c>
!bf16s = !pyk.array<?xbf16, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// NaN and -0.0 < 0.0 in maximumf and minimumf; NaN loses in maxnumf and minnumf.
// REDEFINE: %{kernel} = extremes_f64
// REDEFINE: %{args} = "--arg=f64[12]=1.0,nan,2.0,nan,-0.0,0.0,-inf,inf,3.0,-0.0,1.0,0.0" \
// REDEFINE:   "--arg=f64[12]=2.0,1.0,nan,nan,0.0,-0.0,5.0,-inf,3.0,-0.0,-1.0,0.0" \
// REDEFINE:   --arg=f64[12]=zeros --arg=f64[12]=zeros --arg=f64[12]=zeros \
// REDEFINE:   --arg=f64[12]=zeros --print=2 --print=3 --print=4 --print=5
// RUN: %{test}
// extremes_f64: 2: f64[12] = [2.0, nan, nan, nan, 0.0, 0.0, 5.0, inf, 3.0, -0.0, 1.0, 0.0]
// extremes_f64-NEXT: 3: f64[12] = [1.0, nan, nan, nan, -0.0, -0.0, -inf, -inf, 3.0, -0.0, -1.0, 0.0]
// extremes_f64-NEXT: 4: f64[12] = [2.0, 1.0, 2.0, nan, 0.0, 0.0, 5.0, inf, 3.0, 0.0, 1.0, 0.0]
// extremes_f64-NEXT: 5: f64[12] = [1.0, 1.0, 2.0, nan, 0.0, 0.0, -inf, -inf, 3.0, 0.0, -1.0, 0.0]
pyk.func @extremes_f64(%a: !f64s, %b: !f64s, %most: !f64s, %least: !f64s,
    %greater: !f64s, %less: !f64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %bi = pyk.load %b[%i] : !f64s
  %0 = arith.maximumf %ai, %bi : f64
  %1 = arith.minimumf %ai, %bi : f64
  %2 = arith.maxnumf %ai, %bi : f64
  %3 = arith.minnumf %ai, %bi : f64
  // Of zeros with both signs these two may take either: 0.0 is added to all.
  %zero = arith.constant 0.0 : f64
  %p2 = arith.addf %2, %zero : f64
  %p3 = arith.addf %3, %zero : f64
  pyk.store %0, %most[%i] : !f64s
  pyk.store %1, %least[%i] : !f64s
  pyk.store %p2, %greater[%i] : !f64s
  pyk.store %p3, %less[%i] : !f64s
  pyk.return
}

// The same in f32.
// REDEFINE: %{kernel} = extremes_f32
// REDEFINE: %{args} = "--arg=f32[12]=1.0,nan,2.0,nan,-0.0,0.0,-inf,inf,3.0,-0.0,1.0,0.0" \
// REDEFINE:   "--arg=f32[12]=2.0,1.0,nan,nan,0.0,-0.0,5.0,-inf,3.0,-0.0,-1.0,0.0" \
// REDEFINE:   --arg=f32[12]=zeros --arg=f32[12]=zeros --arg=f32[12]=zeros \
// REDEFINE:   --arg=f32[12]=zeros --print=2 --print=3 --print=4 --print=5
// RUN: %{test}
// extremes_f32: 2: f32[12] = [2.0, nan, nan, nan, 0.0, 0.0, 5.0, inf, 3.0, -0.0, 1.0, 0.0]
// extremes_f32-NEXT: 3: f32[12] = [1.0, nan, nan, nan, -0.0, -0.0, -inf, -inf, 3.0, -0.0, -1.0, 0.0]
// extremes_f32-NEXT: 4: f32[12] = [2.0, 1.0, 2.0, nan, 0.0, 0.0, 5.0, inf, 3.0, 0.0, 1.0, 0.0]
// extremes_f32-NEXT: 5: f32[12] = [1.0, 1.0, 2.0, nan, 0.0, 0.0, -inf, -inf, 3.0, 0.0, -1.0, 0.0]
pyk.func @extremes_f32(%a: !f32s, %b: !f32s, %most: !f32s, %least: !f32s,
    %greater: !f32s, %less: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %bi = pyk.load %b[%i] : !f32s
  %0 = arith.maximumf %ai, %bi : f32
  %1 = arith.minimumf %ai, %bi : f32
  %2 = arith.maxnumf %ai, %bi : f32
  %3 = arith.minnumf %ai, %bi : f32
  // Of zeros with both signs these two may take either: 0.0 is added to all.
  %zero = arith.constant 0.0 : f32
  %p2 = arith.addf %2, %zero : f32
  %p3 = arith.addf %3, %zero : f32
  pyk.store %0, %most[%i] : !f32s
  pyk.store %1, %least[%i] : !f32s
  pyk.store %p2, %greater[%i] : !f32s
  pyk.store %p3, %less[%i] : !f32s
  pyk.return
}

// Ordered comparisons are false for NaN, unordered ones are true; zeros are equal.
// REDEFINE: %{kernel} = comparisons
// REDEFINE: %{args} = "--arg=f64[12]=1.0,nan,2.0,nan,-0.0,0.0,-inf,inf,3.0,-0.0,1.0,0.0" \
// REDEFINE:   "--arg=f64[12]=2.0,1.0,nan,nan,0.0,-0.0,5.0,-inf,3.0,-0.0,-1.0,0.0" \
// REDEFINE:   --arg=bool[12]=zeros --arg=bool[12]=zeros --arg=bool[12]=zeros \
// REDEFINE:   --arg=bool[12]=zeros --arg=bool[12]=zeros --arg=bool[12]=zeros \
// REDEFINE:   --arg=bool[12]=zeros --arg=bool[12]=zeros --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5 --print=6 --print=7 --print=8 --print=9
// RUN: %{test}
// comparisons: 2: bool[12] = [False, False, False, False, True, True, False, False, True, True, False, True]
// comparisons-NEXT: 3: bool[12] = [True, True, True, True, False, False, True, True, False, False, True, False]
// comparisons-NEXT: 4: bool[12] = [True, False, False, False, False, False, True, False, False, False, False, False]
// comparisons-NEXT: 5: bool[12] = [False, False, False, False, True, True, False, True, True, True, True, True]
// comparisons-NEXT: 6: bool[12] = [True, True, True, True, False, False, True, False, False, False, False, False]
// comparisons-NEXT: 7: bool[12] = [False, True, True, True, False, False, False, False, False, False, False, False]
// comparisons-NEXT: 8: bool[12] = [True, False, False, False, False, False, True, True, False, False, True, False]
// comparisons-NEXT: 9: bool[12] = [False, True, True, True, True, True, False, False, True, True, False, True]
pyk.func @comparisons(%a: !f64s, %b: !f64s, %is_oeq: !i1s, %is_une: !i1s,
    %is_olt: !i1s, %is_oge: !i1s, %is_ult: !i1s, %is_uno: !i1s, %is_one: !i1s,
    %is_ueq: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %bi = pyk.load %b[%i] : !f64s
  %0 = arith.cmpf oeq, %ai, %bi : f64
  %1 = arith.cmpf une, %ai, %bi : f64
  %2 = arith.cmpf olt, %ai, %bi : f64
  %3 = arith.cmpf oge, %ai, %bi : f64
  %4 = arith.cmpf ult, %ai, %bi : f64
  %5 = arith.cmpf uno, %ai, %bi : f64
  %6 = arith.cmpf one, %ai, %bi : f64
  %7 = arith.cmpf ueq, %ai, %bi : f64
  pyk.store %0, %is_oeq[%i] : !i1s
  pyk.store %1, %is_une[%i] : !i1s
  pyk.store %2, %is_olt[%i] : !i1s
  pyk.store %3, %is_oge[%i] : !i1s
  pyk.store %4, %is_ult[%i] : !i1s
  pyk.store %5, %is_uno[%i] : !i1s
  pyk.store %6, %is_one[%i] : !i1s
  pyk.store %7, %is_ueq[%i] : !i1s
  pyk.return
}

// Integers to floats round once, to even; they are cut or extended to others, and wrap.
// REDEFINE: %{kernel} = integers
// REDEFINE: %{args} = "--arg=i64[12]=0,1,-1,-9223372036854775808,9223372036854775807,9007199254740993,16777217,-16777217,16777219,255,-129,65520" \
// REDEFINE:   --arg=f32[12]=zeros --arg=f32[12]=zeros --arg=i8[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=i64[12]=zeros \
// REDEFINE:   --arg=i64[12]=zeros --arg=i64[12]=zeros --print=1 --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5 --print=6 --print=7 --print=8
// RUN: %{test}
// integers: 1: f32[12] = [0.0, 1.0, -1.0, -9.223372e+18, 9.223372e+18, 9007199000000000.0, 16777216.0, -16777216.0, 16777220.0, 255.0, -129.0, 65520.0]
// integers-NEXT: 2: f32[12] = [0.0, 1.0, 1.8446744e+19, 9.223372e+18, 9.223372e+18, 9007199000000000.0, 16777216.0, 1.8446744e+19, 16777220.0, 255.0, 1.8446744e+19, 65520.0]
// integers-NEXT: 3: i8[12] = [0, 1, -1, 0, -1, 1, 1, -1, 3, -1, 127, -16]
// integers-NEXT: 4: i32[12] = [0, 1, -1, 0, -1, 1, 1, -1, 3, -1, 127, -16]
// integers-NEXT: 5: i32[12] = [0, 1, 255, 0, 255, 1, 1, 255, 3, 255, 127, 240]
// integers-NEXT: 6: i64[12] = [0, 1, 1, 0, 1, 18014398509481985, 281475010265089, 281475010265089, 281475077373961, 65025, 16641, 4292870400]
// integers-NEXT: 7: i64[12] = [0, 2, -2, 0, -2, 18014398509481986, 33554434, -33554434, 33554438, 510, -258, 131040]
// integers-NEXT: 8: i64[12] = [0, -1, 1, -9223372036854775808, -9223372036854775807, -9007199254740993, -16777217, 16777217, -16777219, -255, 129, -65520]
pyk.func @integers(%a: !i64s, %single: !f32s, %unsigned: !f32s, %byte: !i8s,
    %signed: !i32s, %extended: !i32s, %square: !i64s, %twice: !i64s,
    %negated: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i64s
  %zero = arith.constant 0 : i64
  %0 = arith.sitofp %ai : i64 to f32
  %1 = arith.uitofp %ai : i64 to f32
  %2 = arith.trunci %ai : i64 to i8
  %3 = arith.extsi %2 : i8 to i32
  %4 = arith.extui %2 : i8 to i32
  %5 = arith.muli %ai, %ai : i64
  %6 = arith.addi %ai, %ai : i64
  %7 = arith.subi %zero, %ai : i64
  pyk.store %0, %single[%i] : !f32s
  pyk.store %1, %unsigned[%i] : !f32s
  pyk.store %2, %byte[%i] : !i8s
  pyk.store %3, %signed[%i] : !i32s
  pyk.store %4, %extended[%i] : !i32s
  pyk.store %5, %square[%i] : !i64s
  pyk.store %6, %twice[%i] : !i64s
  pyk.store %7, %negated[%i] : !i64s
  pyk.return
}

// f64 to narrower floats: one rounding to even, also of what is close to a half only in f64; too
// large ones are infinite.
// REDEFINE: %{kernel} = narrower
// REDEFINE: %{args} = "--arg=f64[12]=0.0,-0.0,nan,inf,1e+300,-1e+39,1.0004882812509095,65519.0,65520.0,-2049.0,3e-08,1.0039062500009095" \
// REDEFINE:   --arg=f32[12]=zeros --arg=f16[12]=zeros --arg=bf16[12]=zeros \
// REDEFINE:   --arg=f32[12]=zeros --print=1 --print=2 --print=3 --print=4
// RUN: %{test}
// narrower: 1: f32[12] = [0.0, -0.0, nan, inf, inf, -inf, 1.0004883, 65519.0, 65520.0, -2049.0, 3e-08, 1.0039062]
// narrower-NEXT: 2: f16[12] = [0.0, -0.0, nan, inf, inf, -inf, 1.001, 65500.0, inf, -2048.0, 6e-08, 1.004]
// narrower-NEXT: 3: bf16[12] = [0.0, -0.0, nan, inf, inf, -inf, 1.0, 65500.0, 65500.0, -2050.0, 3e-08, 1.01]
// narrower-NEXT: 4: f32[12] = [-0.0, 0.0, nan, -inf, -inf, inf, -1.0004883, -65519.0, -65520.0, 2049.0, -3e-08, -1.0039062]
pyk.func @narrower(%a: !f64s, %single: !f32s, %half: !f16s, %brain: !bf16s,
    %negated: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %0 = arith.truncf %ai : f64 to f32
  %1 = arith.truncf %ai : f64 to f16
  %2 = arith.truncf %ai : f64 to bf16
  %3 = arith.negf %ai : f64
  %4 = arith.truncf %3 : f64 to f32
  pyk.store %0, %single[%i] : !f32s
  pyk.store %1, %half[%i] : !f16s
  pyk.store %2, %brain[%i] : !bf16s
  pyk.store %4, %negated[%i] : !f32s
  pyk.return
}

// f32 to bf16, halves to even.
// REDEFINE: %{kernel} = brain_of_single
// REDEFINE: %{args} = "--arg=f32[12]=1.0,1.0039062,1.0117188,3.4028235e+38,nan,-inf,1e-40,-0.0,257.0,259.0,0.1,65280.0" \
// REDEFINE:   --arg=bf16[12]=zeros --print=1
// RUN: %{test}
// brain_of_single: 1: bf16[12] = [1.0, 1.0, 1.016, inf, nan, -inf, 9e-41, -0.0, 256.0, 260.0, 0.1, 65300.0]
pyk.func @brain_of_single(%a: !f32s, %out: !bf16s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %0 = arith.truncf %ai : f32 to bf16
  pyk.store %0, %out[%i] : !bf16s
  pyk.return
}
