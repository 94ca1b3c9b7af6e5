// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// The last dimension is the bytes of a record.
py.func @bytes([]) {
  // expected-error @below {{expects 4 bytes for each record but got 'tensor<4x2xi8>'}}
  %a = py.constant(#py.records<dense<7> : tensor<4x2xi8>, <"x" : si32 at 0, size 4>>) : !py.object
}
