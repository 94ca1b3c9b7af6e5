// RUN: pyk-opt %s --split-input-file --py-infer-types --verify-diagnostics

// The kernel is the function that has argument types from the start.
// expected-error @below {{requires a py.func with argument types}}
module {
  py.func @no_kernel(["a"]) {
  }
}

// -----

py.func @first_kernel(["a"]) arguments [si64] {
}
// expected-error @below {{requires that only one function has argument types}}
py.func @second_kernel(["a"]) arguments [si64] {
}

// -----

py.func @calls_nothing([]) arguments [] {
  %f = py.constant(@nowhere) : !py.object
  // expected-error @below {{function 'nowhere' is not in the module}}
  %r = py.call %f() : (!py.object) -> !py.object
}

// -----

py.func @calls_a_kernel([]) arguments [] {
  %f = py.constant(@calls_a_kernel) : !py.object
  // expected-error @below {{kernel 'calls_a_kernel' cannot be called from a kernel}}
  %r = py.call %f() : (!py.object) -> !py.object
}

// -----

py.func @foreign_op([]) arguments [] {
  // expected-error @below {{is no op of the py dialect}}
  %one = arith.constant 1 : i64
}
