// RUN: pyk-opt %s --split-input-file --verify-diagnostics

pyk.func @half(%z: complex<f16>) {
  // expected-error @below {{operand #0 must be complex type with 32-bit float or 64-bit float elements, but got 'complex<f16>'}}
  %0 = pyk.complex.sqrt %z : complex<f16>
  pyk.return
}

// -----

// expected-error @below {{expects elements that are integers of 1, 8, 16, 32 or 64 bits, floats of 16, 32 or 64 bits, complex with parts of 32 or 64 bits or records but got 'complex<i32>'}}
pyk.func @elements_of_integers(!pyk.array<?xcomplex<i32>, c>)

// -----

// field_c1
pyk.func @no_part(%a: !pyk.array<?xcomplex<f64>, c>) {
  // expected-error @below {{expects records with a field of numbers or records 'abs' but got '!pyk.array<?xcomplex<f64>, c>'}}
  %0 = pyk.field %a "abs" : !pyk.array<?xcomplex<f64>, c> to !pyk.array<?xf64, any>
  pyk.return
}
