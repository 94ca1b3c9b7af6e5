// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// device_array_c1: nobody would know the extent.
py.func @dynamic([]) {
  // expected-error @below {{expects an array of static shape in global memory but got '!pyk.array<?xf32, c>'}}
  %a = py.constant(#py.device_array<4096, <?xf32, c>>) : !py.object
}

// -----

// device_array_c1: the address is one of global memory.
py.func @shared([]) {
  // expected-error @below {{expects an array of static shape in global memory but got '!pyk.array<3xf32, c, shared>'}}
  %a = py.constant(#py.device_array<4096, <3xf32, c, shared>>) : !py.object
}

// -----

// device_array_c2
py.func @strides([]) {
  // expected-error @below {{expects 2 strides for '!pyk.array<3x4xf32, any>' but got 1}}
  %a = py.constant(#py.device_array<4096, <3x4xf32, any>, strides [16]>) : !py.object
}
