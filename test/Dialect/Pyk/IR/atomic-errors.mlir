// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// atomic_c1
pyk.func @bits_of_floats(%a: !pyk.array<?xf32, c>, %i: i64, %x: f32) {
  // expected-error@below {{expects integers for 'xor' but got 'f32'}}
  %0 = pyk.atomic xor %x, %a[%i] : !pyk.array<?xf32, c>
  pyk.return
}

// -----

// atomic_c1
pyk.func @narrow(%a: !pyk.array<?xi16, c>, %i: i64, %x: i16) {
  // expected-error@below {{must be integer of 32 or 64 bits or float, but got 'i16'}}
  %0 = pyk.atomic add %x, %a[%i] : !pyk.array<?xi16, c>
  pyk.return
}

// -----

// atomic_c2
pyk.func @indices(%a: !pyk.array<?x?xf32, c>, %i: i64, %x: f32) {
  // expected-error@below {{expects 2 indices for a 2-dimensional array but got 1}}
  %0 = pyk.atomic add %x, %a[%i] : !pyk.array<?x?xf32, c>
  pyk.return
}

// -----

// atomic_c3
pyk.func @read_only(%a: !pyk.array<?xf32, c, readonly>, %i: i64, %x: f32) {
  // expected-error@below {{expects an array that can be written but got}}
  %0 = pyk.atomic add %x, %a[%i] : !pyk.array<?xf32, c, readonly>
  pyk.return
}

// -----

// atomic_cas_c1
pyk.func @cas_narrow(%a: !pyk.array<?xi8, c>, %i: i64, %x: i8) {
  // expected-error@below {{must be integer of 32 or 64 bits or float, but got 'i8'}}
  %0 = pyk.atomic_cas %x, %x, %a[%i] : !pyk.array<?xi8, c>
  pyk.return
}

// -----

// atomic_cas_c2
pyk.func @cas_indices(%a: !pyk.array<?xi32, c>, %x: i32) {
  // expected-error@below {{expects 1 indices for a 1-dimensional array but got 0}}
  %0 = pyk.atomic_cas %x, %x, %a[] : !pyk.array<?xi32, c>
  pyk.return
}

// -----

// atomic_cas_c3
pyk.func @cas_read_only(%a: !pyk.array<2xi32, c, constant>, %i: i64, %x: i32) {
  // expected-error@below {{expects an array that can be written but got}}
  %0 = pyk.atomic_cas %x, %x, %a[%i] : !pyk.array<2xi32, c, constant>
  pyk.return
}
