// Functions of libdevice whose results are exact, one of each kind that there is: several
// results, integers, ways of rounding. All of them are compared with the host elsewhere.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: %if libdevice %{ pyk-run %s --emit=ptx -o %t.ptx %}
// RUN: %if libdevice %{ %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %} %}

!i1s = !pyk.array<?xi1, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// To whole numbers: halves go to even ones by rint, away from 0 by round; signs of zero stay.
// REDEFINE: %{kernel} = whole_f64
// REDEFINE: %{args} = "--arg=f64[12]=-2.5,-1.5,-0.5,-0.0,0.0,0.5,1.5,2.5,inf,-inf,nan,8388609.5" \
// REDEFINE:   --arg=f64[12]=zeros --arg=f64[12]=zeros --arg=f64[12]=zeros \
// REDEFINE:   --arg=f64[12]=zeros --arg=f64[12]=zeros --arg=f64[12]=zeros --print=1 \
// REDEFINE:   --print=2 --print=3 --print=4 --print=5 --print=6
// RUN: %{test}
// whole_f64: 1: f64[12] = [-2.0, -1.0, -0.0, -0.0, 0.0, 1.0, 2.0, 3.0, inf, -inf, nan, 8388610.0]
// whole_f64-NEXT: 2: f64[12] = [-3.0, -2.0, -1.0, -0.0, 0.0, 0.0, 1.0, 2.0, inf, -inf, nan, 8388609.0]
// whole_f64-NEXT: 3: f64[12] = [-2.0, -1.0, -0.0, -0.0, 0.0, 0.0, 1.0, 2.0, inf, -inf, nan, 8388609.0]
// whole_f64-NEXT: 4: f64[12] = [-2.0, -2.0, -0.0, -0.0, 0.0, 0.0, 2.0, 2.0, inf, -inf, nan, 8388610.0]
// whole_f64-NEXT: 5: f64[12] = [2.5, 1.5, 0.5, 0.0, 0.0, 0.5, 1.5, 2.5, inf, inf, nan, 8388609.5]
// whole_f64-NEXT: 6: f64[12] = [-3.0, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, 3.0, inf, -inf, nan, 8388610.0]
pyk.func @whole_f64(%a: !f64s, %ceil: !f64s, %floor: !f64s, %trunc: !f64s,
    %rint: !f64s, %fabs: !f64s, %round: !f64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %0 = pyk.libdevice "ceil"(%ai) : (f64) -> f64
  %1 = pyk.libdevice "floor"(%ai) : (f64) -> f64
  %2 = pyk.libdevice "trunc"(%ai) : (f64) -> f64
  %3 = pyk.libdevice "rint"(%ai) : (f64) -> f64
  %4 = pyk.libdevice "fabs"(%ai) : (f64) -> f64
  %5 = pyk.libdevice "round"(%ai) : (f64) -> f64
  pyk.store %0, %ceil[%i] : !f64s
  pyk.store %1, %floor[%i] : !f64s
  pyk.store %2, %trunc[%i] : !f64s
  pyk.store %3, %rint[%i] : !f64s
  pyk.store %4, %fabs[%i] : !f64s
  pyk.store %5, %round[%i] : !f64s
  pyk.return
}

