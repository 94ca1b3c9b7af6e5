// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// stored_c1: memory holds a signed integer for a time.
py.func @value([]) {
  // expected-error @below {{expects a type that is stored as 'si32' but got '!py.time<datetime, D>'}}
  %a = py.constant(#py.stored<1 : si32, !py.time<datetime, D>>) : !py.object
}

// -----

// stored_c1: a number of MLIR is itself.
py.func @number([]) {
  // expected-error @below {{expects a type that is stored as 'si64' but got 'si64'}}
  %a = py.constant(#py.stored<1 : si64, si64>) : !py.object
}

// -----

// stored_array_c1: a character is four bytes.
py.func @text([]) {
  // expected-error @below {{expects 8 bytes for each '!py.chars<str, 2>' but got 'tensor<2x2xi8>'}}
  %a = py.constant(#py.stored_array<dense<0> : tensor<2x2xi8>, !py.chars<str, 2>>) : !py.object
}

// -----

// stored_array_c1: the last dimension is the bytes of a record.
py.func @records([]) {
  // expected-error @below {{expects 4 bytes for each '!pyk.record<"x" : si32 at 0, size 4>' but got 'tensor<4x2xi8>'}}
  %a = py.constant(#py.stored_array<dense<7> : tensor<4x2xi8>, !pyk.record<"x" : si32 at 0, size 4>>) : !py.object
}

// -----

// stored_array_c1: what arrays cannot have as their elements.
py.func @elements([]) {
  // expected-error @below {{expects a type of elements but got '!py.range<si64>'}}
  %a = py.constant(#py.stored_array<dense<7> : tensor<4x2xi8>, !py.range<si64>>) : !py.object
}
