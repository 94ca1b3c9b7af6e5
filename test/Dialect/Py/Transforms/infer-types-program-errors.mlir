// RUN: pyk-opt %s --split-input-file --py-infer-types --verify-diagnostics

// Argument types make no kernel.
// expected-error @below {{requires a py.func that is a kernel or exported}}
module {
  py.func @no_kernel(["a"]) arguments [si64] {
  }
}

// -----

// All kernels are inferred, whatever is wrong with one of them.
py.func @first_kernel(["a"]) kernel arguments [si64] {
  %f = py.constant(@nowhere) : !py.object
  // expected-error @below {{function 'nowhere' is not in the module}}
  %r = py.call %f() : (!py.object) -> !py.object
}
py.func @second_kernel(["a"]) kernel arguments [si64] {
  %a = py.get "a" : !py.object
  // expected-error @below {{kernel 'second_kernel' returns a value of type int64}}
  py.return %a : !py.object
}

// -----

py.func @calls_nothing([]) kernel arguments [] {
  %f = py.constant(@nowhere) : !py.object
  // expected-error @below {{function 'nowhere' is not in the module}}
  %r = py.call %f() : (!py.object) -> !py.object
}

// -----

py.func @calls_a_kernel([]) kernel arguments [] {
  %f = py.constant(@calls_a_kernel) : !py.object
  // expected-error @below {{kernel 'calls_a_kernel' cannot be called from a kernel}}
  // expected-note @below {{with a grid and a block in brackets it is launched}}
  %r = py.call %f() : (!py.object) -> !py.object
}

// -----

py.func @foreign_op([]) kernel arguments [] {
  // expected-error @below {{is no op of the py dialect}}
  %one = arith.constant 1 : i64
}

// -----

py.func @launches_nothing([]) kernel arguments [] {
  %f = py.constant(@nowhere) : !py.object
  %one = py.constant(#py.int<1 : si64>) : !py.object
  %shape = py.tuple(%one, %one) : (!py.object, !py.object) -> !py.object
  %configured = py.subscript %f[%shape] : (!py.object, !py.object) -> !py.object
  // expected-error @below {{kernel 'nowhere' is not in the module}}
  %r = py.call %configured() : (!py.object) -> !py.object
}
