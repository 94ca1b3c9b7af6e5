// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// time_c1: memory holds a signed integer.
py.func @value([]) {
  // expected-error @below {{expects an integer or elements of type 'si64' but got 1.000000e+00 : f64}}
  %a = py.constant(#py.time<1.0 : f64, <datetime, D>>) : !py.object
}

// -----

// time_c1: so do the elements of an array.
py.func @elements([]) {
  // expected-error @below {{expects an integer or elements of type 'si64' but got dense<1> : tensor<2xsi32>}}
  %a = py.constant(#py.time<dense<1> : tensor<2xsi32>, <datetime, D>>) : !py.object
}