// The same in f32.
// REDEFINE: %{kernel} = whole_f32
// REDEFINE: %{args} = "--arg=f32[12]=-2.5,-1.5,-0.5,-0.0,0.0,0.5,1.5,2.5,inf,-inf,nan,8388610.0" \
// REDEFINE:   --arg=f32[12]=zeros --arg=f32[12]=zeros --arg=f32[12]=zeros \
// REDEFINE:   --arg=f32[12]=zeros --arg=f32[12]=zeros --arg=f32[12]=zeros --print=1 \
// REDEFINE:   --print=2 --print=3 --print=4 --print=5 --print=6
// RUN: %{test}
// whole_f32: 1: f32[12] = [-2.0, -1.0, -0.0, -0.0, 0.0, 1.0, 2.0, 3.0, inf, -inf, nan, 8388610.0]
// whole_f32-NEXT: 2: f32[12] = [-3.0, -2.0, -1.0, -0.0, 0.0, 0.0, 1.0, 2.0, inf, -inf, nan, 8388610.0]
// whole_f32-NEXT: 3: f32[12] = [-2.0, -1.0, -0.0, -0.0, 0.0, 0.0, 1.0, 2.0, inf, -inf, nan, 8388610.0]
// whole_f32-NEXT: 4: f32[12] = [-2.0, -2.0, -0.0, -0.0, 0.0, 0.0, 2.0, 2.0, inf, -inf, nan, 8388610.0]
// whole_f32-NEXT: 5: f32[12] = [2.5, 1.5, 0.5, 0.0, 0.0, 0.5, 1.5, 2.5, inf, inf, nan, 8388610.0]
// whole_f32-NEXT: 6: f32[12] = [-3.0, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, 3.0, inf, -inf, nan, 8388610.0]
pyk.func @whole_f32(%a: !f32s, %ceil: !f32s, %floor: !f32s, %trunc: !f32s,
    %rint: !f32s, %fabs: !f32s, %round: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %0 = pyk.libdevice "ceil"(%ai) : (f32) -> f32
  %1 = pyk.libdevice "floor"(%ai) : (f32) -> f32
  %2 = pyk.libdevice "trunc"(%ai) : (f32) -> f32
  %3 = pyk.libdevice "rint"(%ai) : (f32) -> f32
  %4 = pyk.libdevice "fabs"(%ai) : (f32) -> f32
  %5 = pyk.libdevice "round"(%ai) : (f32) -> f32
  pyk.store %0, %ceil[%i] : !f32s
  pyk.store %1, %floor[%i] : !f32s
  pyk.store %2, %trunc[%i] : !f32s
  pyk.store %3, %rint[%i] : !f32s
  pyk.store %4, %fabs[%i] : !f32s
  pyk.store %5, %round[%i] : !f32s
  pyk.return
}

// NaN loses against a number, -0 is below +0; fmod has the sign of the first, remainder is
// of the nearest quotient.
// REDEFINE: %{kernel} = pairs
// REDEFINE: %{args} = "--arg=f64[12]=1.0,nan,2.0,nan,-0.0,0.0,5.5,-5.5,inf,7.0,-6.0,3.0" \
// REDEFINE:   "--arg=f64[12]=nan,1.0,-3.0,nan,0.0,-0.0,3.0,3.0,2.0,inf,4.0,-4.0" \
// REDEFINE:   --arg=f64[12]=zeros --arg=f64[12]=zeros --arg=f64[12]=zeros \
// REDEFINE:   --arg=f64[12]=zeros --arg=f64[12]=zeros --print=2 --print=3 --print=4 \
// REDEFINE:   --print=5 --print=6
// RUN: %{test}
// pairs: 2: f64[12] = [1.0, 1.0, 2.0, nan, 0.0, 0.0, 5.5, 3.0, inf, inf, 4.0, 3.0]
// pairs-NEXT: 3: f64[12] = [1.0, 1.0, -3.0, nan, -0.0, -0.0, 3.0, -5.5, 2.0, 7.0, -6.0, -4.0]
// pairs-NEXT: 4: f64[12] = [1.0, nan, -2.0, nan, 0.0, -0.0, 5.5, 5.5, inf, 7.0, 6.0, -3.0]
// pairs-NEXT: 5: f64[12] = [nan, nan, 2.0, nan, nan, nan, 2.5, -2.5, nan, 7.0, -2.0, 3.0]
// pairs-NEXT: 6: f64[12] = [nan, nan, -1.0, nan, nan, nan, -0.5, 0.5, nan, 7.0, 2.0, -1.0]
pyk.func @pairs(%a: !f64s, %b: !f64s, %fmax: !f64s, %fmin: !f64s,
    %copysign: !f64s, %fmod: !f64s, %remainder: !f64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %bi = pyk.load %b[%i] : !f64s
  %0 = pyk.libdevice "fmax"(%ai, %bi) : (f64, f64) -> f64
  %1 = pyk.libdevice "fmin"(%ai, %bi) : (f64, f64) -> f64
  %2 = pyk.libdevice "copysign"(%ai, %bi) : (f64, f64) -> f64
  %3 = pyk.libdevice "fmod"(%ai, %bi) : (f64, f64) -> f64
  %4 = pyk.libdevice "remainder"(%ai, %bi) : (f64, f64) -> f64
  pyk.store %0, %fmax[%i] : !f64s
  pyk.store %1, %fmin[%i] : !f64s
  pyk.store %2, %copysign[%i] : !f64s
  pyk.store %3, %fmod[%i] : !f64s
  pyk.store %4, %remainder[%i] : !f64s
  pyk.return
}

