// RUN: pyk-opt %s --pyk-explain-precision --remarks-filter=pyk --verify-diagnostics
// RUN: pyk-opt %s --pyk-explain-precision | FileCheck %s

// Why float32 numbers are computed with in float64. Nothing changes, and nobody
// is told who does not listen.
// CHECK-NOT: remark
// CHECK: pyk.func @kernel

pyk.func @kernel(%a: f64, %x: f32, %y: f16, %n: i64, %m: i16, %p: !pyk.array<?xf64, c>) attributes {kernel} {
  %wide = arith.extf %x : f32 to f64
  %half = arith.extf %y : f16 to f64
  %literal = arith.constant 2.500000e-01 : f64
  %i = arith.constant 0 : i64
  // expected-remark @below {{Function=kernel | Reason="a literal makes it so", Remark="this is computed in float64", Suggestion="np.float32(...) of it keeps to float32"}}
  %0 = arith.mulf %wide, %literal : f64
  // expected-remark @below {{Function=kernel | Reason="an argument is a float64", Remark="this is computed in float64", Suggestion="np.float32(...) of it keeps to float32"}}
  %1 = arith.addf %a, %half : f64
  %element = pyk.load %p[%i] : !pyk.array<?xf64, c>
  // expected-remark @below {{Function=kernel | Reason="an element of an array is a float64", Remark="this is computed in float64", Suggestion="np.float32(...) of it keeps to float32"}}
  %2 = arith.cmpf olt, %element, %wide : f64
  %long = arith.sitofp %n : i64 to f64
  // expected-remark @below {{Function=kernel | Reason="an integer of 32 or 64 bits makes it so", Remark="this is computed in float64", Suggestion="np.float32(...) of it keeps to float32"}}
  %3 = arith.divf %wide, %long : f64

  // The reason lies further back, or float64 has none of its own.
  %4 = arith.addf %0, %wide : f64
  %5 = arith.mulf %wide, %half : f64
  %short = arith.sitofp %m : i16 to f64
  %6 = arith.mulf %wide, %short : f64
  %7 = arith.mulf %wide, %wide : f64
  // A float64 alone is what the program asked for.
  %8 = arith.mulf %a, %literal : f64
  pyk.return
}
