// RUN: pyk-opt %s --pyk-make-reproducible --split-input-file --verify-diagnostics

pyk.func @function(%x: f32) -> f32 attributes {pyk.reproducible} {
  // expected-error @below {{reproducible kernels cannot call 'saturatef': its bits differ between targets; compute it otherwise, or on the host, or leave 'reproducible' out}}
  %y = pyk.libdevice "saturate"(%x) : (f32) -> f32
  pyk.return %y : f32
}

// -----

pyk.func @sum(%a: !pyk.array<f32, c>, %x: f32) attributes {pyk.reproducible} {
  // expected-error @below {{reproducible kernels cannot add floats atomically: the sum depends on the order of the threads; add integers, or let one thread add up, or leave 'reproducible' out}}
  %0 = pyk.atomic add %x, %a[] : !pyk.array<f32, c>
  pyk.return
}

// -----

// All are reported.
pyk.func @both(%a: !pyk.array<f64, c>, %x: f64, %y: f32) -> f32 attributes {pyk.reproducible} {
  // expected-error @below {{cannot add floats atomically}}
  %0 = pyk.atomic add %x, %a[] : !pyk.array<f64, c>
  // expected-error @below {{cannot call 'fast_fdividef'}}
  %1 = pyk.libdevice "fast_fdivide"(%y, %y) : (f32, f32) -> f32
  pyk.return %1 : f32
}