// Fraction and exponent, whole part and rest, and back. Nobody says which exponent an infinite
// number has.
// REDEFINE: %{kernel} = parts
// REDEFINE: %{args} = "--arg=f64[12]=0.0,-0.0,1.0,-8.0,0.75,1026.0,5e-324,1.0715086071862673e+301,-3.25,inf,-inf,6.0" \
// REDEFINE:   "--arg=i32[12]=0,5,-1,3,10,-20,1074,1,-2000,3,4,-1" \
// REDEFINE:   --arg=f64[12]=zeros --arg=i32[12]=zeros --arg=f32[12]=zeros \
// REDEFINE:   --arg=f32[12]=zeros --arg=bool[12]=zeros --print=2 --print=3 --print=4 \
// REDEFINE:   --print=5 --print=6
// RUN: %{test}
// parts: 2: f64[12] = [0.0, -0.0, 0.5, -0.5, 0.75, 0.5009765625, 0.5, 0.5, -0.8125, inf, -inf, 0.75]
// parts-NEXT: 3: i32[12] = [0, 0, 1, 4, 0, 11, -1073, 1001, 2, 0, 0, 3]
// parts-NEXT: 4: f32[12] = [0.0, -0.0, 0.0, -0.0, 0.75, 0.0, 0.0, 0.0, -0.25, 0.0, -0.0, 0.0]
// parts-NEXT: 5: f32[12] = [0.0, -0.0, 0.5, -64.0, 768.0, 0.0009784698, 1.0, inf, -0.0, inf, -inf, 3.0]
// parts-NEXT: 6: bool[12] = [False, True, False, True, False, False, False, False, True, False, True, False]
pyk.func @parts(%a: !f64s, %k: !i32s, %fraction: !f64s, %exponent: !i32s,
    %rest: !f32s, %scaled: !f32s, %sign: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %ki = pyk.load %k[%i] : !i32s
  %f:2 = pyk.libdevice "frexp"(%ai) : (f64) -> (f64, i32)
  %m:2 = pyk.libdevice "modf"(%ai) : (f64) -> (f64, f64)
  %l = pyk.libdevice "ldexp"(%ai, %ki) : (f64, i32) -> f64
  %is = pyk.libdevice "isinf"(%ai) : (f64) -> i32
  %s = pyk.libdevice "signbit"(%ai) : (f64) -> i32
  %zero = arith.constant 0 : i32
  %finite = arith.cmpi eq, %is, %zero : i32
  %e = arith.select %finite, %f#1, %zero : i32
  %m0 = arith.truncf %m#0 : f64 to f32
  %l0 = arith.truncf %l : f64 to f32
  %negative = arith.cmpi ne, %s, %zero : i32
  pyk.store %f#0, %fraction[%i] : !f64s
  pyk.store %e, %exponent[%i] : !i32s
  pyk.store %m0, %rest[%i] : !f32s
  pyk.store %l0, %scaled[%i] : !f32s
  pyk.store %negative, %sign[%i] : !i1s
  pyk.return
}

