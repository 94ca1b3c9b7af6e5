// What --arg can fill an array with, and how --print shows it.

// DEFINE: %{run} = pyk-run %s --grid=1 --block=1 --print=0

// RUN: %{run} --kernel=f32 --arg=f32[3]=zeros | FileCheck %s --check-prefix=ZEROS
// ZEROS: {{^}}0: f32[3] = [0.0, 0.0, 0.0]{{$}}
// RUN: %{run} --kernel=f32 --arg=f32[3]=ones | FileCheck %s --check-prefix=ONES
// ONES: f32[3] = [1.0, 1.0, 1.0]
// RUN: %{run} --kernel=f32 --arg=f32[0]=iota | FileCheck %s --check-prefix=EMPTY
// EMPTY: f32[0] = []
// RUN: %{run} --kernel=i8 --arg=i8[300]=iota | FileCheck %s --check-prefix=WRAP
// WRAP: i8[300] = [0, 1, {{.*}}, 126, 127, -128, -127, {{.*}}, 43]

// Shortest digits that stand for the value; exponents as in Python.
// RUN: %{run} --kernel=f32 "--arg=f32[9]=0.1, 1e16,1e15,16777217,-0.0,1e-5,0.0001,-inf,nan" \
// RUN:   | FileCheck %s --check-prefix=VALUES
// VALUES: f32[9] = [0.1, 1e+16, 1000000000000000.0, 16777216.0, -0.0, 1e-05, 0.0001, -inf, nan]

// The same seed gives the same values, all from 0 to 1.
// RUN: %{run} --kernel=f32 "--arg=f32[3]=random(7)" > %t.1
// RUN: %{run} --kernel=f32 "--arg=f32[3]=random(7)" | diff %t.1 -
// RUN: FileCheck %s --check-prefix=RANDOM --input-file=%t.1
// RANDOM: f32[3] = [0.{{[0-9]+}}, 0.{{[0-9]+}}, 0.{{[0-9]+}}]
// RUN: %{run} --kernel=f32 "--arg=f32[3]=random(8)" | not diff %t.1 -

// RUN: %{run} --kernel=scalar --arg=f64[]=2.5 | FileCheck %s --check-prefix=SCALAR
// SCALAR: {{^}}0: f64[] = 2.5{{$}}

// Dimensions nest as in NumPy.
// RUN: %{run} --kernel=cube --arg=i32[2x2x2]=iota | FileCheck %s --check-prefix=CUBE
//      CUBE: {{^}}0: i32[2x2x2] ={{$}}
// CUBE-NEXT{LITERAL}: [[[0, 1],
// CUBE-NEXT{LITERAL}:   [2, 3]],
// CUBE-EMPTY:
// CUBE-NEXT{LITERAL}:  [[4, 5],
// CUBE-NEXT{LITERAL}:   [6, 7]]]

// Over a thousand elements, each long dimension loses its middle.
// RUN: %{run} --kernel=f32 --arg=f32[1000]=iota | FileCheck %s --check-prefix=WHOLE
// RUN: %{run} --kernel=f32 --arg=f32[1001]=iota | FileCheck %s --check-prefix=LONG
// RUN: %{run} --kernel=f32 --arg=f32[1001]=iota --print-all \
// RUN:   | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: ...
// WHOLE: 499.0, 500.0, 501.0
// LONG: f32[1001] = [0.0, 1.0, 2.0, ..., 998.0, 999.0, 1000.0]{{$}}
// RUN: %{run} --kernel=cube --arg=i32[2x30x20]=iota | FileCheck %s --check-prefix=LONG-CUBE
//      LONG-CUBE{LITERAL}: [[[0, 1, 2, ..., 17, 18, 19],
//      LONG-CUBE{LITERAL}:   ...,
//      LONG-CUBE{LITERAL}:   [1180, 1181, 1182, ..., 1197, 1198, 1199]]]

// In Fortran order the kernel sees the same elements at the same indices.
// RUN: %{run} --kernel=fortran --arg=i32[2x3]=iota --arg=i32[1]=zeros --print=1 \
// RUN:   | FileCheck %s --check-prefix=FORTRAN
// FORTRAN{LITERAL}: [[0, 1, 50],
// FORTRAN{LITERAL}:  [3, 4, 5]]
// FORTRAN: 1: i32[1] = [2]

pyk.func @f32(%a: !pyk.array<?xf32, c>) attributes {kernel} {
  pyk.return
}

pyk.func @i8(%a: !pyk.array<?xi8, c>) attributes {kernel} {
  pyk.return
}

pyk.func @scalar(%a: !pyk.array<f64, c>) attributes {kernel} {
  pyk.return
}

pyk.func @cube(%a: !pyk.array<?x?x?xi32, any>) attributes {kernel} {
  pyk.return
}

pyk.func @fortran(%a: !pyk.array<?x?xi32, f>, %out: !pyk.array<?xi32, c>)
    attributes {kernel} {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %fifty = arith.constant 50 : i32
  %element = pyk.load %a[%zero, %two] : !pyk.array<?x?xi32, f>
  pyk.store %element, %out[%zero] : !pyk.array<?xi32, c>
  pyk.store %fifty, %a[%zero, %two] : !pyk.array<?x?xi32, f>
  pyk.return
}
