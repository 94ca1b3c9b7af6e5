// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// func_c1: a type for each parameter, or what a call passes would be unclear.
// expected-error @below {{expects 2 argument types but got 1}}
py.func @fewer_types_than_parameters(["a", "b"]) arguments [si64] {
}

// -----

// func_c3: a default without its parameter would be lost.
// expected-error @below {{expects 1 defaults but got 2}}
py.func @more_defaults_than_parameters(["a"]) defaults [unit, unit] {
}

// -----

// func_c2: Python's integers have a sign.
// expected-error @below {{expects types of the py dialect as arguments but got}}
py.func @integer_without_sign(["a"]) arguments [i64] {
}

// -----

// func_c4: a captured variable is a parameter.
// expected-error @below {{expects parameters for 2 captures but got 1}}
py.func @more_captures_than_parameters(["a"]) captures 2 {
}

// -----

// func_c5: a kernel is one for certain types.
// expected-error @below {{expects argument types, being a kernel}}
py.func @kernel_without_types(["a"]) kernel {
}

// -----

// func_c5
// expected-error @below {{expects argument types, being exported}}
py.func @exported_without_types(["a"]) attributes {pyk.export = #pyk.export<c>} {
}

// -----

// func_c5: what is launched returns nothing, and what is called is not launched.
// expected-error @below {{expects a kernel or an exported function but got both}}
py.func @both(["a"]) kernel arguments [si64] attributes {pyk.export = #pyk.export<c>} {
}

// -----

// named_tuple_c1: each item of a named tuple has a name.
// expected-error @below {{expects names for 2 items but got ["x"]}}
py.func @item_without_name(["a"]) arguments [!py.named_tuple<"P", ["x"], tuple<si64, f64>>] {
}

// -----

// unpack_c1
py.func @starred(["t"]) arguments [si64] {
  %t = py.get "t" : !py.object
  // expected-error @below {{expects the position of one of 2 results as 'starred' but got 255}}
  %x, %y = py.unpack %t starred 255 : (!py.object) -> (!py.object, !py.object)
}

// -----

// func_c6
// expected-error @below {{expects a result, and pointees for all parameters, of code of another language}}
py.func @f(["x"]) returns f32 attributes {pyk.foreign = #pyk.foreign<c, "f", []>} {
}

// -----

// No thread executes the top of a module.
// expected-error @below {{'py.constant' op requires an enclosing py.func}}
%half = py.constant(2.5 : f64) : !py.object

// -----

// And no function of another dialect runs such an op.
pyk.func @typed() {
  // expected-error @below {{'py.constant' op requires an enclosing py.func}}
  %half = py.constant(2.5 : f64) : !py.object
  pyk.return
}

// -----

// func_c7
gpu.module @device {
  // expected-error @below {{expects only modules around it but got 'gpu.module'}}
  py.func @on_the_device([]) {
  }
}

// -----

// func_c7
py.func @around([]) {
  // expected-error @below {{expects no function around it}}
  builtin.module {
  }
}