// Bits of integers; the smallest number has no positive one.
// REDEFINE: %{kernel} = integers
// REDEFINE: %{args} = "--arg=i32[12]=0,1,-1,-2147483648,2147483647,6,-6,256,4080,12345,-12345,1048576" \
// REDEFINE:   "--arg=i32[12]=5,-1,-1,2,2147483647,7,-9,3,-256,-2147483648,100000,1048576" \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=i32[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=i32[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --arg=i32[12]=zeros --print=2 \
// REDEFINE:   --print=3 --print=4 --print=5 --print=6 --print=7 --print=8 --print=9 \
// REDEFINE:   --print=10
// RUN: %{test}
// integers: 2: i32[12] = [0, -2147483648, -1, 1, -2, 1610612736, 1610612735, 8388608, 267386880, -1676935168, -470548481, 2048]
// integers-NEXT: 3: i32[12] = [32, 31, 0, 0, 1, 29, 0, 23, 20, 18, 0, 11]
// integers-NEXT: 4: i32[12] = [0, 1, 1, 32, 1, 2, 2, 9, 5, 1, 1, 21]
// integers-NEXT: 5: i32[12] = [0, 1, 32, 1, 31, 2, 30, 1, 8, 6, 27, 1]
// integers-NEXT: 6: i32[12] = [0, 1, 1, -2147483648, 2147483647, 6, 6, 256, 4080, 12345, 12345, 1048576]
// integers-NEXT: 7: i32[12] = [0, -1, 0, -1, 1073741823, 0, 0, 0, -1, -6173, -1, 256]
// integers-NEXT: 8: i32[12] = [0, 0, -2, 1, 1073741823, 0, -15, 0, 4079, 6172, 99999, 256]
// integers-NEXT: 9: i32[12] = [2, 0, -1, -1073741823, 2147483647, 6, -8, 129, 1912, -1073735652, 43827, 1048576]
// integers-NEXT: 10: i32[12] = [5, -1, -1, -2147483648, 2147483647, 7, -6, 256, -256, -2147483648, -12345, 1048576]
pyk.func @integers(%a: !i32s, %b: !i32s, %o_brev: !i32s, %o_clz: !i32s,
    %o_ffs: !i32s, %o_popc: !i32s, %o_abs: !i32s, %o_mulhi: !i32s,
    %o_umulhi: !i32s, %o_hadd: !i32s, %o_umax: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %bi = pyk.load %b[%i] : !i32s
  %0 = pyk.libdevice "brev"(%ai) : (i32) -> i32
  %1 = pyk.libdevice "clz"(%ai) : (i32) -> i32
  %2 = pyk.libdevice "ffs"(%ai) : (i32) -> i32
  %3 = pyk.libdevice "popc"(%ai) : (i32) -> i32
  %4 = pyk.libdevice "abs"(%ai) : (i32) -> i32
  %5 = pyk.libdevice "mulhi"(%ai, %bi) : (i32, i32) -> i32
  %6 = pyk.libdevice "umulhi"(%ai, %bi) : (i32, i32) -> i32
  %7 = pyk.libdevice "hadd"(%ai, %bi) : (i32, i32) -> i32
  %8 = pyk.libdevice "umax"(%ai, %bi) : (i32, i32) -> i32
  pyk.store %0, %o_brev[%i] : !i32s
  pyk.store %1, %o_clz[%i] : !i32s
  pyk.store %2, %o_ffs[%i] : !i32s
  pyk.store %3, %o_popc[%i] : !i32s
  pyk.store %4, %o_abs[%i] : !i32s
  pyk.store %5, %o_mulhi[%i] : !i32s
  pyk.store %6, %o_umulhi[%i] : !i32s
  pyk.store %7, %o_hadd[%i] : !i32s
  pyk.store %8, %o_umax[%i] : !i32s
  pyk.return
}

