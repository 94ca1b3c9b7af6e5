// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// chars_c1: no text has room for nothing but itself.
// expected-error @below {{expects a length from 1 to 256 but got 0}}
py.func @length(["a"]) arguments [!py.chars<str, 0>] {
}

// -----

// chars_attr_c1: a character is four bytes.
py.func @elements([]) {
  // expected-error @below {{expects 8 bytes for each '!py.chars<str, 2>' but got 'tensor<2x2xi8>'}}
  %a = py.constant(#py.chars<dense<0> : tensor<2x2xi8>, <str, 2>>) : !py.object
}