// The same in 64 bits.
// REDEFINE: %{kernel} = wide
// REDEFINE: %{args} = "--arg=i64[12]=0,1,-1,-9223372036854775808,9223372036854775807,6,-6,1099511627776,4080,12345,-12345,1048576" \
// REDEFINE:   --arg=i64[12]=zeros --arg=i32[12]=zeros --arg=i32[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --arg=i64[12]=zeros --print=1 --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5
// RUN: %{test}
// wide: 1: i64[12] = [0, -9223372036854775808, -1, 1, -2, 6917529027641081856, 6917529027641081855, 8388608, 1148417904979476480, -7202381704072265728, -2020990332782510081, 8796093022208]
// wide-NEXT: 2: i32[12] = [64, 63, 0, 0, 1, 61, 0, 23, 52, 50, 0, 43]
// wide-NEXT: 3: i32[12] = [0, 1, 1, 64, 1, 2, 2, 41, 5, 1, 1, 21]
// wide-NEXT: 4: i32[12] = [0, 1, 64, 1, 63, 2, 62, 1, 8, 6, 59, 1]
// wide-NEXT: 5: i64[12] = [0, 1, 1, -9223372036854775808, 9223372036854775807, 6, 6, 1099511627776, 4080, 12345, 12345, 1048576]
pyk.func @wide(%a: !i64s, %o_brev: !i64s, %o_clz: !i32s, %o_ffs: !i32s,
    %o_popc: !i32s, %o_abs: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i64s
  %0 = pyk.libdevice "brev"(%ai) : (i64) -> i64
  %1 = pyk.libdevice "clz"(%ai) : (i64) -> i32
  %2 = pyk.libdevice "ffs"(%ai) : (i64) -> i32
  %3 = pyk.libdevice "popc"(%ai) : (i64) -> i32
  %4 = pyk.libdevice "abs"(%ai) : (i64) -> i64
  pyk.store %0, %o_brev[%i] : !i64s
  pyk.store %1, %o_clz[%i] : !i32s
  pyk.store %2, %o_ffs[%i] : !i32s
  pyk.store %3, %o_popc[%i] : !i32s
  pyk.store %4, %o_abs[%i] : !i64s
  pyk.return
}

// Quotients to the nearest number, down, up and towards 0.
// REDEFINE: %{kernel} = rounded
// REDEFINE: %{args} = "--arg=f32[12]=1.0,2.0,-1.0,5.0,1.0,-7.0,1.0,1e+30,0.0,1.0,-1.0,3.0" \
// REDEFINE:   "--arg=f32[12]=3.0,3.0,3.0,3.0,8.0,3.0,0.0,1e-30,-5.0,-3.0,inf,2.0" \
// REDEFINE:   --arg=f32[12]=zeros --arg=f32[12]=zeros --arg=f32[12]=zeros \
// REDEFINE:   --arg=f32[12]=zeros --print=2 --print=3 --print=4 --print=5
// RUN: %{test}
// rounded: 2: f32[12] = [0.33333334, 0.6666667, -0.33333334, 1.6666666, 0.125, -2.3333333, inf, inf, -0.0, -0.33333334, -0.0, 1.5]
// rounded-NEXT: 3: f32[12] = [0.3333333, 0.6666666, -0.33333334, 1.6666666, 0.125, -2.3333335, inf, 3.4028235e+38, -0.0, -0.33333334, -0.0, 1.5]
// rounded-NEXT: 4: f32[12] = [0.33333334, 0.6666667, -0.3333333, 1.6666667, 0.125, -2.3333333, inf, inf, -0.0, -0.3333333, -0.0, 1.5]
// rounded-NEXT: 5: f32[12] = [0.3333333, 0.6666666, -0.3333333, 1.6666666, 0.125, -2.3333333, inf, 3.4028235e+38, -0.0, -0.3333333, -0.0, 1.5]
pyk.func @rounded(%a: !f32s, %b: !f32s, %o_rn: !f32s, %o_rd: !f32s,
    %o_ru: !f32s, %o_rz: !f32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %bi = pyk.load %b[%i] : !f32s
  %0 = pyk.libdevice "fdiv_rn"(%ai, %bi) : (f32, f32) -> f32
  %1 = pyk.libdevice "fdiv_rd"(%ai, %bi) : (f32, f32) -> f32
  %2 = pyk.libdevice "fdiv_ru"(%ai, %bi) : (f32, f32) -> f32
  %3 = pyk.libdevice "fdiv_rz"(%ai, %bi) : (f32, f32) -> f32
  pyk.store %0, %o_rn[%i] : !f32s
  pyk.store %1, %o_rd[%i] : !f32s
  pyk.store %2, %o_ru[%i] : !f32s
  pyk.store %3, %o_rz[%i] : !f32s
  pyk.return
}
